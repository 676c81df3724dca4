/**
 * A stack of "things" for the tests of the engine: what the program registers is written in the test, and what the
 * provider was asked can be read.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  StackFailure,
  type TestResult,
  type TestStack,
  type TestStackOptions,
  testStack,
} from "../../testing/engine";

/** The directory of a test program. */
export const programPath = (name: string): string => join(__dirname, "programs", name);

/** A resource that the program is to register. */
export interface Declared {
  kind: "thing" | "get" | "provider" | "group" | "other";
  name: string;
  inputs?: Record<string, unknown>;
  options?: Record<string, unknown>;
}

/** What the program is to do besides registering resources. */
export interface Rest {
  outputs?: Record<string, unknown>;
  log?: string;
  fail?: string;
}

/** A thing, by its name, its inputs and its options. */
export const thing = (
  name: string,
  inputs: Record<string, unknown> = {},
  options: Record<string, unknown> = {},
): Declared => ({
  kind: "thing",
  name,
  inputs: { label: name, ...inputs },
  options,
});

/** A provider with a key. */
export const thingProvider = (
  name: string,
  key: unknown,
  options: Record<string, unknown> = {},
): Declared => ({
  kind: "provider",
  name,
  inputs: { key },
  options,
});

/** A component. */
export const group = (name: string, options: Record<string, unknown> = {}): Declared => ({
  kind: "group",
  name,
  options,
});

/** The option of a resource that another one manages. */
export const by = (provider: string) => ({ provider: { resource: provider } });

/** The option of a resource that stands under another one. */
export const inside = (parent: string) => ({ parent: { resource: parent } });

/** An input that takes another thing's handle. A change of `owner` replaces, one of `note` does not. */
export const note = (name: string) => ({ note: { output: `${name}.handle` } });
export const owner = (name: string) => ({ owner: { output: `${name}.handle` } });

/** Awaits a command that has to fail. */
export async function failure(command: Promise<unknown>): Promise<StackFailure> {
  const error = await command.then(
    () => new Error("The command succeeded."),
    (reason: unknown) => reason,
  );
  if (error instanceof StackFailure) return error;
  throw error;
}

/** The errors among the messages of a failed command, with the names of their resources. */
export const errorsOf = ({ result }: StackFailure): string[] =>
  result.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ urn, message }) => (urn ? `${urn.split("::").at(-1)}: ${message}` : message));

/** The steps of a command in short form, such as `create a`. */
export const stepsOf = ({ steps }: TestResult): string[] =>
  steps.filter(({ type }) => type.endsWith(":Thing")).map(({ operation, name }) => `${operation} ${name}`);

/** A stack of things. */
export interface ThingStack extends TestStack {
  /** What the program registers from the next command on. */
  declare(resources: Declared[], rest?: Rest): void;
  /** The calls that the provider got since the last look, such as `create a-1`. */
  calls(): string[];
  /** The directory of the things. */
  directory: string;
}

/** The URN of a thing. */
export const thingUrn = (name: string, parents = ""): string =>
  `urn:pulumi:test::things::${parents}pulumi-nodejs:dynamic/things:Thing::${name}`;

/** Makes a stack of things, to be closed by the test. */
export async function thingStack(options: Partial<TestStackOptions> = {}): Promise<ThingStack> {
  const directory = mkdtempSync(join(tmpdir(), "things-"));
  const environment = { THINGS: directory, ...options.environment };
  const stack = await testStack({ program: programPath("things"), ...options, environment });
  let seen = 0;
  return {
    ...stack,
    directory,
    declare: (resources, rest = {}) =>
      stack.setEnvironment({ ...environment, DECLARED: JSON.stringify({ resources, ...rest }) }),
    calls: () => {
      const lines = readCalls(directory);
      const fresh = lines.slice(seen);
      seen = lines.length;
      return fresh;
    },
    close: async () => {
      await stack.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The calls that the provider of things got, from its log. */
export function readCalls(directory: string): string[] {
  let text = "";
  try {
    text = readFileSync(join(directory, "calls.jsonl"), "utf8");
  } catch {
    return [];
  }
  return (
    text
      .split("\n")
      // The last line may be half written.
      .slice(0, -1)
      .map((line) => {
        const { method, id, label, key } = JSON.parse(line) as Record<string, string | null>;
        return [method, id, method === "check" ? label : undefined, key]
          .filter((part) => part !== undefined)
          .join(" ");
      })
  );
}
