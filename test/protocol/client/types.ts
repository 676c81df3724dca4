/** What must compile with the client's types, and what must not. `npm run check` compiles this file; it never runs. */
import type {
  AppleInfo,
  Application,
  Client,
  ConflictError,
  CurrentApiCredential,
  CustomDomain,
  LifecycleStatus,
  Project,
  UpdateApplication,
} from "../../../provider/client";

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

function same<_ extends true>(): void {}

const IN_PROJECT = { organizationId: "", projectId: "" };

export async function paths(client: Client): Promise<void> {
  // @ts-expect-error The project is missing.
  await client.getProject({ organizationId: "" });
  // @ts-expect-error There is no such parameter.
  await client.getProject({ ...IN_PROJECT, name: "" });
  // @ts-expect-error The request is missing.
  await client.getProject();
  // @ts-expect-error Call options come second.
  await client.getCurrentApiCredential({ deadline: 0 });
  // @ts-expect-error An identifier is text.
  await client.getLink({ linkId: 1 });
}

export async function bodies(client: Client): Promise<void> {
  // @ts-expect-error The name is missing.
  await client.createProject({ organizationId: "", body: {} });
  await client.saveProjectSkin({
    ...IN_PROJECT,
    body: async () => ({ themeType: "basic", themeChoiceType: "dark" }),
  });
  // @ts-expect-error Only the body of an update is built for each attempt.
  await client.createProject({ organizationId: "", body: async () => ({ projectName: "" }) });
  // @ts-expect-error Nothing is sent with a retry.
  await client.retryCustomDomain({ customDomainId: "", body: {} });
}

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
