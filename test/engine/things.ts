/**
 * A stack of "things" for the tests of the engine. A test declares what the program registers, and reads which calls
 * the provider received.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StackFailure, type TestResult, type TestStackOptions } from "../../testing/engine";
import { type Processes, SEPARATE_PROCESSES } from "../../testing/engine/commands/processes";
import { findProgram } from "../../testing/engine/program/program";
import { createStack } from "../../testing/engine/testStack";
import { directoryWith } from "../release/package/programs";
import { until } from "../support/processes/until";
import { inProcessProviders } from "../support/providers/inProcessProviders";
import { sharedProcess } from "../support/stacks/sharedProcess";
import { errorOf } from "../support/values/errorOf";

const { thingsIn } = require("./programs/things/provider.cjs");

export function programPath(name: string): string {
  return join(__dirname, "programs", name);
}

export interface Declared {
  readonly kind: "thing" | "get" | "provider" | "group" | "other";
  readonly name: string;
  readonly inputs?: Values;
  readonly options?: Values;
}

/** What the program does besides registering resources. */
export interface Rest {
  readonly outputs?: Values;
  readonly log?: string;
  readonly fail?: string;
}

type Values = Record<string, unknown>;

export function thing(name: string, inputs: Values = {}, options: Values = {}): Declared {
  return { kind: "thing", name, inputs: { label: name, ...inputs }, options };
}

export function provider(name: string, key: unknown, options: Values = {}): Declared {
  return { kind: "provider", name, inputs: { key }, options };
}

export function group(name: string, options: Values = {}): Declared {
  return { kind: "group", name, options };
}

/** The option of a resource with an explicit provider. */
export function by(provider: string) {
  return { provider: { resource: provider } };
}

/** The option of a resource with a parent. */
export function inside(parent: string) {
  return { parent: { resource: parent } };
}

/** The option of a resource that another one precedes. */
export function after(name: string) {
  return { dependsOn: [{ resource: name }] };
}

/** An input with another thing's handle. A change of `owner` replaces the thing, a change of `note` does not. */
export function note(name: string) {
  return { note: { output: `${name}.handle` } };
}

export function owner(name: string) {
  return { owner: { output: `${name}.handle` } };
}

/** The failure of a command that must fail. */
export function failure(command: Promise<unknown>): Promise<StackFailure> {
  return errorOf(command, StackFailure);
}

/** The errors of a failed command, with the names of their resources. */
export function errorsOf({ result }: StackFailure): string[] {
  return result.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ urn, message }) => (urn ? `${urn.split("::").at(-1)}: ${message}` : message));
}

/** The steps of a command in short form, such as `create a`. */
export function stepsOf({ steps }: TestResult): string[] {
  const ofThings = steps.filter(({ type }) => type.endsWith(":Thing"));
  return ofThings.map(({ operation, name }) => `${operation} ${name}`);
}

export type ThingStack = ReturnType<typeof thingStack>;

export function urnOf(name: string, parents = ""): string {
  return `urn:pulumi:test::things::${parents}${THING}::${name}`;
}

/** Creates a stack of things as users run it: program and hosts have processes of their own. The test closes it. */
export function thingStack(options: Partial<TestStackOptions> = {}, processes = SEPARATE_PROCESSES) {
  const { path: directory, remove } = directoryWith({});
  const environment = { THINGS: directory, ...options.environment };
  const program = findProgram(programPath("things"));
  const stack = createStack({ ...options, environment, program }, processes);
  const calls = callReader(directory);
  /** Sets what the program registers, from the next command on. */
  function declare(resources: readonly Declared[], rest: Rest = {}): void {
    calls();
    stack.setEnvironment({ ...environment, DECLARED: JSON.stringify({ resources, ...rest }) });
  }
  return {
    ...stack,
    /** The directory of the things. */
    directory,
    declare,
    deploy(resources: readonly Declared[], rest?: Rest) {
      declare(resources, rest);
      return stack.up();
    },
    /** The provider's calls since the last declaration and the last call of this method, such as `create a-1`. */
    calls,
    /** The resources in the state, with plain secrets. */
    get resources() {
      return stack.exportState({ showSecrets: true }).deployment.resources ?? [];
    },
    /** A thing in the state, by its name and, as in its URN, the types of its parents. */
    stateOf(name: string, parents?: string) {
      return this.resources.find(({ urn }) => urn === urnOf(name, parents));
    },
    close: async () => {
      await stack.close();
      remove();
    },
  };
}

/** Hosts in this process. */
const IN_PROCESS: Partial<Processes> = {
  startHost: inProcessProviders({ providerOf: (_, { THINGS }) => thingsIn(THINGS) }).startHost,
};

/** Hosts in processes of their own. */
export const OWN_HOSTS: Partial<Processes> = {};

/**
 * Stacks of things for the tests of a file, which are closed after each test: `stack`, a new one for each test, and others.
 * By default, their hosts are in this process. Programs that neither print nor fail share one.
 */
export function openStacks() {
  const programs = sharedProcess();
  afterAll(programs.close);
  const separate: Processes = {
    ...SEPARATE_PROCESSES,
    startProgram(request) {
      const { log, fail } = JSON.parse(request.environment.DECLARED ?? "{}") as Rest;
      const { startProgram } = (log ?? fail) === undefined ? programs : SEPARATE_PROCESSES;
      return startProgram(request);
    },
  };
  const open: ThingStack[] = [];
  let ofTest: ThingStack | undefined;
  afterEach(async () => {
    ofTest = undefined;
    for (const stack of open.splice(0)) await stack.close();
  });

  function newStack(options?: Partial<TestStackOptions>, processes = IN_PROCESS): ThingStack {
    const stack = thingStack(options, { ...separate, ...processes });
    open.push(stack);
    return stack;
  }
  const stack = new Proxy({} as ThingStack, {
    get(_, name) {
      ofTest ??= newStack();
      return Reflect.get(ofTest, name);
    },
  });
  return { stack, newStack };
}

/** Changes a thing outside Pulumi. */
export function tamper(directory: string, id: string, properties: Values): void {
  const file = join(directory, `${id}.json`);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...properties }));
}

export function vanish(directory: string, id: string): void {
  rmSync(join(directory, `${id}.json`));
}

const THING = "pulumi-nodejs:dynamic/things:Thing";

/** Resolves when the provider has received a call. Until then, its host needs the processor. */
export async function called(stack: ThingStack, call: string): Promise<void> {
  await until(
    () => readCalls(stack.directory).includes(call),
    () => `The provider has not received the call ${call}, but: ${readCalls(stack.directory).join(", ")}.`,
  );
}

/** Reads the calls that the provider of things has received since the last reading. */
export function callReader(directory: string): () => string[] {
  let seen = 0;
  return () => {
    const lines = readCalls(directory);
    const fresh = lines.slice(seen);
    seen = lines.length;
    return fresh;
  };
}

function readCalls(directory: string): string[] {
  const file = join(directory, "calls.jsonl");
  // The last line may be incomplete.
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((line) => {
    const { method, id, label, key } = JSON.parse(line) as Record<string, string | null>;
    const parts = [method, id, method === "check" ? label : undefined, key];
    return parts.filter((part) => part !== undefined).join(" ");
  });
}
