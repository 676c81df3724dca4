/** A stack on the test engine whose program is data. Program and hosts run in this process or in separate ones. */

import { DYNAMIC_HOST, type Host } from "../../../provider/hosts/hosts";
import type { ImportFile } from "../../../provider/hosts/importFileFormat";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { Declared, IdOf, Kind } from "../../../provider/resources/examples";
import { StackFailure, type TestResult, type TestStack, type UpdateOptions } from "../../../testing/engine";
import type { Diagnostic } from "../../../testing/engine/protocol/monitor";
import { createUrn, isProviderType, STACK_TYPE } from "../../../testing/engine/protocol/urn";
import type { ResourceState } from "../../../testing/engine/state/snapshot";
import type { Deployment } from "../../../testing/engine/state/stateFile";

export type { Declared, IdOf, Kind };

/** A resource that a program declares. A property may be the id of a resource declared before it. */
export interface Declaration {
  readonly kind: Kind;
  readonly name: string;
  readonly properties: Readonly<Record<string, Declared>>;
  /** The option `import`. */
  readonly adopt?: string;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly replaceOnChanges?: readonly string[];
  readonly ignoreChanges?: readonly string[];
  /** How many times an error hook has the engine call a failed operation again. Default: no hook. */
  readonly retries?: number;
  /** The former identities of the resource. */
  readonly aliases?: readonly ResourceIdentity[];
  /** The logical name of its parent component. Default: none. */
  readonly component?: string;
  /** The logical name of an explicit provider with the same settings. Default: the default provider. */
  readonly provider?: string;
}
/** What the URN of a resource is made of. */
export type ResourceIdentity = Pick<Declaration, "kind" | "name" | "component">;
/** Whether a property is the id of another resource. */
export function isIdOf(value: Declared): value is IdOf {
  return typeof value === "object" && value !== null && "idOf" in value;
}

/** The result of a command. */
export interface Outcome {
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: Readonly<Record<string, number | undefined>>;
}

/** The error messages of a command that must have failed. */
export function errorOf({ failed, diagnostics }: Outcome): string {
  expect(failed).toBe(true);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
    .join("\n");
}

/** A stack of declarations. */
export interface DeclaredStack {
  up(declarations: readonly Declaration[], options?: UpdateOptions): Promise<Outcome>;
  preview(declarations: readonly Declaration[], options?: UpdateOptions): Promise<Outcome>;
  refresh(): Promise<Outcome>;
  destroy(): Promise<Outcome>;
  importFile(file: ImportFile): Promise<Outcome>;
  /** Ends the running command as Ctrl-C does. */
  cancel(): void;
  /** Kills the provider hosts of the running command. */
  killHosts(): void;
  /** Ends the running command as a crash of the machine does. */
  crash(): void;
  /** The resources of providers in the state. */
  readonly resources: readonly ResourceState[];
  /** The providers in the state. */
  readonly providers: readonly ResourceState[];
  /** The URNs of resources with a pending operation. */
  pending(type: "creating" | "deleting"): readonly string[];
  /** Clears the pending operations, as a user does after checking them. */
  clearPending(): void;
  stateText(): string;
  close(): Promise<void>;
}

/** The settings of every such stack. */
export interface StackSettings {
  /** Returns the additional environment variables. Called before each command. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, string>>;
  /** The host of its resources. Default: that of dynamic resources. */
  readonly host?: Host;
}

/** Stores the program of a stack. */
export interface ProgramStore {
  set(declarations: readonly Declaration[]): void;
  remove(): void;
}

/** The commands of a stack on the test engine whose program is data. */
export function declaredStack(
  stack: TestStack,
  environment: StackSettings["environment"],
  program: ProgramStore,
): DeclaredStack {
  /** The state since the last command. Exporting it copies it, and callers ask for it often. */
  let exported: Deployment["deployment"] | undefined;
  const stored = () => {
    exported ??= stack.exportState().deployment;
    return exported;
  };

  async function outcomeOf(command: () => Promise<TestResult>): Promise<Outcome> {
    stack.setEnvironment({ DYNAMICLINK_READ_ONLY: undefined, ...environment() });
    try {
      return { failed: false, ...(await command()) };
    } catch (error) {
      if (error instanceof StackFailure) return { failed: true, ...error.result };
      throw error;
    } finally {
      exported = undefined;
    }
  }

  return {
    async up(declarations, options) {
      program.set(declarations);
      return await outcomeOf(() => stack.up(options));
    },
    async preview(declarations, options) {
      program.set(declarations);
      return await outcomeOf(() => stack.preview(options));
    },
    refresh: async () => await outcomeOf(() => stack.refresh()),
    destroy: async () => await outcomeOf(() => stack.destroy()),
    importFile: async (file) => await outcomeOf(() => stack.importFile(file, { protect: false })),
    cancel: () => stack.cancel(),
    killHosts: () => stack.killHosts(),
    crash: () => stack.crash(),
    get resources() {
      return (stored().resources ?? []).filter(isManaged);
    },
    get providers() {
      return (stored().resources ?? []).filter(({ type }) => isProviderType(type));
    },
    pending: (wanted) =>
      (stored().pending_operations ?? [])
        .filter(({ type }) => type === wanted)
        .map(({ resource }) => resource.urn),
    clearPending() {
      const { version, deployment } = stack.exportState();
      stack.importState({ version, deployment: { ...deployment, pending_operations: [] } } as Deployment);
      exported = undefined;
    },
    stateText: () => JSON.stringify(stack.exportState()),
    async close() {
      await stack.close();
      program.remove();
    },
  };
}

/** The identity of all such stacks. */
export const IDENTITY = { project: "declared", stack: "test" };
export const STACK_NAME = `${IDENTITY.project}-${IDENTITY.stack}`;
export const STACK_URN = createUrn(IDENTITY, STACK_TYPE, STACK_NAME);

/** The type of components. */
export const COMPONENT_TYPE = "declared:index:Group";

/** The URN of a component. */
export function componentUrn(name: string): string {
  return createUrn(IDENTITY, COMPONENT_TYPE, name, STACK_URN);
}

/** The URN of a resource. */
export function urnOf({ kind, name, component }: ResourceIdentity, host = DYNAMIC_HOST): string {
  const parent = component === undefined ? STACK_URN : componentUrn(component);
  return createUrn(IDENTITY, host.typeToken(DESCRIPTIONS[kind]), name, parent);
}

/** The logical names of the components or providers of the declarations, without duplicates. */
export function namesOf(declarations: readonly Declaration[], option: "component" | "provider"): string[] {
  return [...new Set(declarations.map((one) => one[option]))].filter((name) => name !== undefined);
}

/** The name of the error hook with that number of retries. */
export function hookName(retries: number): string {
  return `retry${retries}`;
}

/** The numbers of retries of the declarations, without duplicates. */
export function retriesOf(declarations: readonly Declaration[]): number[] {
  return [...new Set(declarations.map(({ retries }) => retries))].filter((retries) => retries !== undefined);
}

/** Whether a provider manages the resource: it is neither a component nor a provider. */
export function isManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}
