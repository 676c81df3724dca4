/** Describes the application resource: an iOS, Android or web application of a project. */
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
import { UserError } from "../errors";
import type { Change, Found, ResourceDescription } from "../lifecycle/description";
import { type Properties, partAt } from "../lifecycle/properties";
import { choice, type FieldValues, object, optional } from "../shapes/shape";
import { stepsOf } from "../shapes/walk";

const inputs = {
  /** UUID of the project that the application belongs to. Changing it replaces the application. */
  projectId: applicationShape.fields.projectId,
  /** Platform: IOS, ANDROID or WEB. It can be changed in place. */
  appType: appTypeShape,
  /** The iOS application. Required for IOS, not allowed for other platforms. */
  appleInfo: optional<AppleInfoCreate>(appleInfoCreateShape),
  /** The Android application. Required for ANDROID, not allowed for other platforms. */
  androidInfo: optional<AndroidInfoCreate>(androidInfoCreateShape),
};

const outputs = {
  /** When the application was created, as an ISO 8601 date and time. */
  createdAt: applicationShape.fields.createdAt,
};

/** Inputs of an application on any platform. */
export interface ApplicationInputs extends FieldValues<typeof inputs> {}
/** Outputs that the service adds to an application. */
export interface ApplicationOutputs extends FieldValues<typeof outputs> {}

/** The input with the details of each platform. */
const INFO_OF = { IOS: "appleInfo", ANDROID: "androidInfo", WEB: undefined } as const;

const { projectId } = inputs;
const SHAPE_OF = {
  IOS: object({ projectId, appType: choice(["IOS"]), appleInfo: appleInfoCreateShape }),
  ANDROID: object({ projectId, appType: choice(["ANDROID"]), androidInfo: androidInfoCreateShape }),
  WEB: object({ projectId, appType: choice(["WEB"]) }),
} as const;
/** While the platform is not known yet, both infos are allowed. */
const ANY_PLATFORM = object(inputs);

/** An application. Values that the program does not declare are left unchanged. */
export const applicationDescription: ResourceDescription<ApplicationInputs, ApplicationOutputs> = {
  type: "Application",
  title: "application",
  scopes: { read: ["applications:read"], write: ["applications:write"] },
  creates: "object",
  inputs,
  outputs,
  replaceOnChanges: ["projectId"],
  parentId: "projectId",
  computed: ["appleInfo.appId"],

  shapeFor({ appType }) {
    return SHAPE_OF[appType as keyof typeof SHAPE_OF] ?? ANY_PLATFORM;
  },

  async list({ client, organizationId, signal }, { projectId }) {
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
          // The info is sent as a whole, so it is read before each attempt, to keep values that were changed outside Pulumi.
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

/** The request body that applies a change to the current application. */
function overlay(change: Change<ApplicationInputs>, current: ServiceApplication): UpdateApplication {
  const { inputs: declared, changed } = change;
  const { appType } = declared;
  const info = INFO_OF[appType];
  const infos = {
    appleInfo: wholeInfo("appleInfo", change, current) as AppleInfo | null,
    androidInfo: wholeInfo("androidInfo", change, current) as AndroidInfo | null,
  };
  // A new platform is sent together with its info, and clears the info of the previous platform.
  if (changed.includes("appType") || info === undefined) return { appType, ...infos };
  if (appType === current.appType) return { [info]: infos[info] };
  throw new UserError(
    `The appType of application ${current.id} was changed outside Pulumi, so ${changed.join(", ")} cannot be updated. Run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
}

/**
 * The info to send: the service's values, overlaid with the changed ones, and null for those that are no longer
 * declared. Because it is complete, the result is the same whether the service merges or replaces it.
 */
function wholeInfo(
  info: "appleInfo" | "androidInfo",
  { inputs: declared, changed }: Change<ApplicationInputs>,
  current: ServiceApplication,
): Properties | null {
  if (INFO_OF[declared.appType] !== info) return null;
  const before = (current[info] ?? {}) as Properties;
  const names = changed.filter((path) => path.startsWith(`${info}.`)).map((path) => stepsOf(path)[1]);
  const removed = Object.fromEntries(names.map((name) => [name, null]));
  const { [info]: changedInfo } = partAt({ ...declared }, changed);
  return withDerivedAppId(before, { ...before, ...removed, ...(changedInfo as Properties) }, declared[info]);
}

/** Updates an appId that the service derived from prefix and bundle, so that it does not contradict the new ones. */
function withDerivedAppId(before: Properties, after: Properties, declared: object | undefined): Properties {
  const derived = before.appId != null && before.appId === `${before.appIdPrefix}.${before.bundleId}`;
  if (!derived || (declared && "appId" in declared)) return after;
  const appId = `${after.appIdPrefix}.${after.bundleId}`;
  const { maxLength = appId.length } = appleInfoShape.fields.appId.rules ?? {};
  return { ...after, appId: after.appIdPrefix == null || appId.length > maxLength ? null : appId };
}

function found({
  id,
  updatedAt: _updatedAt,
  ...properties
}: ServiceApplication): Found<ApplicationInputs & ApplicationOutputs> {
  const { createdAt } = properties;
  return { uuid: id, properties: properties as ApplicationInputs & ApplicationOutputs, createdAt };
}
