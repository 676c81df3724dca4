/** The form of entities over HTTP, and the conversion between its names and those of entities. */
import type { Application, Credential, CustomDomain, Link, Project } from "../world/entities";
import { existing, hostnameOf, ofProject, projectOf, type Service, shortUrlOf } from "../world/world";

type Wire = { readonly [name: string]: unknown };

/** An app id is not derived if it would be longer than the API allows. */
const MAX_APP_ID_LENGTH = 100;

/** A JSON value with all names in camelCase. Fields that have such names on the wire are unknown, and dropped. */
export function fromWire(value: unknown): unknown {
  const camelCase = (name: string) =>
    name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return renamed(value, (name) => (/[A-Z]/.test(name) ? undefined : camelCase(name)));
}

/** A JSON object with all names in snake_case, also in the objects in it. */
function toWire(value: object): Wire {
  return renamed(value, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as Wire;
}

/** A JSON object in the form of `toWire`. Its own times have the precision of the service. */
function timedToWire({ behaviour }: Service, value: object): Wire {
  const inSeconds = ([name, item]: [string, unknown]) => [
    name,
    name.endsWith("_at") && typeof item === "string" ? item.replace(/\.\d+/, "") : item,
  ];
  const wire = toWire(value);
  if (behaviour.timestampPrecision !== "seconds") return wire;
  return Object.fromEntries(Object.entries(wire).map(inSeconds));
}

/** The time of the last update of an object that need not have one. */
function updatedAtOf({ behaviour }: Service, { createdAt, updatedAt }: Application | Link): string | null {
  const { nullableUpdatedAt } = behaviour;
  if (nullableUpdatedAt === "never") return null;
  return nullableUpdatedAt === "fromCreation" ? (updatedAt ?? createdAt) : updatedAt;
}

/** A field that no documentation mentions, for the objects that may have such fields. */
function extraFields({ behaviour }: Service): object {
  return behaviour.extraFields ? { undocumented: true } : {};
}

export function credentialOnWire({ id, organizationId, key, scopes }: Credential): Wire {
  return toWire({ id, organizationId, keyPrefix: key.slice(0, 6), scopes });
}

export function projectOnWire(service: Service, project: Project): Wire {
  const { world } = service;
  const { name, pro: _, skin, logoImageId, ...same } = project;
  const appTypes = ofProject(world.applications, project.id).map((application) => application.appType);
  const fullPath = `https://images.dynamiclink.example/${logoImageId}.png`;
  return timedToWire(service, {
    ...same,
    projectName: name,
    logoImageId,
    logoImage: logoImageId && { fullPath, ...extraFields(service) },
    skinInfo: skin && { themeChoiceType: skin.themeChoiceType },
    androidAppFlag: appTypes.includes("ANDROID"),
    iosAppFlag: appTypes.includes("IOS"),
  });
}

/** Skin. The Project has one. */
export function skinOnWire(service: Service, project: Project & { skin: object }): Wire {
  const { id, organizationId, defaultHookupMsg, skin } = project;
  return timedToWire(service, { ...skin, organizationId, projectId: id, defaultHookupMsg });
}

export function applicationOnWire(service: Service, application: Application): Wire {
  const { updatedAt: _, ...same } = application;
  const times = { updatedAt: updatedAtOf(service, application) };
  return { ...timedToWire(service, { ...same, ...times }), ...infosOnWire(service, application) };
}

export function customDomainOnWire(service: Service, domain: CustomDomain): Wire {
  const { polls, pollsInStatus: _pollsInStatus, statusSince: _since, ...shown } = domain;
  const { recordsAppear: appear } = service.behaviour;
  const hasRecords = typeof appear === "object" ? polls >= appear.afterPolls : appear === "atOnce";
  const ownershipValidation = hasRecords ? shown.ownershipValidation : null;
  const sslValidationRecords = hasRecords ? shown.sslValidationRecords : null;
  const extra = extraFields(service);
  return timedToWire(service, {
    ...shown,
    organizationId: projectOf(service.world, domain)?.organizationId,
    ownershipValidation: ownershipValidation && { ...ownershipValidation, ...extra },
    sslValidationRecords: sslValidationRecords && {
      ...sslValidationRecords,
      ...extra,
      records: sslValidationRecords.records.map((record) => ({ ...record, ...extra })),
    },
  });
}

export function linkOnWire(service: Service, link: Link): Wire {
  const { world } = service;
  const { url, name, ready, order: _, appleApplicationId, androidApplicationId, ...same } = link;
  return timedToWire(service, {
    ...same,
    organizationId: existing(world.projects, link.projectId).organizationId,
    domainType: link.customDomainId === null ? "DEFAULT" : "CUSTOM",
    hostname: hostnameOf(world, link),
    shortUrl: ready ? shortUrlOf(world, link) : null,
    dynamicLinkUrl: url,
    dynamicLinkName: name,
    applications: {
      apple: linkedApplicationOnWire(service, appleApplicationId),
      android: linkedApplicationOnWire(service, androidApplicationId),
    },
    updatedAt: updatedAtOf(service, link),
  });
}

/** The Project, Application, Custom Domain or Link with an id. @throws Error if there is none. */
export function objectOnWire(service: Service, id: string): Wire {
  const { projects, applications, customDomains, links } = service.world;
  const key = id.toLowerCase();
  const project = projects.get(key);
  if (project !== undefined) return projectOnWire(service, project);
  const application = applications.get(key);
  if (application !== undefined) return applicationOnWire(service, application);
  const domain = customDomains.get(key);
  if (domain !== undefined) return customDomainOnWire(service, domain);
  return linkOnWire(service, existing(links, id));
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
  const appId = appIdPrefix && bundleId && `${appIdPrefix}.${bundleId}`;
  const derived = behaviour.deriveAppId && appId && appId.length <= MAX_APP_ID_LENGTH ? { appId } : {};
  const complete = (info: object | null, names: readonly string[]) => {
    if (info === null) return null;
    const unset = behaviour.absentInfoField === "null" ? names.map((name) => [name, null]) : [];
    return { ...Object.fromEntries(unset), ...toWire(info) };
  };
  return {
    apple_info: complete(appleInfo && { ...derived, ...appleInfo }, APPLE_FIELDS),
    android_info: complete(androidInfo, ANDROID_FIELDS),
  };
}

/** A copy with other names, without the fields that get none. */
function renamed(value: unknown, rename: (name: string) => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const renamedTo = rename(name);
      return renamedTo === undefined ? [] : [[renamedTo, renamed(item, rename)]];
    }),
  );
}
