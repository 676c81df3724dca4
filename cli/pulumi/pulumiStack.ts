/** The Pulumi CLI and its stacks: reads configuration and state, and runs imports. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { gte, parse, type SemVer } from "semver";
import { UserError } from "../../provider/lifecycle/errors";
import type { Properties } from "../../provider/lifecycle/properties";
import { CONFIGURATION_NAMESPACE, READ_ONLY_VARIABLE } from "../../provider/session/service";
import { type RawSettings, SETTING_NAMES, type SettingName } from "../../provider/session/settings";
import type { Console } from "../terminal/console";
import { parseJson } from "../terminal/readText";
import { FIRST_CLI_VERSION } from "./importFile";

/** A resource in a stack's state. */
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

/** A stack that the Pulumi CLI can access. */
export interface PulumiStack {
  readonly name: string;
  /** This package's settings in its configuration, read once. */
  settings(): Promise<RawSettings>;
  /** Its exported state, in which secrets are encrypted. */
  exportState(): Promise<unknown>;
  /** The resources in its state. Secrets are encrypted, and the state is read once, unless `showSecrets`. */
  resources(options?: { readonly showSecrets?: boolean }): Promise<StackResource[]>;
}

/** The Pulumi CLI on PATH. */
export interface PulumiCli {
  readonly version: SemVer;
  /** Whether it reads inputs and outputs from an import file. */
  readonly importsOutputs: boolean;
  /** Opens the stack with this name, by default the selected one. Returns the reason if there is none. */
  openStack(options: {
    readonly stack?: string | undefined;
    readonly cwd?: string | undefined;
  }): Promise<PulumiStack | string>;
  /** Runs an interactive command. @returns its exit code */
  run(args: readonly string[]): Promise<number>;
}

/** Finds the Pulumi CLI on PATH. */
export async function findPulumi(console: Console): Promise<PulumiCli | undefined> {
  // With readOnly, checks require no write scopes, so a read-only key suffices.
  const env = { ...console.environment, [READ_ONLY_VARIABLE]: "1", PULUMI_SKIP_UPDATE_CHECK: "true" };

  async function output(args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("pulumi", args, {
      env,
      maxBuffer: MAX_STATE_MEBIBYTES * 1024 * 1024,
    });
    return stdout;
  }

  const version = await output(["version"]).then(
    (text) => parse(text.trim()),
    () => null,
  );
  if (version === null) return undefined;
  return {
    version,
    importsOutputs: gte(version, FIRST_CLI_VERSION),
    async openStack({ stack, cwd }) {
      const place = [
        ...(stack === undefined ? [] : ["--stack", stack]),
        ...(cwd === undefined ? [] : ["--cwd", cwd]),
      ];
      const ask = async (...args: string[]) => await output([...args, ...place, "--non-interactive"]);
      try {
        const name = (await ask("stack", "--show-name")).trim();
        return stackOf(name, ask);
      } catch (error) {
        return messageOf(error);
      }
    },
    async run(args) {
      // Its output is not this command's result, so it goes to stderr. A terminal is inherited for prompts.
      const stream = console.stderr === process.stderr ? process.stderr : "pipe";
      const child = spawn("pulumi", args, { env, stdio: ["inherit", stream, stream] });
      child.stdout?.pipe(console.stderr, { end: false });
      child.stderr?.pipe(console.stderr, { end: false });
      const [code] = (await once(child, "close")) as [number | null];
      return code ?? 1;
    },
  };
}

/** More than any state has, and less than the maximum length of a string in Node.js. */
export const MAX_STATE_MEBIBYTES = 256;

function stackOf(name: string, ask: (...args: string[]) => Promise<string>): PulumiStack {
  async function json(action: string, ...args: string[]): Promise<unknown> {
    const subject = `${action} of stack ${name}`;
    const text = await ask(...args).catch((error: unknown) => {
      throw new UserError(`${subject} failed: ${messageOf(error)}`);
    });
    return parseJson(text, `The output of ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`);
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
    )) as Record<string, { value?: unknown }>;
    return settingsIn(`stack ${name}`, (name) => configuration[`${CONFIGURATION_NAMESPACE}:${name}`]?.value);
  }
  async function readResources(...args: string[]): Promise<StackResource[]> {
    const exported = (await exportState(...args)) as { deployment?: { resources?: StackResource[] } };
    return (exported.deployment?.resources ?? []).filter((resource) => !resource.delete);
  }
  // The CLI takes a second for each answer, and a command may read several organizations with one stack.
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
export function settingsIn(owner: string, lookUp: (name: SettingName) => unknown): RawSettings {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const value = lookUp(name);
      if (typeof value !== "object" || value === null) return [name, value];
      // A secret is an object. If it is decrypted, it contains the value as JSON.
      const { plaintext } = value as { plaintext?: unknown };
      if (typeof plaintext === "string") return [name, parseJson(plaintext, `${name} of ${owner}`)];
      throw new UserError(
        `${name} of ${owner} is encrypted and cannot be read here. Deploy the provider first.`,
      );
    }),
  );
}

/** The last part of a URN: the logical name. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The name of the Pulumi project in a URN. */
export function projectOf(urn: string): string {
  return urn.split("::")[1] ?? "";
}

/** The type in a URN, without those of its parents. */
export function typeOf(urn: string): string {
  return (urn.split("::")[2] ?? "").replace(/^.*\$/, "");
}

/** The type of the resource of a stack, the root of all others. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/** Whether a resource has no parent except the stack. */
export function isAtRoot({ parent }: StackResource): boolean {
  return parent === undefined || parent === "" || typeOf(parent) === STACK_TYPE;
}

/** The URN of a resource's provider; empty if it has none. */
export function providerUrnOf({ provider = "" }: StackResource): string {
  return provider.replace(/::[^:]*$/, "");
}

/** Whether a provider is one that Pulumi creates for the resources without an explicit one. */
export function isDefaultProvider(urn: string): boolean {
  return nameOf(urn).startsWith("default");
}

/** The error message of a failed CLI command, without the command line. */
function messageOf(error: unknown): string {
  const { code, stderr = "", message = "" } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return `it has more than ${MAX_STATE_MEBIBYTES} MiB, the limit of this command. Run it without the stack, with --api-url.`;
  }
  const text = /^error: (.*)$/m.exec(stderr)?.[1] ?? (stderr.trim() || message);
  return text.replace(/[.\s]*$/, ".");
}
