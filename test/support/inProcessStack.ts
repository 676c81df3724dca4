/**
 * A stack on the core of the test engine, with hosts that live in this process: hundreds of programs a minute, on a
 * clock that waits for nothing. What the processes of program and host do is tested elsewhere; what the engine
 * asks, what the provider answers and what a killed host leaves behind are the same here.
 */

import type { Clock } from "../../provider/client";
import { providerText, typeToken, UNKNOWN_VALUE } from "../../provider/hosts/dynamic/names";
import { type DynamicProvider, dynamicProvider } from "../../provider/hosts/dynamic/provider";
import { type Marks, newRunMemory } from "../../provider/lifecycle/runMemory";
import { DESCRIPTIONS } from "../../provider/resources";
import { createSession, type Session } from "../../provider/session/session";
import type { Settings } from "../../provider/session/settings";
import { deleteRest } from "../../testing/engine/deletions";
import { exportSnapshot, type Snapshot } from "../../testing/engine/deployment";
import type { Host } from "../../testing/engine/host";
import { importEntries } from "../../testing/engine/importFile";
import type { Diagnostic, Goal } from "../../testing/engine/monitor";
import { DYNAMIC_PACKAGE, providerReference, providerType, STACK_TYPE } from "../../testing/engine/names";
import { fromStruct, shuttingDown, toStruct } from "../../testing/engine/protocol";
import { InitFailure, type Provider } from "../../testing/engine/provider";
import { openProviders } from "../../testing/engine/providers";
import { refreshState } from "../../testing/engine/refresh";
import { acceptRegistrations, EMPTY_GOAL } from "../../testing/engine/registrations";
import { beginRun, type Run } from "../../testing/engine/run";
import { forProvider, markSecrets, type Properties } from "../../testing/engine/values";
import {
  COMPONENT_TYPE,
  componentUrn,
  type Declaration,
  type DeclaredStack,
  type IdOf,
  isIdOf,
  isManaged,
  namesOf,
  type Outcome,
  optionsOf,
  PLACE,
  STACK_NAME,
  STACK_URN,
  urnOf,
} from "./declaredStack";

/** How the hosts of a stack are set up. */
export interface InProcessOptions {
  readonly environment: () => Readonly<Record<string, string>>;
  readonly config: Properties;
  /** How long a client waits for an answer. Real time: it is what a hanging service costs. */
  readonly timeoutMs: () => number;
  /** Where chance is needed, from 0 to below 1. */
  readonly random: () => number;
}

const PARALLEL = 8;

