/** Describes the application resource: an iOS, Android or web application of a project. */
import { z } from "zod";
import type { AndroidInfo, AppleInfo, CreateApplication, Application as ServiceApplication } from "../client";
import {
  androidInfo,
  androidInfoCreate,
  appleInfo,
  appleInfoCreate,
  application,
  appType,
} from "../client/model/application";
import type { CallBounds } from "../client/operations";
import { UserError } from "../errors";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { readKnown } from "../lifecycle/evidence/known";
import { serviceMs } from "../lifecycle/poll";
import type { Properties } from "../lifecycle/properties";
import { ageOf, changedAt, mayBeOutdated } from "../lifecycle/version";
import { applicationUpdate } from "./applicationUpdate";

const inputs = z.strictObject({
  /** UUID of the project that the application belongs to. Changing it replaces the application. */
  projectId: application.shape.projectId,
  /** Platform: IOS, ANDROID or WEB. It can be changed in place. */
  appType,
  /** The iOS application. Required for IOS, not allowed for other platforms. */
  appleInfo: (appleInfo as z.ZodType<AppleInfo>).optional(),
  /** The Android application. Required for ANDROID, not allowed for other platforms. */
  androidInfo: (androidInfo as z.ZodType<AndroidInfo>).optional(),
});

const outputs = z.object({
  /** When the application was created, as an ISO 8601 date and time. */
  createdAt: application.shape.createdAt,
});

/** Inputs of an application on any platform. */
export interface ApplicationInputs extends z.infer<typeof inputs> {}
/** Outputs that the service adds to an application. */
export interface ApplicationOutputs extends z.infer<typeof outputs> {}

/** The schema of the inputs for each platform. */
function variants(apple: z.ZodType, android: z.ZodType): ReadonlyMap<unknown, z.ZodObject> {
  const web = inputs.omit({ appleInfo: true, androidInfo: true });
  return new Map<unknown, z.ZodObject>([
    ["IOS", web.extend({ appType: z.literal("IOS"), appleInfo: apple })],
    ["ANDROID", web.extend({ appType: z.literal("ANDROID"), androidInfo: android })],
    ["WEB", web.extend({ appType: z.literal("WEB") })],
    // While the platform is not known yet, both infos are allowed.
    [undefined, inputs.extend({ appleInfo: apple.optional(), androidInfo: android.optional() })],
  ]);
}

// An object that exists may lack what a create requires.
const DECLARED = variants(inputs.shape.appleInfo, inputs.shape.androidInfo);
const CREATED = variants(appleInfoCreate, androidInfoCreate);

/** An application. Values that the program does not declare are left unchanged. */
export const applicationDescription: ResourceDescription<ApplicationInputs, ApplicationOutputs> = {
  type: "Application",
  title: "application",
  creates: { is: "object" },
  scopes: { read: ["applications:read"], write: ["applications:write"] },
  inputs,
  outputs,
  replaceOnChanges: ["projectId"],
  parentId: "projectId",
  computed: ["appleInfo.appId"],
  identifiedBy: ["appleInfo.bundleId", "androidInfo.appPackageName"],

  schemaFor({ appType }, isCreated) {
    const schemas = isCreated ? CREATED : DECLARED;
    return schemas.get(appType) ?? (schemas.get(undefined) as z.ZodObject);
  },

  async list({ client, organizationId, signal }, { projectId }) {
    return (await client.listApplications({ organizationId, projectId }, { signal })).map(asFound);
  },

  async read({ client, signal }, uuid) {
    return asFound(await client.getApplication({ applicationId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { projectId, ...body }) {
    return asFound(
      await client.createApplication(
        { organizationId, projectId, body: body as CreateApplication },
        { signal },
      ),
    );
  },

  async update(context, uuid, change) {
    const { client, signal } = context;
    const saved = changedAt(change.state);
    let known = saved;
    let alsoSent: readonly string[] = [];
    const application = await client.updateApplication(
      {
        applicationId: uuid,
        // The info is sent as a whole, so it is read before each attempt, to keep values that were changed outside Pulumi.
        async body(bounds) {
          const current = await readCurrent(context, { uuid, state: change.state }, known, bounds);
          known = versionOf(current);
          const next = applicationUpdate(change, current, ageOf(known, saved));
          alsoSent = next.alsoSent;
          return next.body;
        },
      },
      { signal },
    );
    return { ...asFound(application), alsoSent };
  },

  deletion: {
    async send({ client, signal }, uuid) {
      await client.deleteApplication({ applicationId: uuid }, { signal });
    },
    ifRefused:
      "Links may open the application: change or delete them first, in the console, or with `updateLink` or `deleteLink` of `pulumi-dynamiclink/client`.",
  },
};

/** Reads an application for its update. @throws UserError if reads stay older than what is known of it. */
async function readCurrent(
  context: OperationContext,
  { uuid, state }: { readonly uuid: string; readonly state: Properties },
  known: unknown,
  bounds: CallBounds,
): Promise<ServiceApplication> {
  const isOutdated = (application: ServiceApplication) => ageOf(versionOf(application), known) === "older";
  const mayBe = (one: ServiceApplication) => mayBeOutdated(versionOf(one), state, serviceMs(context));
  const current = await readKnown(
    { description: applicationDescription, context, uuid, state },
    () => context.client.getApplication({ applicationId: uuid }, bounds),
    { isOutdated: (application) => isOutdated(application) || mayBe(application) },
  );
  if (!isOutdated(current)) return current;
  throw new UserError(
    `Application ${uuid} cannot be updated now: the service returns it as it was at ${versionOf(current)}, but it has changed since, at ${known}. An update that starts from outdated values could undo that change. Run \`pulumi up\` again later. If this persists, run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
}

/** When an application last changed. The service returns no update time before the first update. */
function versionOf({ createdAt, updatedAt }: ServiceApplication): string {
  return updatedAt ?? createdAt;
}

function asFound(application: ServiceApplication): Found<ApplicationInputs & ApplicationOutputs> {
  const { id, updatedAt: _updatedAt, ...properties } = application;
  const { createdAt } = properties;
  return {
    uuid: id,
    properties: properties as ApplicationInputs & ApplicationOutputs,
    createdAt,
    updatedAt: versionOf(application),
  };
}
