/**
 * A stack of "things" for the tests of the engine. A test declares what the program registers, and reads which calls
 * the provider received.
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
import { type Processes, SEPARATE_PROCESSES } from "../../testing/engine/commands/processes";
import { findProgram } from "../../testing/engine/program/program";
import { createStack } from "../../testing/engine/testStack";
import { sharedProcess } from "../support/stacks/sharedProcess";

/** The directory of a test program. */
export function programPath(name: string): string {
  return join(__dirname, "programs", name);
}

/** A resource for the program to register. */
export interface Declared {
  readonly kind: "thing" | "get" | "provider" | "group" | "other";
  readonly name: string;
  readonly inputs?: Record<string, unknown>;
  readonly options?: Record<string, unknown>;
}

/** What the program does besides registering resources. */
export interface Rest {
  readonly outputs?: Record<string, unknown>;
  readonly log?: string;
  readonly fail?: string;
}

/** A thing. */
export function thing(
  name: string,
  inputs: Record<string, unknown> = {},
  options: Record<string, unknown> = {},
): Declared {
  return {
    kind: "thing",
    name,
    inputs: { label: name, ...inputs },
    options,
  };
}

/** A provider with a key. */
export function thingProvider(name: string, key: unknown, options: Record<string, unknown> = {}): Declared {
  return {
    kind: "provider",
    name,
    inputs: { key },
    options,
  };
}

/** A component. */
export function group(name: string, options: Record<string, unknown> = {}): Declared {
  return {
    kind: "group",
    name,
    options,
  };
}

/** The option of a resource with an explicit provider. */
export function by(provider: string) {
  return { provider: { resource: provider } };
}

/** The option of a resource with a parent. */
export function inside(parent: string) {
  return { parent: { resource: parent } };
}

/** An input with another thing's handle. A change of `owner` replaces the thing, a change of `note` does not. */
export function note(name: string) {
  return { note: { output: `${name}.handle` } };
}

export function owner(name: string) {
  return { owner: { output: `${name}.handle` } };
}

/** The failure of a command that must fail. */
export async function failure(command: Promise<unknown>): Promise<StackFailure> {
  const error = await command.then(
    () => new Error("The command succeeded."),
    (reason: unknown) => reason,
  );
  if (error instanceof StackFailure) return error;
  throw error;
}

/** The errors of a failed command, with the names of their resources. */
export function errorsOf({ result }: StackFailure): string[] {
  return result.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ urn, message }) => (urn ? `${urn.split("::").at(-1)}: ${message}` : message));
}

/** The steps of a command in short form, such as `create a`. */
export function stepsOf({ steps }: TestResult): string[] {
  return steps
    .filter(({ type }) => type.endsWith(":Thing"))
    .map(({ operation, name }) => `${operation} ${name}`);
}

/** A stack of things. */
export interface ThingStack extends TestStack {
  /** Sets what the program registers, from the next command on. */
  declare(resources: readonly Declared[], rest?: Rest): void;
  /** The calls that the provider has received since the last call of this method, such as `create a-1`. */
  calls(): string[];
  /** The directory of the things. */
  readonly directory: string;
}

/** The URN of a thing. */
export function thingUrn(name: string, parents = ""): string {
  return `urn:pulumi:test::things::${parents}pulumi-nodejs:dynamic/things:Thing::${name}`;
}

/** Creates a stack of things as users run it. The test closes it. */
export async function thingStack(options?: Partial<TestStackOptions>): Promise<ThingStack> {
  return await stackOfThings(options, testStack);
}

/**
 * Creates stacks of things for the tests of a file. Programs that only register resources share a process, which loads
 * Pulumi's SDK once; loading it takes half of the processor time of a command. All others, and all hosts, have one of
 * their own, as users' have.
 */
export function thingStacks(): typeof thingStack {
  const shared = sharedProcess();
  const processes: Processes = {
    ...SEPARATE_PROCESSES,
    startProgram(request) {
      const { resources: _, ...rest } = JSON.parse(request.environment.DECLARED ?? "{}") as Partial<Rest> & {
        readonly resources?: unknown;
      };
      return (Object.keys(rest).length === 0 ? shared : SEPARATE_PROCESSES).startProgram(request);
    },
  };
  return async (options) =>
    await stackOfThings(options, ({ program, project, ...others }) =>
      createStack({ ...others, program: findProgram(program, project) }, processes),
    );
}

async function stackOfThings(
  options: Partial<TestStackOptions> = {},
  create: (options: TestStackOptions) => TestStack | Promise<TestStack>,
): Promise<ThingStack> {
  const directory = mkdtempSync(join(tmpdir(), "things-"));
  const environment = { THINGS: directory, ...options.environment };
  const stack = await create({ program: programPath("things"), ...options, environment });
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

/** Resolves when the provider has received a call. Until then, its host needs the processor. */
export async function called(stack: ThingStack, call: string): Promise<void> {
  while (!readCalls(stack.directory).includes(call)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The calls that the provider of things has received, from its log. */
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
      // The last line may be incomplete.
      .slice(0, -1)
      .map((line) => {
        const { method, id, label, key } = JSON.parse(line) as Record<string, string | null>;
        return [method, id, method === "check" ? label : undefined, key]
          .filter((part) => part !== undefined)
          .join(" ");
      })
  );
}
