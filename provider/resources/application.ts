/** The application resource: an iOS, Android or web application of a project. */
import type {
  AndroidInfo,
  AndroidInfoCreate,
  AppleInfo,
  AppleInfoCreate,
  CreateApplication,
  Application as ServiceApplication,
  UpdateApplication,
} from "../client";
import {
  androidInfoCreateShape,
  appleInfoCreateShape,
  appleInfoShape,
  applicationShape,
  appTypeShape,
} from "../client/model";
import type { Change, Found, ResourceDescription } from "../lifecycle/description";
import { UserError } from "../lifecycle/errors";
import { type Properties, partAt } from "../lifecycle/properties";
import { choice, type FieldValues, object, optional } from "../shapes/shape";

const inputs = {
  /** UUID of the project that the application belongs to. Another project replaces the application. */
  projectId: applicationShape.fields.projectId,
  /** Platform: IOS, ANDROID or WEB. It changes in place. */
  appType: appTypeShape,
  /** The iOS application; required with IOS, and allowed with nothing else. */
  appleInfo: optional<AppleInfoCreate>(appleInfoCreateShape),
  /** The Android application; required with ANDROID, and allowed with nothing else. */
  androidInfo: optional<AndroidInfoCreate>(androidInfoCreateShape),
};

const outputs = {
  /** When the application was created, as ISO 8601 date and time. */
  createdAt: applicationShape.fields.createdAt,
};

/** What a program declares of an application, whatever its platform. */
export interface ApplicationInputs extends FieldValues<typeof inputs> {}
/** What the service adds to an application. */
export interface ApplicationOutputs extends FieldValues<typeof outputs> {}

/** The info that goes with each platform. */
const INFO_OF = { IOS: "appleInfo", ANDROID: "androidInfo", WEB: undefined } as const;

const { projectId } = inputs;
const SHAPE_OF = {
  IOS: object({ projectId, appType: choice(["IOS"]), appleInfo: appleInfoCreateShape }),
  ANDROID: object({ projectId, appType: choice(["ANDROID"]), androidInfo: androidInfoCreateShape }),
  WEB: object({ projectId, appType: choice(["WEB"]) }),
} as const;
/** While the platform is not known, either info may turn out to be right. */
const ANY_PLATFORM = object(inputs);

// Operations createApplication, listApplications, getApplication, updateApplication and deleteApplication of openapi.yaml.
/** An application. What the program does not mention stays as the service has it. */
export const applicationDescription: ResourceDescription<ApplicationInputs, ApplicationOutputs> = {
  type: "Application",
  title: "application",
  scopes: { read: ["applications:read"], write: ["applications:write"] },
  creates: "object",
  inputs,
  outputs,
  replaceOnChanges: ["projectId"],
  place: "projectId",
  filledIn: ["appleInfo.appId"],

  shapeFor({ appType }) {
    return SHAPE_OF[appType as keyof typeof SHAPE_OF] ?? ANY_PLATFORM;
  },

  async siblings({ client, organizationId, signal }, { projectId }) {
    return (await client.listApplications({ organizationId, projectId }, { signal })).map(found);
  },

  async read({ client, signal }, uuid) {
    return found(await client.getApplication({ applicationId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { projectId, ...body }) {
    return found(
      await client.createApplication(
        { organizationId, projectId, body: body as CreateApplication },
        { signal },
      ),
    );
  },

  async update(context, uuid, change) {
    const { client, signal } = context;
    return found(
      await client.updateApplication(
        {
          applicationId: uuid,
          // An info is sent whole, so it is read again before each attempt: what others change meanwhile survives.
          body: async (bounds) =>
            overlay(change, await client.getApplication({ applicationId: uuid }, bounds)),
        },
        { signal },
      ),
    );
  },

  async delete({ client, signal }, uuid) {
    await client.deleteApplication({ applicationId: uuid }, { signal });
  },
};

/** What to send to have a change applied to the application as it is now. */
function overlay(change: Change<ApplicationInputs>, current: ServiceApplication): UpdateApplication {
  const { inputs: declared, changed } = change;
  const { appType } = declared;
  const info = INFO_OF[appType];
  const infos = {
    appleInfo: wholeInfo("appleInfo", change, current) as AppleInfo | null,
    androidInfo: wholeInfo("androidInfo", change, current) as AndroidInfo | null,
  };
  // Another platform is one change together with its info, and without that of the platform before.
  if (changed.includes("appType") || info === undefined) return { appType, ...infos };
  if (appType === current.appType) return { [info]: infos[info] };
  throw new UserError(
    `The appType of application ${current.id} was changed outside Pulumi, so ${changed.join(", ")} cannot be updated. Run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
}

/**
 * The info to send: what the service has, with what is changed laid over it and what is no longer declared set to
 * null. Sent whole, it means the same whether the service merges or replaces.
 */
function wholeInfo(
  info: "appleInfo" | "androidInfo",
  { inputs: declared, changed }: Change<ApplicationInputs>,
  current: ServiceApplication,
): Properties | null {
  if (INFO_OF[declared.appType] !== info) return null;
  const before = (current[info] ?? {}) as Properties;
  const names = changed.filter((path) => path.startsWith(`${info}.`)).map((path) => path.split(".")[1]);
  const removed = Object.fromEntries(names.map((name) => [name, null]));
  const { [info]: declaredAnew } = partAt({ ...declared }, changed);
  return withDerivedAppId(before, { ...before, ...removed, ...(declaredAnew as Properties) }, declared[info]);
}

/** An app id that the service derived from prefix and bundle follows them; carried over it would contradict them. */
function withDerivedAppId(before: Properties, after: Properties, declared: object | undefined): Properties {
  const derived = before.appId != null && before.appId === `${before.appIdPrefix}.${before.bundleId}`;
  if (!derived || (declared && "appId" in declared)) return after;
  const appId = `${after.appIdPrefix}.${after.bundleId}`;
  const { maxLength = appId.length } = appleInfoShape.fields.appId.rules ?? {};
  return { ...after, appId: after.appIdPrefix == null || appId.length > maxLength ? null : appId };
}

/** An application of the service as the resource knows it. */
function found({
  id,
  projectId,
  appType,
  appleInfo,
  androidInfo,
  createdAt,
}: ServiceApplication): Found<ApplicationInputs & ApplicationOutputs> {
  return {
    uuid: id,
    properties: { projectId, appType, appleInfo, androidInfo, createdAt } as ApplicationInputs &
      ApplicationOutputs,
    createdAt,
  };
}
