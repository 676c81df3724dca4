/** A stack on the test engine whose program is data. Program and hosts run in this process. */

import { providerText } from "../../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { UNKNOWN_VALUE } from "../../../provider/hosts/values";
import { DESCRIPTIONS } from "../../../provider/resources";
import { withProtections } from "../../../sdk/resourceClass";
import type { Emulator } from "../../../testing/emulator";
import { StackFailure, type TestResult, type UpdateOptions } from "../../../testing/engine";
import { STRIPPING_RUNTIME } from "../../../testing/engine/program/nodeRuntime";
import type { Program, ProgramRequest } from "../../../testing/engine/program/program";
import { EMPTY_GOAL, type Goal } from "../../../testing/engine/protocol/goal";
import type { Diagnostic, MonitorHandlers } from "../../../testing/engine/protocol/monitor";
import {
  createUrn,
  isProviderType,
  providerReference,
  STACK_TYPE,
} from "../../../testing/engine/protocol/urn";
import type { Properties } from "../../../testing/engine/protocol/values";
import type { ResourceState } from "../../../testing/engine/state/snapshot";
import type { Deployment } from "../../../testing/engine/state/stateFile";
import { createStack } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";
import { type InProcessOptions, instantClock } from "../providers/inProcessSurrogate";
import type { Declared, IdOf, Kind } from "../values/resourceExamples";

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
  /** Ends the running command as Ctrl-C does. */
  cancel(): void;
  /** Kills the provider hosts of the running command. */
  killHosts(): void;
  /** Ends the running command as a crash of the machine does. */
  crash(): void;
  /** The resources of providers in the state. */
  readonly resources: readonly ResourceState[];
  /** The URNs of resources with a pending operation. */
  pending(type: "creating" | "deleting"): readonly string[];
  /** Clears the pending operations, as a user does after checking them. */
  clearPending(): void;
  urnOf(resource: ResourceIdentity): string;
  /** Removes a resource from the state, as `pulumi state delete` does. */
  forget(resource: ResourceIdentity): void;
  stateText(): string;
  close(): Promise<void>;
}

/** The settings of every such stack. */
export interface StackSettings {
  /** Returns the additional environment variables. Called before each command. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** The configuration. Read before each command. */
  readonly config: Readonly<Record<string, string>>;
  /** The host of its resources. Default: that of dynamic resources. */
  readonly host?: Host;
}

/** The identity of all such stacks. */
const IDENTITY = { project: "declared", stack: "test" };
const STACK_NAME = `${IDENTITY.project}-${IDENTITY.stack}`;
const STACK_URN = createUrn(IDENTITY, STACK_TYPE, STACK_NAME);

/** The type of components. */
const COMPONENT_TYPE = "declared:index:Group";

/** The URN of a component. */
function componentUrn(name: string): string {
  return createUrn(IDENTITY, COMPONENT_TYPE, name, STACK_URN);
}

/** The URN of a resource. */
export function urnOf({ kind, name, component }: ResourceIdentity, host = DYNAMIC_HOST): string {
  const parent = component === undefined ? STACK_URN : componentUrn(component);
  return createUrn(IDENTITY, host.typeToken(DESCRIPTIONS[kind]), name, parent);
}

/** The logical names of the components or providers of the declarations, without duplicates. */
function namesOf(declarations: readonly Declaration[], option: "component" | "provider"): string[] {
  return [...new Set(declarations.map((one) => one[option]))].filter((name) => name !== undefined);
}

/** Whether a provider manages the resource: it is neither a component nor a provider. */
function isManaged({ custom, type }: ResourceState): boolean {
  return custom && !isProviderType(type);
}

const PARALLEL = 8;

/** There is no file, because the program is data, and the plugin runs in this process. */
const PROGRAM: Program = {
  directory: "",
  main: "",
  root: "",
  project: IDENTITY.project,
  plugins: new Map([[NATIVE_HOST.pulumiPackage, ""]]),
  runtime: STRIPPING_RUNTIME,
};

/**
 * Creates a stack whose program and hosts run in this process: hundreds of commands a minute, on a clock on which waits take
 * no time. The calls of the engine, the responses of the provider and the effects of a killed host are the same as with
 * separate processes, which are tested elsewhere.
 */
