/** A stack on the test engine whose program is data, whether its hosts are in this process or in their own. */

import type { ImportFile } from "../../provider/hosts/dynamic/importFile";
import { typeToken } from "../../provider/hosts/dynamic/names";
import { DESCRIPTIONS } from "../../provider/resources";
import { registeredOptions } from "../../sdk/resource";
import { StackFailure, type TestResult, type TestStack } from "../../testing/engine";
import type { Deployment, ResourceState } from "../../testing/engine/deployment";
import type { Diagnostic } from "../../testing/engine/monitor";
import { createUrn, isProviderType, STACK_TYPE } from "../../testing/engine/names";

/** The name of a resource's class. */
export type Kind = keyof typeof DESCRIPTIONS;

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
  /** Where the resource was before. */
  readonly aliases?: readonly ResourceIdentity[];
  /** The logical name of the component that it is in. Default: none. */
  readonly component?: string;
  /** The logical name of an explicit provider with the same settings. Default: the default provider. */
  readonly provider?: string;
}
/** What the URN of a resource is made of. */
export type ResourceIdentity = Pick<Declaration, "kind" | "name" | "component">;
export type Declared = string | number | boolean | readonly string[] | IdOf | { [name: string]: Declared };
/** Stands for the id of the resource of that logical name. */
export interface IdOf {
  readonly idOf: string;
}

/** Whether a property is the id of another resource. */
export function isIdOf(value: Declared): value is IdOf {
  return typeof value === "object" && "idOf" in value;
}

/** What a command did. */
export interface Outcome {
  readonly failed: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: Readonly<Record<string, number | undefined>>;
}

/** The errors of a command that must have failed. */
export function errorOf({ failed, diagnostics }: Outcome): string {
  expect(failed).toBe(true);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
    .join("\n");
}

/** A stack of declarations. */
export interface DeclaredStack {
  /** `replace` holds URNs to replace, changed or not. */
  up(declarations: readonly Declaration[], replace?: readonly string[]): Promise<Outcome>;
  preview(declarations: readonly Declaration[], replace?: readonly string[]): Promise<Outcome>;
  refresh(): Promise<Outcome>;
  destroy(): Promise<Outcome>;
  importFile(file: ImportFile): Promise<Outcome>;
  /** Kills the hosts of the running command. */
  kill(): void;
  /** The resources of providers in the state. */
  readonly resources: readonly ResourceState[];
  /** The URNs of resources whose creation was begun and of which no end is known. */
  readonly pending: readonly string[];
  /** Forgets operations of which no end is known, as a person does who has looked. */
  clearPending(): void;
  stateText(): string;
  close(): Promise<void>;
}

/** What every such stack is set up with. */
export interface StackSettings {
  /** The variables laid over the environment, asked for before each command. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, string>>;
}

/** Where the program of a stack is kept. */
export interface ProgramStore {
  set(declarations: readonly Declaration[]): void;
  remove(): void;
}

/** The commands of a stack on the test engine, for programs that are data. */
export function declaredStack(
  stack: TestStack,
  environment: StackSettings["environment"],
  program: ProgramStore,
): DeclaredStack {
  const stored = () => stack.exportState().deployment;

  async function outcomeOf(command: () => Promise<TestResult>): Promise<Outcome> {
    stack.setEnvironment({ DYNAMICLINK_READ_ONLY: undefined, ...environment() });
    try {
      return { failed: false, ...(await command()) };
    } catch (error) {
      if (error instanceof StackFailure) return { failed: true, ...error.result };
      throw error;
    }
  }

  return {
    async up(declarations, replace = []) {
      program.set(declarations);
      return await outcomeOf(() => stack.up({ replace }));
    },
    async preview(declarations, replace = []) {
      program.set(declarations);
      return await outcomeOf(() => stack.preview({ replace }));
    },
    refresh: async () => await outcomeOf(() => stack.refresh()),
    destroy: async () => await outcomeOf(() => stack.destroy()),
    importFile: async (file) => await outcomeOf(() => stack.importFile(file, { protect: false })),
    kill: () => stack.killHosts(),
    get resources() {
      return (stored().resources ?? []).filter(isManaged);
    },
    get pending() {
      return (stored().pending_operations ?? [])
        .filter(({ type }) => type === "creating")
        .map(({ resource }) => resource.urn);
    },
    clearPending() {
      const { version, deployment } = stack.exportState();
      stack.importState({ version, deployment: { ...deployment, pending_operations: [] } } as Deployment);
    },
    stateText: () => JSON.stringify(stack.exportState()),
    async close() {
      await stack.close();
      program.remove();
    },
  };
}

/** Where all such stacks are. */
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
export function urnOf({ kind, name, component }: ResourceIdentity): string {
  const parent = component === undefined ? STACK_URN : componentUrn(component);
  return createUrn(IDENTITY, typeToken(DESCRIPTIONS[kind]), name, parent);
}

/** The options that the resource's class registers. */
export function optionsOf({ name, adopt, ...options }: Declaration) {
  const { protect, retainOnDelete } = registeredOptions(name, {
    ...(adopt !== undefined && { import: adopt }),
    ...(options.protect !== undefined && { protect: options.protect }),
    ...(options.retainOnDelete !== undefined && { retainOnDelete: options.retainOnDelete }),
  });
  return { protect, retainOnDelete };
}

/** The logical names of what the declarations are in, or are managed by, each once. */
export function namesOf(declarations: readonly Declaration[], option: "component" | "provider"): string[] {
  return [...new Set(declarations.map((one) => one[option]))].filter((name) => name !== undefined);
}

/** Whether a resource in the state is a provider's to manage, not a provider or a component. */
export function isManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}
