/** The settings of a run, and what must hold before it creates anything. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isUuid } from "../../provider/values/uuid";
import { SCOPES } from "../../testing/emulator/world/entities";
import type { Gateway } from "./gateway/gateway";
import type { Journal } from "./gateway/journal";
import { objectsIn } from "./gateway/serviceObjects";

export type Settings = ReturnType<typeof settingsOf>;

/** The error of a run that must not begin. */
export class RefusedError extends Error {}

const VARIABLES = {
  DYNAMICLINK_TEST_API_URL: "the URL of the service",
  DYNAMICLINK_TEST_API_KEY: `an API key of the organization, with ${SCOPES.join(", ")}`,
  DYNAMICLINK_TEST_ORGANIZATION: "the UUID of a scratch organization",
};

/** CONTRIBUTING.md describes them. The directory has the journal and the logs of requests. */
const OPTIONS = {
  "beside-others": { type: "boolean" },
  sweep: { type: "boolean" },
  short: { type: "boolean" },
  questions: { type: "boolean" },
  engine: { type: "boolean" },
  hostname: { type: "string" },
  directory: { type: "string", default: join(__dirname, "..", "..", ".acceptance") },
} as const;

/** Reads the settings. @throws RefusedError that says what to set. */
export function settingsOf(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const missing = Object.entries(VARIABLES).filter(([variable]) => !environment[variable]?.trim());
  const lines = missing.map(([variable, meaning]) => `\n  ${variable}: ${meaning}`);
  if (missing.length > 0) throw new RefusedError(`Set:${lines.join("")}`);
  const { DYNAMICLINK_TEST_API_URL: apiUrl = "", DYNAMICLINK_TEST_API_KEY: apiKey = "" } = environment;
  const organization = environment.DYNAMICLINK_TEST_ORGANIZATION?.toLowerCase() ?? "";
  if (!isUuid(organization)) throw new RefusedError("DYNAMICLINK_TEST_ORGANIZATION must be a UUID.");
  return { ...values, apiUrl, apiKey, organization };
}

/** Checks the key and the organization, with reads. @throws RefusedError */
export async function requireScratch({ call }: Gateway, journal: Journal, settings: Settings): Promise<void> {
  const { status, answer } = await call("getCurrentApiCredential");
  if (status !== 200) throw new RefusedError(`The lookup of the key returned ${status}.`);
  const { organization_id, scopes } = answer as { organization_id: string; scopes: readonly string[] };
  if (organization_id.toLowerCase() !== settings.organization)
    throw new RefusedError(`The key is of organization ${organization_id}, not of ${settings.organization}.`);
  const lacking = SCOPES.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0) throw new RefusedError(`The key lacks these scopes: ${lacking.join(", ")}.`);
  const projects = objectsIn((await call("listProjects")).answer);
  if (settings.sweep) return;
  const { length } = journal.rest();
  if (length > 0)
    throw new RefusedError(
      `Earlier runs have left ${length} objects. Delete them: npm run test:service -- --sweep`,
    );
  const other = projects.find(({ id }) => !journal.isOwn(id));
  if (other !== undefined && !settings["beside-others"])
    throw new RefusedError(
      `The organization has projects that no run has created, such as ${JSON.stringify(other.name)}. Use a scratch organization, or add --beside-others.`,
    );
}