export function declaredStack(options: StackSettings & InProcessOptions): DeclaredStack {
  const { host = DYNAMIC_HOST, config, environment } = options;
  let declarations: readonly Declaration[] = [];
  const stack = createStack(
    { program: PROGRAM, stack: IDENTITY.stack, parallel: PARALLEL },
    {
      ...inProcessProviders({ clock: instantClock, ...options }),
      // Nothing needs a connection.
      startMonitor: async () => ({ address: "", stop: () => {}, close: () => {} }),
      startProgram: (request) => ({
        // A program that an ending engine does not answer reports nothing.
        exited: registerAll(declarations, { host, config }, request).then(
          () => 0,
          (error: unknown) => (error instanceof Error ? 1 : 0),
        ),
        kill: () => {},
      }),
    },
  );
  /** The state since the last command. Exporting it copies it, and callers ask for it often. */
  let exported: Deployment["deployment"] | undefined;
  const stored = () => {
    exported ??= stack.exportState().deployment;
    return exported;
  };

  async function outcomeOf(command: () => Promise<TestResult>): Promise<Outcome> {
    stack.setConfig({ ...config });
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

  function edit(change: (deployment: Deployment["deployment"]) => Partial<Deployment["deployment"]>): void {
    const { version, deployment } = stack.exportState();
    stack.importState({ version, deployment: { ...deployment, ...change(deployment) } });
    exported = undefined;
  }

  return {
    async up(declared, options) {
      declarations = declared;
      return await outcomeOf(() => stack.up(options));
    },
    async preview(declared, options) {
      declarations = declared;
      return await outcomeOf(() => stack.preview(options));
    },
    refresh: async () => await outcomeOf(() => stack.refresh()),
    destroy: async () => await outcomeOf(() => stack.destroy()),
    cancel: () => stack.cancel(),
    killHosts: () => stack.killHosts(),
    crash: () => stack.crash(),
    get resources() {
      return (stored().resources ?? []).filter(isManaged);
    },
    pending: (wanted) =>
      (stored().pending_operations ?? [])
        .filter(({ type }) => type === wanted)
        .map(({ resource }) => resource.urn),
    clearPending: () => edit(() => ({ pending_operations: [] })),
    urnOf: (resource) => urnOf(resource, host),
    forget(resource) {
      const urn = urnOf(resource, host);
      edit(({ resources = [] }) => ({ resources: resources.filter((each) => each.urn !== urn) }));
    },
    stateText: () => JSON.stringify(stack.exportState()),
    close: () => stack.close(),
  };
}

/** A stack whose resources are objects of an emulator, with a key of it. */
export function emulatedStack(
  service: Emulator,
  key: string,
  options: Partial<Parameters<typeof declaredStack>[0]> = {},
): DeclaredStack {
  return declaredStack({
    environment: () => ({ DYNAMICLINK_API_KEY: key }),
    config: { "dynamiclink:apiUrl": service.url },
    timeoutMs: () => 20_000,
    random: () => 0,
    ...options,
  });
}

/** Registers the declarations of a program. Resolves when every registration has succeeded or failed. */
async function registerAll(
  declarations: readonly Declaration[],
  { host, config }: { readonly host: Host; readonly config: StackSettings["config"] },
  { monitor, dryRun }: ProgramRequest,
): Promise<void> {
  await monitor.register({ ...EMPTY_GOAL, type: STACK_TYPE, name: STACK_NAME, custom: false });
  for (const name of namesOf(declarations, "component")) {
    await monitor.register({ ...COMPONENT_GOAL, name });
  }
  const providers = new Map<string, string>();
  for (const name of namesOf(declarations, "provider")) {
    const { urn, id } = await monitor.register(providerGoal(name, host, config));
    providers.set(name, providerReference(urn, id));
  }
  const ids = new Map<string, Promise<string>>();
  const registered = declarations.map((declaration) => {
    const propertyDependencies = dependencies(declaration, declarations, host);
    const id = (async () => {
      const goal = goalOf(declaration, host, dryRun);
      const properties: Properties = {};
      for (const [name, value] of Object.entries(declaration.properties)) {
        properties[name] = isIdOf(value) ? await idOf(ids, value, dryRun) : (value as Properties);
      }
      return await idIn(
        monitor.register({
          ...goal,
          provider: providers.get(declaration.provider ?? "") ?? "",
          properties: { ...goal.properties, ...properties },
          propertyDependencies,
          dependencies: Object.values(propertyDependencies).flat(),
        }),
      );
    })();
    ids.set(declaration.name, id);
    return id;
  });
  await Promise.allSettled(registered);
}

async function idIn(registered: ReturnType<MonitorHandlers["register"]>): Promise<string> {
  return (await registered).id;
}

const COMPONENT_GOAL: Goal = { ...EMPTY_GOAL, type: COMPONENT_TYPE, custom: false, parent: STACK_URN };

/** An explicit provider with the stack's configuration. The plugin's settings have no namespace. */
function providerGoal(name: string, host: Host, config: StackSettings["config"]): Goal {
  const properties = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      host === NATIVE_HOST ? key.slice(key.indexOf(":") + 1) : key,
      value,
    ]),
  );
  return { ...EMPTY_GOAL, type: host.providerType, name, parent: STACK_URN, properties };
}

function goalOf(declaration: Declaration, host: Host, isPreview: boolean): Goal {
  const { kind, name, component, adopt, deleteBeforeReplace } = declaration;
  const { replaceOnChanges = [], aliases = [] } = declaration;
  const { protect, retainOnDelete } = adopt === undefined ? declaration : withProtections(declaration);
  const description = DESCRIPTIONS[kind];
  return {
    ...EMPTY_GOAL,
    type: host.typeToken(description),
    name,
    parent: component === undefined ? STACK_URN : componentUrn(component),
    ...(protect !== undefined && { protect }),
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    ...(deleteBeforeReplace !== undefined && { deleteBeforeReplace }),
    replaceOnChanges: [...replaceOnChanges],
    aliases: aliases.map((alias) => ({ urn: urnOf(alias, host) })),
    ...(host === NATIVE_HOST
      ? { importId: adopt ?? "" }
      : {
          properties: {
            __provider: providerText(description),
            __declaration: {
              resource: [component, name].join(" "),
              shown: Object.keys(declaration.properties),
              isPreview,
            },
            ...(adopt !== undefined && { __import: adopt }),
          },
        }),
  };
}

async function idOf(
  ids: ReadonlyMap<string, Promise<string>>,
  { idOf: name }: IdOf,
  dryRun: boolean,
): Promise<string> {
  const id = await ids.get(name);
  if (id === undefined) throw new Error(`The program declares no ${name}.`);
  return id === "" && dryRun ? UNKNOWN_VALUE : id;
}

function dependencies(
  { properties }: Declaration,
  declarations: readonly Declaration[],
  host: Host,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([property, value]) => {
      const target = isIdOf(value) && declarations.find(({ name }) => name === value.idOf);
      return target ? [[property, [urnOf(target, host)]]] : [];
    }),
  );
}
