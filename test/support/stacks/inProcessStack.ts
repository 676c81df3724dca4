/**
 * A stack on the test engine whose program and hosts run in this process: hundreds of commands a minute, on a clock on
 * which waits take no time. The calls of the engine, the responses of the provider and the effects of a killed host are
 * the same as with separate processes, which are tested elsewhere.
 */
import { providerText } from "../../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { UNKNOWN_VALUE } from "../../../provider/hosts/values";
import { DESCRIPTIONS } from "../../../provider/resources";
import { withProtections } from "../../../sdk/protections";
import type { Emulator } from "../../../testing/emulator";
import { STRIPPING_RUNTIME } from "../../../testing/engine/program/nodeRuntime";
import type { Program, ProgramRequest } from "../../../testing/engine/program/program";
import { EMPTY_GOAL, type Goal } from "../../../testing/engine/protocol/goal";
import type { MonitorHandlers } from "../../../testing/engine/protocol/monitor";
import { providerReference, STACK_TYPE } from "../../../testing/engine/protocol/urn";
import type { Properties } from "../../../testing/engine/protocol/values";
import { createStack } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";
import { type InProcessOptions, instantClock } from "../providers/inProcessSurrogate";
import {
  COMPONENT_TYPE,
  componentUrn,
  type Declaration,
  type DeclaredStack,
  declaredStack,
  hookName,
  IDENTITY,
  type IdOf,
  isIdOf,
  namesOf,
  retriesOf,
  STACK_NAME,
  STACK_URN,
  type StackSettings,
  urnOf,
} from "./declaredStack";

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

/** Creates a stack. */
export function inProcessStack(options: StackSettings & Omit<InProcessOptions, "clock">): DeclaredStack {
  const { host = DYNAMIC_HOST, config } = options;
  let declarations: readonly Declaration[] = [];
  const stack = createStack(
    { program: PROGRAM, stack: IDENTITY.stack, config: { ...config }, parallel: PARALLEL },
    {
      ...inProcessProviders({ ...options, clock: instantClock }),
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
  const program = {
    set(declared: readonly Declaration[]) {
      declarations = declared;
    },
    remove: () => {},
  };
  return declaredStack(stack, options.environment, program);
}

/** A stack whose resources are objects of an emulator, with a key of it. */
export function emulatedStack(
  service: Emulator,
  key: string,
  options: Partial<Parameters<typeof inProcessStack>[0]> = {},
): DeclaredStack {
  return inProcessStack({
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
  for (const retries of retriesOf(declarations)) {
    monitor.registerHook({
      name: hookName(retries),
      call: async ({ errors }) => errors.length <= retries,
    });
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
  const { kind, name, component, adopt, deleteBeforeReplace, retries } = declaration;
  const { replaceOnChanges = [], ignoreChanges = [], aliases = [] } = declaration;
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
    ignoreChanges: [...ignoreChanges],
    aliases: aliases.map((alias) => ({ urn: urnOf(alias, host) })),
    ...(retries !== undefined && { hooks: { OnError: [hookName(retries)] } }),
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
