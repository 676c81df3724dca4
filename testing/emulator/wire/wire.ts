/** The form of entities over HTTP, and the conversion between its names and those of entities. */
import type { Application, Credential, CustomDomain, Link, Project } from "../world/entities";
import { applicationsOf, existing, hostnameOf, type Service, shortUrlOf } from "../world/world";

type Wire = { readonly [name: string]: unknown };

/** An app id is not derived if it would be longer than the API allows. */
const MAX_APP_ID_LENGTH = 100;

/** A JSON value with all names in camelCase. */
export function fromWire(value: unknown): unknown {
  return renamed(value, (name) =>
    name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

/** A JSON value with all names in snake_case. */
function toWire(value: unknown): unknown {
  return renamed(value, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** CurrentApiCredential. */
export function credentialOnWire(credential: Credential): Wire {
  return {
    id: credential.id,
    organization_id: credential.organizationId,
    key_prefix: credential.key.slice(0, 6),
    scopes: credential.scopes,
  };
}

/** Project. */
export function projectOnWire({ world }: Service, project: Project): Wire {
  const appTypes = applicationsOf(world, project.id).map((application) => application.appType);
  return {
    id: project.id,
    organization_id: project.organizationId,
    created_by_user_id: project.createdByUserId,
    project_name: project.name,
    logo_image_id: project.logoImageId,
    sub_domain: project.subDomain,
    default_hookup_msg: project.defaultHookupMsg,
    logo_image: project.logoImageId && {
      full_path: `https://images.dynamiclink.example/${project.logoImageId}.png`,
    },
    skin_info: project.skin && { theme_choice_type: project.skin.themeChoiceType },
    android_app_flag: appTypes.includes("ANDROID"),
    ios_app_flag: appTypes.includes("IOS"),
    created_at: project.createdAt,
    updated_at: project.updatedAt,
  };
}

/** Skin. The Project has one. */
export function skinOnWire(project: Project & { skin: object }): Wire {
  return {
    id: project.skin.id,
    organization_id: project.organizationId,
    project_id: project.id,
    theme_type: project.skin.themeType,
    theme_choice_type: project.skin.themeChoiceType,
    default_hookup_msg: project.defaultHookupMsg,
    created_at: project.skin.createdAt,
    updated_at: project.skin.updatedAt,
  };
}

/** Application. */
export function applicationOnWire(service: Service, application: Application): Wire {
  return {
    id: application.id,
    project_id: application.projectId,
    app_type: application.appType,
    ...infosOnWire(service, application),
    created_at: application.createdAt,
    updated_at: application.updatedAt,
  };
}

/** CustomDomain. */
export function customDomainOnWire({ world }: Service, domain: CustomDomain): Wire {
  return {
    id: domain.id,
    organization_id: existing(world.projects, domain.projectId).organizationId,
    project_id: domain.projectId,
    hostname: domain.hostname,
    lifecycle_status: domain.lifecycleStatus,
    provider_status: domain.providerStatus,
    ssl_status: domain.sslStatus,
    ownership_validation: toWire(domain.ownershipValidation),
    ssl_validation_records: toWire(domain.sslValidationRecords),
    cname_target: domain.cnameTarget,
    last_error: domain.lastError,
    last_checked_at: domain.lastCheckedAt,
    activated_at: domain.activatedAt,
    expires_at: domain.expiresAt,
    next_retry_at: domain.nextRetryAt,
    retry_count: domain.retryCount,
    created_at: domain.createdAt,
    updated_at: domain.updatedAt,
  };
}

/** Link. */
export function linkOnWire(service: Service, link: Link): Wire {
  const { world } = service;
  return {
    id: link.id,
    organization_id: existing(world.projects, link.projectId).organizationId,
    project_id: link.projectId,
    custom_domain_id: link.customDomainId,
    domain_type: link.customDomainId === null ? "DEFAULT" : "CUSTOM",
    hostname: hostnameOf(world, link),
    suffix: link.suffix,
    short_url: link.ready ? shortUrlOf(world, link) : null,
    dynamic_link_url: link.url,
    dynamic_link_name: link.name,
    apple_options: toWire(link.appleOptions),
    android_options: toWire(link.androidOptions),
    applications: {
      apple: linkedApplicationOnWire(service, link.appleApplicationId),
      android: linkedApplicationOnWire(service, link.androidApplicationId),
    },
    additional_options: toWire(link.additionalOptions),
    stats_flag: link.statsFlag,
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  };
}

function linkedApplicationOnWire(service: Service, applicationId: string | null): Wire | null {
  if (applicationId === null) return null;
  const application = existing(service.world.applications, applicationId);
  return { id: application.id, app_type: application.appType, ...infosOnWire(service, application) };
}

const APPLE_FIELDS = ["app_name", "app_store_id", "app_scheme", "app_id", "app_id_prefix", "bundle_id"];
const ANDROID_FIELDS = ["app_name", "app_package_name", "app_scheme", "sha256_fingerprints"];

function infosOnWire({ behaviour }: Service, { appleInfo, androidInfo }: Application): Wire {
  const { appIdPrefix, bundleId } = appleInfo ?? {};
  const derived =
    behaviour.deriveAppId &&
    appIdPrefix &&
    bundleId &&
    bundleId.length < MAX_APP_ID_LENGTH - appIdPrefix.length
      ? { appId: `${appIdPrefix}.${bundleId}` }
      : {};
  const complete = (info: object | null, names: readonly string[]) => {
    if (info === null) return null;
    const unset = behaviour.absentInfoField === "null" ? names.map((name) => [name, null]) : [];
    return { ...Object.fromEntries(unset), ...(toWire(info) as Wire) };
  };
  return {
    apple_info: complete(appleInfo && { ...derived, ...appleInfo }, APPLE_FIELDS),
    android_info: complete(androidInfo, ANDROID_FIELDS),
  };
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), renamed(item, rename)]),
  );
}
