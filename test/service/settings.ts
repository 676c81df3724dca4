/** The settings of a run, and what must hold before it creates anything. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SCOPES } from "../../testing/emulator/world/entities";
import type { Call } from "./access";
import type { Journal } from "./journal";
import { objectsIn } from "./objects";

/** The settings of a run. */
export interface Settings {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** UUID of the scratch organization. */
  readonly organization: string;
  /** Whether the organization may have objects of others. */
  readonly besideOthers: boolean;
  /** Whether to delete what earlier runs have left, and nothing else. */
  readonly sweep: boolean;
  /** Whether to take few samples, and to run each scenario with one host. */
  readonly short: boolean;
  /** A domain whose DNS records the user can set. */
  readonly hostname: string | undefined;
  /** The highest rate to try, in requests a second. */
  readonly rate: number | undefined;
  /** Where the journal and the logs of requests are. */
  readonly directory: string;
}

/** The error of a run that must not begin. */
export class RefusedError extends Error {}

const VARIABLES = {
  apiUrl: ["DYNAMICLINK_TEST_API_URL", "the URL of the service"],
  apiKey: ["DYNAMICLINK_TEST_API_KEY", `an API key of that organization, with ${SCOPES.join(", ")}`],
  organization: ["DYNAMICLINK_TEST_ORGANIZATION", "the UUID of a scratch organization"],
} as const;

/** A rate beyond this is not polite. */
const MAX_RATE = 20;

/** Reads the settings. @throws RefusedError that says what to set. */
export function settingsOf(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "beside-others": { type: "boolean", default: false },
      sweep: { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      hostname: { type: "string" },
      rate: { type: "string" },
      directory: { type: "string", default: join(__dirname, "..", "..", ".acceptance") },
    },
  });
  const set = Object.entries(VARIABLES).map(([name, [variable, meaning]]) => {
    const value = environment[variable]?.trim() ?? "";
    return { name, value, line: `${variable}: ${meaning}` };
  });
  const missing = set.filter(({ value }) => value === "");
  if (missing.length > 0)
    throw new RefusedError(["Set these:", ...missing.map(({ line }) => line)].join("\n  "));
  const rate = values.rate === undefined ? undefined : Number(values.rate);
  if (rate !== undefined && !(rate >= 1 && rate <= MAX_RATE))
    throw new RefusedError(`--rate must be 1 to ${MAX_RATE} requests a second.`);
  const { apiUrl, apiKey, organization } = Object.fromEntries(set.map(({ name, value }) => [name, value]));
  const { sweep, short, hostname, directory, "beside-others": besideOthers } = values;
  return {
    ...{ apiUrl: `${apiUrl}`, apiKey: `${apiKey}`, organization: `${organization}`.toLowerCase() },
    ...{ besideOthers, sweep, short, hostname, rate, directory },
  };
}

/** Checks the key and the organization with reads. @throws RefusedError */
export async function requireScratch(call: Call, journal: Journal, settings: Settings): Promise<void> {
  const { status, answer } = await call("getCurrentApiCredential");
  if (status !== 200)
    throw new RefusedError(`The service responded with ${status} to the lookup of the key.`);
  const { organization_id, scopes } = answer as { organization_id: string; scopes: readonly string[] };
  if (organization_id?.toLowerCase() !== settings.organization)
    throw new RefusedError(
      `The key is of organization ${organization_id}, and ${VARIABLES.organization[0]} is ${settings.organization}. Use a key of the scratch organization.`,
    );
  const lacking = SCOPES.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0) throw new RefusedError(`The key lacks these scopes: ${lacking.join(", ")}.`);
  const listed = await call("listProjects");
  if (listed.status !== 200)
    throw new RefusedError(`The service responded with ${listed.status} to the list of projects.`);
  if (settings.sweep) return;
  if (journal.rest.length > 0)
    throw new RefusedError(
      `An earlier run has left ${journal.rest.length} objects. Delete them: npm run test:service -- --sweep`,
    );
  const others = objectsIn(listed.answer).filter(({ id }) => !journal.isOwn(id));
  if (others.length > 0 && !settings.besideOthers)
    throw new RefusedError(
      `The organization has ${others.length} projects that no run has created, such as ${others[0]?.path} ${JSON.stringify(others[0]?.name)}. Use a scratch organization, or add --beside-others.`,
    );
}
