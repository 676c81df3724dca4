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
import { createUrn, isProviderType, STACK_TYPE } from "../../../testing/engine/protocol/urn";
import type { Properties } from "../../../testing/engine/protocol/values";
import type { Deployment } from "../../../testing/engine/state/stateFile";
import { createStack } from "../../../testing/engine/testStack";
import { serviceClock } from "../providers/clocks";
import { type InProcessOptions, inProcessProviders } from "../providers/inProcessProviders";
import { KEY } from "../values/organizations";
import type { Declared, Example, IdOf, Kind } from "../values/resourceExamples";

export type { Declared, IdOf, Kind };

/** Resource options that a declaration has as the engine gets them. */
type Options = Pick<Goal, "protect" | "retainOnDelete" | "deleteBeforeReplace"> &
  Partial<Pick<Goal, "replaceOnChanges">>;

/** A resource that a program declares. A property may be the id of a resource declared before it. */
export interface Declaration extends Example, Options {
  /** The option `import`. */
  readonly adopt?: string;
  /** The former identities of the resource. */
  readonly aliases?: readonly ResourceIdentity[];
}

/** What the URN of a resource is made of. */
type ResourceIdentity = Pick<Declaration, "kind" | "name">;

/** Whether a property is the id of another resource. */
export function isIdOf(value: Declared): value is IdOf {
  return typeof value === "object" && value !== null && "idOf" in value;
}

/** The result of a command. */
export interface Outcome extends Pick<TestResult, "changes" | "diagnostics"> {
  readonly failed: boolean;
}

/** The error messages of a command that must have failed. */
export function errorOf({ failed, diagnostics }: Outcome): string {
  expect(failed).toBe(true);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
    .join("\n");
}

export type DeclaredStack = ReturnType<typeof declaredStack>;

interface StackOptions extends Omit<InProcessOptions, "clock"> {
  /** Returns the additional environment variables. Called before each command. Default: a key with all scopes. */
  readonly environment?: () => Readonly<Record<string, string>>;
  /** The configuration. Read before each command. Default: the URL of the service. */
  readonly config?: Readonly<Record<string, string>>;
  /** The host of its resources. Default: that of dynamic resources. */
  readonly host?: Host;
}

const IDENTITY = { project: "declared", stack: "test" };
const STACK_NAME = `${IDENTITY.project}-${IDENTITY.stack}`;
const STACK_URN = createUrn(IDENTITY, STACK_TYPE, STACK_NAME);

function urnOf({ kind, name }: ResourceIdentity, host: Host): string {
  return createUrn(IDENTITY, host.typeToken(DESCRIPTIONS[kind]), name, STACK_URN);
}

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
 * Creates a stack whose resources are objects of an emulator. Program and hosts run in this process: hundreds of commands a
 * minute, on the emulator's clock, on which waits take no time. The calls of the engine, the responses of the provider and
 * the effects of a killed host are the same as with separate processes, which are tested elsewhere.
 */
export function declaredStack(
  service: Emulator,
  {
    host = DYNAMIC_HOST,
    config = { "dynamiclink:apiUrl": service.url },
    environment = () => ({ DYNAMICLINK_API_KEY: KEY }),
    timeoutMs = () => 20_000,
    random = () => 0,
  }: StackOptions = {},
) {
  const clock = (killed: AbortSignal) => serviceClock(service, killed);
  let declarations: readonly Declaration[] = [];
  const stack = createStack(
    { program: PROGRAM, stack: IDENTITY.stack, parallel: 8 },
    {
      ...inProcessProviders({ clock, timeoutMs, random }),
      // Nothing needs a connection.
      startMonitor: async () => ({ address: "", stop: () => {}, close: () => {} }),
      startProgram: (request) => ({
        // A program that an ending engine does not answer reports nothing.
        exited: registerAll(declarations, host, request).then(
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

  async function run(
    command: "up" | "preview" | "refresh" | "destroy",
    declared: readonly Declaration[] = [],
    options?: UpdateOptions,
  ): Promise<Outcome> {
    declarations = declared;
    stack.setConfig({ ...config });
    stack.setEnvironment({ DYNAMICLINK_READ_ONLY: undefined, ...environment() });
    try {
      return { failed: false, ...(await stack[command](options)) };
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
    up: (declared: readonly Declaration[], options?: UpdateOptions) => run("up", declared, options),
    preview: (declared: readonly Declaration[], options?: UpdateOptions) => run("preview", declared, options),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    cancel: stack.cancel,
    killHosts: stack.killHosts,
    crash: stack.crash,
    close: stack.close,
    /** The resources in the state that are not providers. */
    get resources() {
      return (stored().resources ?? []).filter(({ custom, type }) => custom && !isProviderType(type));
    },
    /** The URNs of resources with a pending operation. */
    pending: (wanted: "creating" | "deleting") =>
      stored().pending_operations?.flatMap(({ type, resource }) => (type === wanted ? resource.urn : [])) ??
      [],
    /** Clears the pending operations, as a user does after checking them. */
    clearPending: () => edit(() => ({ pending_operations: [] })),
    urnOf: (resource: ResourceIdentity) => urnOf(resource, host),
    /** Removes a resource from the state, as `pulumi state delete` does. */
    forget(resource: ResourceIdentity) {
      const urn = urnOf(resource, host);
      edit(({ resources = [] }) => ({ resources: resources.filter((each) => each.urn !== urn) }));
    },
    stateText: () => JSON.stringify(stack.exportState()),
  };
}

/** Registers the declarations of a program. Resolves when every registration has succeeded or failed. */
async function registerAll(declarations: readonly Declaration[], host: Host, request: ProgramRequest) {
  const { monitor, dryRun } = request;
  const register = (goal: Partial<Goal>) => monitor.register({ ...EMPTY_GOAL, parent: STACK_URN, ...goal });
  await register({ type: STACK_TYPE, name: STACK_NAME, custom: false, parent: "" });
  const registered = new Map<string, { readonly urn: string; readonly id: Promise<string> }>();

  async function registerOne(declaration: Declaration): Promise<string> {
    const { kind, name, properties, adopt, aliases = [], ...options } = declaration;
    const description = DESCRIPTIONS[kind];
    const isNative = host === NATIVE_HOST;
    // The classes of dynamic resources add these.
    const hidden = {
      __provider: providerText(description),
      __declaration: { resource: name, shown: Object.keys(properties), isPreview: dryRun },
      ...(adopt !== undefined && { __import: adopt }),
    };
    const inputs: Properties = { ...properties, ...(!isNative && hidden) };
    const propertyDependencies: Record<string, string[]> = {};
    for (const [property, value] of Object.entries(properties)) {
      if (!isIdOf(value)) continue;
      const target = registered.get(value.idOf);
      if (target === undefined) throw new Error(`The program declares no ${value.idOf}.`);
      propertyDependencies[property] = [target.urn];
      inputs[property] = await target.id;
    }
    const { id } = await register({
      ...(adopt === undefined ? options : withProtections(options)),
      ...(isNative && { importId: adopt ?? "" }),
      type: host.typeToken(description),
      name,
      aliases: aliases.map((alias) => ({ urn: urnOf(alias, host) })),
      properties: inputs,
      propertyDependencies,
      dependencies: Object.values(propertyDependencies).flat(),
    });
    return id === "" && dryRun ? UNKNOWN_VALUE : id;
  }

  const ids = declarations.map((declaration) => {
    const id = registerOne(declaration);
    registered.set(declaration.name, { urn: urnOf(declaration, host), id });
    return id;
  });
  await Promise.allSettled(ids);
}
