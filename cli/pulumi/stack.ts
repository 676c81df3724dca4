/** A stack that the Pulumi CLI can access: its configuration and its state. */
import { UserError } from "../../provider/errors";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { parseUrn } from "../../provider/hosts/urn";
import { API_KEY_VARIABLE, CONFIGURATION_NAMESPACE } from "../../provider/service";
import {
  plainKeyProblem,
  type RawSettings,
  type SettingName,
  settingsFrom,
  unknownSettingProblems,
} from "../../provider/session/settings";
import { parseJson } from "../terminal/json";
import { resourcesIn, type StackResource } from "./state";

export type PulumiStack = ReturnType<typeof stackOf>;

export type StoredProvider = Awaited<ReturnType<typeof providerIn>>;

/**
 * The stack with this name.
 *
 * @param ask runs a command of the CLI on the stack. Its errors have messages for users.
 */
export function stackOf(name: string, ask: (...args: string[]) => Promise<string>, configFile?: string) {
  async function json(action: string, ...args: string[]): Promise<unknown> {
    const text = await ask(...args).catch((error: unknown) => {
      throw new UserError(`${action} of stack ${name} failed: ${(error as Error).message}`);
    });
    const subject = `The output of \`pulumi ${args.join(" ")}\` for stack ${name}`;
    // Other output than JSON has no secrets of the stack.
    const [line = ""] = text.trim().split("\n");
    if (!/^[[{]/.test(line))
      throw new UserError(
        `${subject} is not JSON. If a wrapper of the CLI prints more, it must use standard error. The first line is: ${line}`,
      );
    return parseJson(text, subject);
  }
  return {
    name,
    /** This package's settings in its configuration. */
    async settings(): Promise<RawSettings> {
      const file = configFile === undefined ? [] : ["--config-file", configFile];
      const found = await json("Reading the configuration", "config", "--show-secrets", "--json", ...file);
      const configuration = found as Record<string, { value?: unknown; secret?: boolean }>;
      const problems = [
        // A project with the name of the service has settings of its own.
        ...unknownSettingProblems(Object.keys(configuration), { mayBeOthers: true }),
        ...(configuration[`${CONFIGURATION_NAMESPACE}:apiKey`]?.secret === false ? [plainKeyProblem()] : []),
      ];
      if (problems.length > 0) throw new UserError(problems.join("\n"));
      const read = (setting: SettingName) => configuration[`${CONFIGURATION_NAMESPACE}:${setting}`]?.value;
      return settingsIn(`stack ${name}`, read);
    },
    /** The resources in its state. Secrets are encrypted unless `showSecrets`. */
    async resources({ showSecrets = false } = {}): Promise<readonly StackResource[]> {
      const options = showSecrets ? ["--show-secrets"] : [];
      const exported = await json("Reading the state", "stack", "export", ...options);
      return resourcesIn(exported, `The state of stack ${name}`);
    },
  };
}

/** The provider of this package with a name or URN. @throws UserError when the stack has none, or several. */
export async function providerIn(stack: PulumiStack, wanted: string) {
  const found = providersIn(await stack.resources({ showSecrets: true })).filter(({ urn }) =>
    [urn, parseUrn(urn).name].includes(wanted),
  );
  const [provider, ...others] = found;
  if (provider === undefined)
    throw new UserError(
      `Stack ${stack.name} has no provider ${wanted} of this package. Until it is deployed, set ${API_KEY_VARIABLE} to its key, and use --api-url with its URL in place of --provider.`,
    );
  if (others.length > 0) {
    const urns = found.map(({ urn }) => urn).join(", ");
    throw new UserError(`Stack ${stack.name} has several providers ${wanted}. Give the URN of one: ${urns}.`);
  }
  const { urn, inputs } = provider;
  const read = (name: SettingName) => inputs?.[DYNAMIC_PREFIX + name] ?? inputs?.[name];
  const settings = settingsIn(`provider ${wanted}`, read);
  return { urn, name: parseUrn(urn).name, settings };
}

/** The names of the providers of this package that the program of a stack has declared. */
export async function providerNames(stack: PulumiStack): Promise<readonly string[]> {
  const names = providersIn(await stack.resources()).map(({ urn }) => parseUrn(urn).name);
  // Pulumi's own names of the default providers.
  return [...new Set(names)].filter((name) => !/^default(_|$)/.test(name)).sort();
}

/** What comes before the names of settings on the dynamic host: they are configuration of Pulumi's provider for Node.js. */
const DYNAMIC_PREFIX = `${CONFIGURATION_NAMESPACE}:`;

function providersIn(resources: readonly StackResource[]): readonly StackResource[] {
  return resources.filter(({ type, inputs = {}, delete: isReplaced }) => {
    const isDynamic = type === DYNAMIC_HOST.providerType;
    const isOurs = isDynamic && Object.keys(inputs).some((name) => name.startsWith(DYNAMIC_PREFIX));
    return !isReplaced && (isOurs || type === NATIVE_HOST.providerType);
  });
}

/** @throws UserError for an encrypted setting: to ignore it would silently use another source. */
function settingsIn(owner: string, read: (name: SettingName) => unknown): RawSettings {
  return settingsFrom((name) => {
    const value = read(name);
    if (typeof value !== "object" || value === null) return value;
    // A secret is an object. If it is decrypted, it contains the value as JSON.
    const { plaintext } = value as { plaintext?: unknown };
    if (typeof plaintext === "string") return parseJson(plaintext, `${name} of ${owner}`);
    throw new UserError(
      `${name} of ${owner} is encrypted and cannot be read here. Deploy the provider first.`,
    );
  });
}