/** Makes a stack. */
export function inProcessStack(options: InProcessOptions): DeclaredStack {
  let state: Snapshot = { resources: [], pendingOperations: [] };
  let kill = (): void => {};

  async function carryOut(execute: (run: Run) => Promise<void>, dryRun = false): Promise<Outcome> {
    const dead = new AbortController();
    const killed = new Promise<"killed">((resolve) =>
      dead.signal.addEventListener("abort", () => resolve("killed")),
    );
    const diagnostics: Diagnostic[] = [];
    const providers = openProviders({
      start: () => inProcessHost(options, dead.signal, marks, (diagnostic) => diagnostics.push(diagnostic)),
      spares: 0,
      mocks: {},
    });
    const base = structuredClone(state);
    const marks = new Map<string, Marks>();
    const run = beginRun({
      place: PLACE,
      base,
      dryRun,
      parallel: PARALLEL,
      providers,
      config: options.config,
      countsRefresh: false,
      onStop: () => {},
    });
    kill = () => dead.abort();
    const work = execute(run)
      .catch((error: unknown) => {
        if (error instanceof Error) run.fail(error.message);
      })
      .then(() => run.settled());
    let leftBehind: Snapshot | undefined;
    if ((await Promise.race([work, killed])) === "killed") {
      leftBehind = structuredClone(run.journal.snapshot());
      run.crash("The provider hosts were killed.");
      await work;
    }
    kill = () => {};
    await providers.close();
    if (!dryRun) state = leftBehind ?? run.journal.snapshot();
    return { failed: run.failed, diagnostics: [...diagnostics, ...run.diagnostics], changes: run.changes };
  }

  async function program(
    run: Run,
    declarations: readonly Declaration[],
    replace: readonly string[] = [],
  ): Promise<void> {
    const registrations = acceptRegistrations(run, { replace: new Set(replace) });
    await registrations.register({ ...EMPTY_GOAL, type: STACK_TYPE, name: STACK_NAME, custom: false });
    for (const name of namesOf(declarations, "component")) {
      await registrations.register({ ...COMPONENT_GOAL, name });
    }
    const references = new Map<string, string>();
    for (const name of namesOf(declarations, "provider")) {
      const { urn, id } = await registrations.register({
        ...PROVIDER_GOAL,
        name,
        properties: options.config,
      });
      references.set(name, providerReference(urn, id));
    }
    const ids = new Map<string, Promise<string>>();
    const registered = declarations.map(async (declaration) => {
      const goal = goalOf(declaration);
      const properties: Properties = {};
      const id = (async () => {
        for (const [name, value] of Object.entries(declaration.properties)) {
          properties[name] = isIdOf(value) ? await idOf(ids, value, run.dryRun) : (value as Properties);
        }
        const propertyDependencies = dependencies(declaration, declarations);
        const { id } = await registrations.register({
          ...goal,
          provider: references.get(declaration.provider ?? "") ?? "",
          properties: { ...goal.properties, ...properties },
          propertyDependencies,
          dependencies: Object.values(propertyDependencies).flat(),
        });
        return id;
      })();
      ids.set(declaration.name, id);
      return await id;
    });
    await Promise.allSettled(registered);
    if (!run.failed) await deleteRest(run, registrations.isRegistered);
  }

  return {
    up: (declarations, replace) => carryOut((run) => program(run, declarations, replace)),
    preview: (declarations, replace) => carryOut((run) => program(run, declarations, replace), true),
    refresh: () => carryOut(refreshState),
    destroy: () => carryOut((run) => deleteRest(run, () => false)),
    importFile: (file) => carryOut((run) => importEntries(run, file, { protect: false })),
    kill: () => kill(),
    get resources() {
      return state.resources.filter(isManaged);
    },
    get pending() {
      return state.pendingOperations
        .filter(({ type }) => type === "creating")
        .map(({ resource }) => resource.urn);
    },
    clearPending() {
      state = { ...state, pendingOperations: [] };
    },
    stateText: () => JSON.stringify(exportSnapshot(state, true)),
    close: async () => {},
  };
}

const COMPONENT_GOAL: Goal = { ...EMPTY_GOAL, type: COMPONENT_TYPE, custom: false, parent: STACK_URN };
const PROVIDER_GOAL: Goal = { ...EMPTY_GOAL, type: providerType(DYNAMIC_PACKAGE), parent: STACK_URN };

function goalOf(declaration: Declaration): Goal {
  const { kind, name, component, adopt, deleteBeforeReplace } = declaration;
  const { replaceOnChanges = [], ignoreChanges = [], aliases = [] } = declaration;
  const { protect, retainOnDelete } = optionsOf(declaration);
  const description = DESCRIPTIONS[kind];
  return {
    ...EMPTY_GOAL,
    type: typeToken(description),
    name,
    parent: component === undefined ? STACK_URN : componentUrn(component),
    ...(protect !== undefined && { protect }),
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    ...(deleteBeforeReplace !== undefined && { deleteBeforeReplace }),
    replaceOnChanges: [...replaceOnChanges],
    ignoreChanges: [...ignoreChanges],
    aliases: aliases.map((alias) => ({ urn: urnOf(alias) })),
    properties: { __provider: providerText(description), ...(adopt !== undefined && { __import: adopt }) },
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
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([property, value]) => {
      const target = isIdOf(value) && declarations.find(({ name }) => name === value.idOf);
      return target ? [[property, [urnOf(target)]]] : [];
    }),
  );
}

