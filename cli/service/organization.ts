/** Opens an organization for reading: settings from a stack, a provider in it or the environment, and a read-only session. */
import { systemClock } from "../../provider/client/client";
import { UserError } from "../../provider/errors";
import type { OperationContext } from "../../provider/lifecycle/description";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { createSession, type Session } from "../../provider/session/session";
import {
  type HowToSet,
  type RawSettings,
  resolveSettings,
  type Settings,
} from "../../provider/session/settings";
import { capitalized, enumerated } from "../../provider/values/phrases";
import { openStack } from "../pulumi/cli";
import { type PulumiStack, providerIn, providerNames, type StoredProvider } from "../pulumi/stack";
import type { Console } from "../terminal/console";

/** The options of the command line for the stack and the organization, which mean the same for all commands. */
export interface SourceOptions {
  readonly stack?: string | undefined;
  /** Stacks that have the settings if the first has none: Pulumi finds no settings of a stack of another project. */
  readonly otherStacks?: readonly string[];
  readonly cwd?: string | undefined;
  readonly configFile?: string | undefined;
  readonly apiUrl?: string | undefined;
  readonly provider?: string | undefined;
  readonly json?: true;
}

/** Where the settings of a command are from. */
export interface Source {
  readonly stack?: PulumiStack;
  /** Why there is no stack. */
  readonly noStackReason?: string;
  readonly provider?: StoredProvider;
  readonly settings: RawSettings;
}

/** An organization that is open for reading: the context of operations on its objects. */
export interface Organization extends OperationContext {
  readonly session: Session;
  readonly source: Source;
  /** The settings of a program. The session is read-only even if they are not. */
  readonly settings: Settings;
}

const SET_URL = `pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl https://…`;

/**
 * Finds the stack and the settings. A stack that an option names must exist. With `apiUrl` no stack is used, because
 * Pulumi would send requests to the URL in the stack's configuration.
 */
export async function findSource(options: SourceOptions, console: Console): Promise<Source> {
  const { stack: name, otherStacks = [], cwd, configFile, apiUrl, provider: wanted } = options;
  if (apiUrl !== undefined) {
    const others = { stack: name, cwd, "config-file": configFile, provider: wanted };
    const other = Object.entries(others).find(([, value]) => value);
    if (other !== undefined)
      throw new UserError(
        `--api-url is for use without a stack, and cannot be used with --${other[0]}. With a stack, run \`pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl <url>\`.`,
      );
    return { noStackReason: "with --api-url no stack is used.", settings: { apiUrl } };
  }
  const stack = await openStack(console, options).catch((error: Error) => error.message);
  if (typeof stack !== "string") {
    if (wanted !== undefined) {
      const provider = await providerIn(stack, wanted);
      return { stack, provider, settings: provider.settings };
    }
    let settings = await stack.settings();
    for (const other of otherStacks)
      if (settings.apiUrl == null)
        settings = await (await openStack(console, { stack: other, cwd })).settings();
    return { stack, settings };
  }
  if (name !== undefined) throw new UserError(`Stack ${name} cannot be used: ${stack}`);
  if (configFile !== undefined)
    throw new UserError(`--config-file needs its stack: ${stack} Select it with --stack.`);
  if (wanted !== undefined)
    throw new UserError(`--provider needs the stack that has the provider: ${stack} Select it with --stack.`);
  return { noStackReason: stack, settings: {} };
}

async function settingsOf(
  { settings: raw, noStackReason, stack, provider }: Source,
  { environment }: Console,
): Promise<Settings> {
  const owner = provider ? `provider ${provider.name}` : `the configuration of stack ${stack?.name}`;
  const resolve = (how: HowToSet) => resolveSettings(raw, { environment, command: { owner, ...how } });
  try {
    return resolve({
      howToSetKey: "Set it to an organization API key.",
      howToSetUrl: noStackReason
        ? `${capitalized(noStackReason)} Add --api-url <url>. Or run this in the directory of a Pulumi project, select a stack, and run \`${SET_URL}\`.`
        : `Run \`${SET_URL} --stack ${stack?.name}\`, or this in the directory of the stack's project.`,
    });
  } catch (error) {
    const names = provider || !stack ? [] : await providerNames(stack).catch(() => []);
    if (names.length === 0) throw error;
    const one = names.length === 1;
    const how = `Stack ${stack?.name} has the provider${one ? "" : "s"} ${enumerated(names)}: add --provider ${one ? names[0] : "<name>"}.`;
    return resolve({ howToSetKey: how, howToSetUrl: how });
  }
}

/** Runs a command with the organization of the key, in a session that refuses writes. Sends one request before, the lookup of the key. */
export async function withOrganization<Result>(
  options: SourceOptions,
  console: Console,
  command: (organization: Organization) => Promise<Result>,
): Promise<Result> {
  const source = await findSource(options, console);
  const settings = await settingsOf(source, console);
  console.hide(settings.apiKey);
  const report = (message: string) => console.message("note", message);
  const session = createSession({ ...settings, readOnly: true }, { report });
  try {
    const { organizationId, scopes } = await session.identity();
    return await command({
      session,
      client: session.client,
      organizationId,
      scopes,
      signal: new AbortController().signal,
      report,
      clock: systemClock,
      source,
      settings,
    });
  } finally {
    await session.client.close();
  }
}
