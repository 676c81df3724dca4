/** A stack that the Pulumi CLI can access: its configuration and the resources in its state. */
import { UserError } from "../../provider/errors";
import type { Properties } from "../../provider/lifecycle/properties";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import {
  plainKeyProblem,
  type RawSettings,
  type SettingName,
  settingsFrom,
  unknownSettingProblems,
} from "../../provider/session/settings";
import { uncapitalized } from "../../provider/values/phrases";
import { type Host, importableType } from "../objects/hosts";
import type { KindName } from "../objects/kinds";
import { parseJson } from "../terminal/json";
import { nameInUrn, STACK_TYPE, typeOf } from "./urn";

export interface StackResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** The URN of its parent. */
  readonly parent?: string;
  /** URN and id of its provider. */
  readonly provider?: string;
  /** Whether the stack only reads it and does not manage it. */
  readonly external?: boolean;
  /** Whether its deletion is pending. */
  readonly delete?: boolean;
}

export interface PulumiStack {
  readonly name: string;
  /** This package's settings in its configuration, read once. */
  settings(): Promise<RawSettings>;
  /** Its exported state, in which secrets are encrypted. */
  exportState(): Promise<unknown>;
  /** The resources in its state. Secrets are encrypted, and the state is read once, unless `showSecrets`. */
  resources(options?: { readonly showSecrets?: boolean }): Promise<StackResource[]>;
}

/**
 * The stack with this name.
 *
 * @param ask runs a command of the CLI on the stack. Its errors have messages for users.
 */
export function stackOf(name: string, ask: (...args: string[]) => Promise<string>): PulumiStack {
  async function json(action: string, ...args: string[]): Promise<unknown> {
    const subject = `${action} of stack ${name}`;
    const text = await ask(...args).catch((error: unknown) => {
      throw new UserError(`${subject} failed: ${(error as Error).message}`);
    });
    return parseJson(text, `The output of ${uncapitalized(subject)}`);
  }
  async function exportState(...args: string[]): Promise<unknown> {
    return await json("Reading the state", "stack", "export", ...args);
  }
  async function readSettings(): Promise<RawSettings> {
    const configuration = (await json(
      "Reading the configuration",
      "config",
      "--show-secrets",
      "--json",
    )) as Record<string, { value?: unknown; secret?: boolean }>;
    const problems = [
      // A project with the name of the service has settings of its own.
      ...unknownSettingProblems(Object.keys(configuration), { mayBeOthers: true }),
      ...(configuration[`${CONFIGURATION_NAMESPACE}:apiKey`]?.secret === false ? [plainKeyProblem()] : []),
    ];
    if (problems.length > 0) throw new UserError(problems.join("\n"));
    return settingsIn(`stack ${name}`, (name) => configuration[`${CONFIGURATION_NAMESPACE}:${name}`]?.value);
  }
  async function readResources(...args: string[]): Promise<StackResource[]> {
    const exported = (await exportState(...args)) as { deployment?: { resources?: StackResource[] } };
    return (exported.deployment?.resources ?? []).filter((resource) => !resource.delete);
  }
  // The CLI takes a second for each command, and a command may read several organizations with one stack.
  let settings: Promise<RawSettings> | undefined;
  let resources: Promise<StackResource[]> | undefined;
  return {
    name,
    exportState: () => exportState(),
    async settings() {
      settings ??= readSettings();
      return await settings;
    },
    async resources({ showSecrets = false } = {}) {
      if (showSecrets) return await readResources("--show-secrets");
      resources ??= readResources();
      return await resources;
    },
  };
}

/**
 * This package's settings in the configuration of a stack or a provider.
 *
 * @throws UserError for an encrypted setting: to ignore it would silently use another source.
 */
export function settingsIn(owner: string, read: (name: SettingName) => unknown): RawSettings {
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

/** A resource of this package with its object in the service. */
export interface StackObject {
  readonly kind: KindName;
  readonly host: Host;
  readonly uuid: string;
  readonly urn: string;
  /** The logical name. */
  readonly name: string;
  /** The URN of its provider; empty if it has none. */
  readonly provider: string;
  /** Whether the stack manages the object. If not, it only reads it, as `Project.get` does. */
  readonly isManaged: boolean;
}

/** The objects in a stack, as resources of any host. */
export function objectsIn(resources: readonly StackResource[]): readonly StackObject[] {
  return resources.flatMap((resource) => {
    const { type, id = "", urn, external } = resource;
    const known = importableType(type);
    if (known === undefined) return [];
    const [name, provider] = [nameInUrn(urn), providerUrnOf(resource)];
    return [{ ...known, uuid: id.toLowerCase(), urn, name, provider, isManaged: !external }];
  });
}

/** Whether a resource has no parent except the stack. */
export function isAtRoot({ parent }: StackResource): boolean {
  return parent === undefined || parent === "" || typeOf(parent) === STACK_TYPE;
}

/** The URN of a resource's provider; empty if it has none. */
export function providerUrnOf({ provider = "" }: StackResource): string {
  return provider.replace(/::[^:]*$/, "");
}