/** A host: it is configured once, keeps one session, and dies with the signal. */
function inProcessHost(
  { environment, timeoutMs, random }: InProcessOptions,
  signal: AbortSignal,
  marks: Map<string, Marks>,
  report: (diagnostic: Diagnostic) => void,
): Host {
  const sessions: Session[] = [];
  let exit: (code: null) => void;
  const exited = new Promise<null>((resolve) => {
    exit = resolve;
  });
  const clock = instantClock(signal);
  return {
    exited,
    kill: () => void Promise.all(sessions.map(({ client }) => client.close())).then(() => exit(null)),
    async configure(inputs) {
      const process = {
        environment: environment(),
        signal,
        clock,
        // What the hosts of a run share through files.
        memory: newRunMemory((kind) => {
          const shared = marks.get(kind) ?? new Set<string>();
          marks.set(kind, shared);
          return shared;
        }),
        report: (message: string, { persistent = false } = {}) =>
          report({ severity: "info", message, ephemeral: !persistent }),
        session(settings: Settings) {
          const [existing] = sessions;
          if (existing !== undefined) return existing;
          const session = createSession(settings, { clock, random, timeoutMs: timeoutMs() });
          sessions.push(session);
          return session;
        },
      };
      const config = forProvider(inputs) as Properties;
      const byText = new Map<string, DynamicProvider>(
        Object.values(DESCRIPTIONS).map((description) => [
          providerText(description),
          dynamicProvider<never, never>(description as never, process),
        ]),
      );
      for (const provider of byText.values())
        await provider.configure({ config: { get: (key) => config[key] } });
      return hosted(byText, signal);
    },
  };
}

/** A clock on which no wait takes time. A dead host waits for ever in vain: its waits fail. */
function instantClock(signal: AbortSignal): Clock {
  let sleptMs = 0;
  return {
    now: () => Date.now() + sleptMs,
    async sleep(milliseconds) {
      await new Promise(setImmediate);
      if (signal.aborted) throw new Error("The host was killed.");
      sleptMs += milliseconds;
    },
  };
}

/** The engine's view of the provider objects: what Pulumi's host does between gRPC and them. */
function hosted(byText: ReadonlyMap<string, DynamicProvider>, signal: AbortSignal): Provider {
  const plain = (properties: Properties) => fromStruct(toStruct(forProvider(properties) as Properties));
  const providerOf = ({ __provider: text }: Properties): DynamicProvider => {
    const provider = byText.get(String(text));
    if (provider === undefined) throw new Error(`No provider is called ${text}.`);
    return provider;
  };
  /** The answer as it travels: without what JSON does not know, and with the provider's text. */
  const answered = (properties: object | undefined, { __provider: text }: Properties): Properties =>
    fromStruct(
      toStruct({ ...(JSON.parse(JSON.stringify(properties ?? {})) as Properties), __provider: text ?? null }),
    );
  /** A dead host answers nothing; an error that has an id means "created, not ready". */
  const asked = async <Answer>(
    sent: Properties,
    ask: (provider: DynamicProvider) => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      const answer = await ask(providerOf(sent));
      if (signal.aborted) throw shuttingDown();
      return answer;
    } catch (error) {
      if (signal.aborted) throw shuttingDown();
      const failure = error as { id?: string; properties?: Properties; reasons?: string[]; message: string };
      if (failure.id === undefined) throw new Error(failure.message);
      throw new InitFailure(
        failure.id,
        markSecrets(answered(failure.properties, sent), sent),
        failure.reasons ?? [],
      );
    }
  };
  return {
    known: true,
    async check({ olds, news }) {
      const sent = plain(news);
      const { inputs, failures = [] } = await asked(sent, (provider) => provider.check(plain(olds), sent));
      return { inputs: markSecrets(answered(inputs, sent), news), failures };
    },
    async diff({ id, oldOutputs, news }) {
      const sent = plain(news);
      const { replaces = [], deleteBeforeReplace = false } = await asked(sent, (provider) =>
        provider.diff(id, plain(oldOutputs), sent),
      );
      return { replaces, deleteBeforeReplace };
    },
    async create({ inputs }) {
      const sent = plain(inputs);
      const { id, outs } = await asked(sent, (provider) => provider.create(sent));
      return { id, outputs: markSecrets(answered(outs, sent), inputs) };
    },
    async update({ id, oldOutputs, news }) {
      const sent = plain(news);
      const { outs } = await asked(sent, (provider) => provider.update(id, plain(oldOutputs), sent));
      return { outputs: markSecrets(answered(outs, sent), news) };
    },
    async read({ id, inputs, state }) {
      const sent = plain(Object.keys(state).length === 0 ? inputs : state);
      const found = await asked(sent, (provider) => provider.read(id, sent));
      return {
        id: found.id,
        outputs: answered(found.props, sent),
        ...(found.inputs && { inputs: markSecrets(answered(found.inputs, sent), inputs) }),
      };
    },
    async delete({ id, outputs }) {
      const sent = plain(outputs);
      await asked(sent, (provider) => provider.delete(id, sent));
    },
  };
}
