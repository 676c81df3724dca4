/** The settings of a run, and what must hold before it creates anything. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SCOPES } from "../../testing/emulator/world/entities";
import type { Gateway } from "./gateway";
import { type Journal, objectsIn } from "./journal";

export type Settings = ReturnType<typeof settingsOf>;

/** The error of a run that must not begin. */
export class RefusedError extends Error {}

const VARIABLES = {
  DYNAMICLINK_TEST_API_URL: "the URL of the service",
  DYNAMICLINK_TEST_API_KEY: `an API key of the organization, with ${SCOPES.join(", ")}`,
  DYNAMICLINK_TEST_ORGANIZATION: "the UUID of a scratch organization",
};

const OPTIONS = {
  /** Whether the organization may have projects of others. */
  "beside-others": { type: "boolean" },
  /** Only deletes what earlier runs have left. */
  sweep: { type: "boolean" },
  /** Takes few samples, and runs each scenario with one host, in few processes. */
  short: { type: "boolean" },
  /** Runs no scenarios. */
  questions: { type: "boolean" },
  /** Runs scenarios on the test engine, even if there is a Pulumi CLI. */
  engine: { type: "boolean" },
  /** A domain whose DNS records the user can set. */
  hostname: { type: "string" },
  /** The highest rate to try, in requests a second. */
  rate: { type: "string", default: "0" },
  /** Where the journal and the logs of requests are. */
  directory: { type: "string", default: join(__dirname, "..", "..", ".acceptance") },
} as const;

/** A higher rate is not polite. */
const MAX_RATE = 20;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the settings. @throws RefusedError that says what to set. */
export function settingsOf(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const missing = Object.entries(VARIABLES).filter(([variable]) => !environment[variable]?.trim());
  if (missing.length > 0)
    throw new RefusedError(["Set:", ...missing.map(([name, meaning]) => `${name}: ${meaning}`)].join("\n  "));
  const { DYNAMICLINK_TEST_API_URL: apiUrl = "", DYNAMICLINK_TEST_API_KEY: apiKey = "" } = environment;
  const { DYNAMICLINK_TEST_ORGANIZATION: organization = "" } = environment;
  if (!UUID.test(organization)) throw new RefusedError("DYNAMICLINK_TEST_ORGANIZATION must be a UUID.");
  const rate = Number(values.rate);
  if (!(rate >= 0 && rate <= MAX_RATE))
    throw new RefusedError(`--rate must be at most ${MAX_RATE} a second.`);
  return { ...values, rate, apiUrl, apiKey, organization: organization.toLowerCase() };
}

/** Checks the key and the organization, with reads. @throws RefusedError */
export async function requireScratch({ call }: Gateway, journal: Journal, settings: Settings): Promise<void> {
  const { status, answer } = await call("getCurrentApiCredential");
  if (status !== 200)
    throw new RefusedError(`The service responded with ${status} to the lookup of the key.`);
  const { organization_id, scopes } = answer as { organization_id: string; scopes: readonly string[] };
  if (organization_id.toLowerCase() !== settings.organization)
    throw new RefusedError(
      `The key is of organization ${organization_id}, not of ${settings.organization}. Use a key of the scratch organization.`,
    );
  const lacking = SCOPES.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0) throw new RefusedError(`The key lacks these scopes: ${lacking.join(", ")}.`);
  const projects = objectsIn((await call("listProjects")).answer);
  if (settings.sweep) return;
  if (journal.rest().length > 0)
    throw new RefusedError(
      `Earlier runs have left ${journal.rest().length} objects. Delete them: npm run test:service -- --sweep`,
    );
  const others = projects.filter(({ id }) => !journal.isOwn(id));
  if (others.length > 0 && !settings["beside-others"])
    throw new RefusedError(
      `The organization has ${others.length} projects that no run has created, such as ${JSON.stringify(others[0]?.name)}. Use a scratch organization, or add --beside-others.`,
    );
}
