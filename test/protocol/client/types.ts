/** What must compile with the client's types, and what must not. `npm run check` compiles this file; it never runs. */

import type {
  AppleInfo,
  Application,
  Client,
  ConflictError,
  CreateApplication,
  CurrentApiCredential,
  CustomDomain,
  LifecycleStatus,
  LinkPage,
  Project,
  UpdateApplication,
} from "../../../provider/client";

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

function same<_ extends true>(): void {}

const IN_PROJECT = { organizationId: "", projectId: "" };
const appleInfo = { appName: "", appScheme: "", bundleId: "" };
const androidInfo = { appName: "", appScheme: "", appPackageName: "" };

export async function paths(client: Client): Promise<void> {
  await client.getCurrentApiCredential();
  await client.getCurrentApiCredential({}, {});
  await client.getProject(IN_PROJECT, { deadline: 0, signal: AbortSignal.abort() });
  // @ts-expect-error The project is missing.
  await client.getProject({ organizationId: "" });
  // @ts-expect-error There is no such parameter.
  await client.getProject({ ...IN_PROJECT, name: "" });
  // @ts-expect-error The request is missing.
  await client.getProject();
  // @ts-expect-error Call options come second.
  await client.getCurrentApiCredential({ deadline: 0 });
  // @ts-expect-error There is no such call option.
  await client.getProject(IN_PROJECT, { retries: 1 });
  // @ts-expect-error An identifier is text.
  await client.getLink({ linkId: 1 });
  // @ts-expect-error The helper sets the cursor.
  client.eachProjectLink({ ...IN_PROJECT, cursor: "" });
}

export async function bodies(client: Client): Promise<void> {
  await client.createProject({ organizationId: "", body: { projectName: "", defaultHookupMsg: null } });
  // @ts-expect-error The name is missing.
  await client.createProject({ organizationId: "", body: {} });
  // @ts-expect-error The name must not be null.
  await client.createProject({ organizationId: "", body: { projectName: null } });
  // @ts-expect-error Names are in camelCase.
  await client.createProject({ organizationId: "", body: { project_name: "" } });
  // @ts-expect-error The body is missing.
  await client.createProject({ organizationId: "" });
  await client.updateProject({ ...IN_PROJECT, body: async () => ({ projectName: "" }) });
  await client.saveProjectSkin({
    ...IN_PROJECT,
    body: async () => ({ themeType: "basic", themeChoiceType: "dark" }),
  });
  // @ts-expect-error Only the body of an update is built for each attempt.
  await client.createProject({ organizationId: "", body: async () => ({ projectName: "" }) });
  // @ts-expect-error Nothing is sent with a retry.
  await client.retryCustomDomain({ customDomainId: "", body: {} });
  // @ts-expect-error A link of the core has a project.
  await client.createCoreLinkV2({ body: { dynamicLinkUrl: "", dynamicLinkName: "" } });
  await client.createUnifiedLink({
    // @ts-expect-error This operation identifies the custom domain by its URL.
    body: { dynamicLinkUrl: "", dynamicLinkName: "", projectId: "", customDomainId: "" },
  });
}

export const APPLICATIONS: CreateApplication[] = [
  { appType: "IOS", appleInfo },
  { appType: "IOS", appleInfo: { ...appleInfo, appStoreId: null } },
  { appType: "ANDROID", androidInfo: { ...androidInfo, sha256Fingerprints: [] } },
  { appType: "WEB" },
  // @ts-expect-error The info for iOS is missing.
  { appType: "IOS" },
  // @ts-expect-error The bundle identifier is missing.
  { appType: "IOS", appleInfo: { appName: "", appScheme: "" } },
  // @ts-expect-error A required field must not be null.
  { appType: "IOS", appleInfo: { ...appleInfo, bundleId: null } },
  // @ts-expect-error That belongs to another platform.
  { appType: "IOS", appleInfo, androidInfo },
  // @ts-expect-error There is no such platform.
  { appType: "TV" },
  // @ts-expect-error There is no such field.
  { appType: "WEB", name: "" },
];

/** The service may add values, so a response is not limited to the known ones, with which it can be compared. */
export function isServing({ lifecycleStatus }: CustomDomain, { scopes }: CurrentApiCredential): boolean {
  const anyStatus: string = lifecycleStatus;
  // @ts-expect-error A status may be one that this release does not know.
  const known: LifecycleStatus = lifecycleStatus;
  // @ts-expect-error There is no such platform.
  const appType: UpdateApplication["appType"] = "TELEVISION";
  return lifecycleStatus === "ACTIVE" && scopes.includes("links:read") && known !== anyStatus && !appType;
}

export async function answers(client: Client, error: ConflictError): Promise<void> {
  const projects = await client.listProjects({ organizationId: "" });
  same<Same<typeof projects, Project[]>>();
  const page = await client.listProjectLinks(IN_PROJECT);
  same<Same<typeof page, LinkPage>>();
  const credential = await client.getCurrentApiCredential();
  same<Same<typeof credential, CurrentApiCredential>>();
  const gone = await client.deleteLink({ linkId: "" });
  same<Same<typeof gone, undefined>>();
  same<Same<Project["subDomain"], string | null>>();
  same<Same<Application["appleInfo"], AppleInfo | null>>();
  same<Same<CustomDomain["cnameTarget"], string | null | undefined>>();
  same<Same<CustomDomain["lastError"], string | null | undefined>>();
  same<Same<typeof error.effect, "none" | "unknown">>();
  // @ts-expect-error No error has an `id`, because Pulumi would treat it as the id of a created resource.
  error.id;
}
