/**
 * A description as a `dynamic.ResourceProvider`: the only file that knows Pulumi's dynamic-provider host, its
 * hidden properties and the shapes of its calls.
 */

import { systemClock } from "../../client/client";
import type { ResourceDescription } from "../../lifecycle/description";
import { UserError } from "../../lifecycle/errors";
import { resourceOperations } from "../../lifecycle/operations";
import { ORGANIZATION_PROPERTY } from "../../lifecycle/ownership";
import type { Properties } from "../../lifecycle/properties";
import type { RunContext } from "../../lifecycle/runContext";
import { type Marks, newRunMemory } from "../../lifecycle/runMemory";
import { IMPORT_PROPERTY } from "../../lifecycle/state";
import { CONFIGURATION_NAMESPACE } from "../../session/service";
import { type Session, sharedSession } from "../../session/session";
import { type RawSettings, resolveSettings, SETTING_NAMES, type Settings } from "../../session/settings";
import { sharedMarks } from "../sharedMarks";
import { reportToEngine } from "./engineLog";
import { inHostForm } from "./hostError";
import { UNKNOWN_VALUE } from "./names";

/** The text by which the host finds the provider. It stands in users' state. */
export const PROVIDER_PROPERTY = "__provider";

/**
 * Marks the inputs of a resource that a refresh found not ready. A refresh forgets that a resource was saved as
 * not ready; the mark, which no check lets pass, makes the next update resume it.
 */
const PENDING_PROPERTY = "__pending";

/** The configuration that the host hands over: that of the provider resource, or of the stack. */
export interface HostConfiguration {
  get(key: string): unknown;
}

/** What a provider takes from the process it runs in. Tests of many runs in one process give it another. */
export interface HostProcess extends Omit<RunContext, "session" | "isUnknown"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  session(settings: Settings): Session;
}

/** The process of Pulumi's dynamic-provider host. */
const thisProcess: HostProcess = {
  environment: process.env,
  session: sharedSession,
  // The host tells a provider of no cancellation.
  signal: new AbortController().signal,
  report: reportToEngine,
  clock: systemClock,
  memory: newRunMemory(marksOfRun),
};

/** The engine's address, which all hosts of a run are started with, tells the run from others. */
function marksOfRun(kind: string): Marks {
  const [, , engine] = process.argv;
  return engine === undefined ? new Set<string>() : sharedMarks(engine, kind);
}

/** The provider object that Pulumi's host calls. Structurally a `dynamic.ResourceProvider`. */
export interface DynamicProvider {
  configure(request: { config: HostConfiguration }): Promise<void>;
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs?: Properties; failures?: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes?: boolean; replaces?: string[]; deleteBeforeReplace?: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props?: Properties): Promise<{ id: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** A description as the host runs it. */
export function dynamicProvider<Inputs extends object, Outputs extends object>(
  description: ResourceDescription<Inputs, Outputs>,
  { environment, session, ...surroundings }: HostProcess = thisProcess,
): DynamicProvider {
  const operations = resourceOperations(description);
  // The host hands out this object before `configure` has ended, so the configuration is stored synchronously
  // and everything that can wait or fail happens in the operations.
  let configuration: HostConfiguration | undefined;

  function host(): RunContext {
    const raw: RawSettings = Object.fromEntries(
      SETTING_NAMES.map((name) => [name, configuration?.get(`${CONFIGURATION_NAMESPACE}:${name}`)]),
    );
    return { ...surroundings, session: session(resolveSettings(raw, { environment, isUnknown })), isUnknown };
  }

  return {
    async configure({ config }) {
      configuration = config;
    },

    async check(olds, news) {
      const inputs = visible(news);
      // Never copied from the old inputs: that the option is gone must be a change that a preview shows.
      const { [IMPORT_PROPERTY]: adopt } = news;
      const { [IMPORT_PROPERTY]: adoptBefore } = olds;
      const isNew = Object.keys(olds).length === 0;
      try {
        const before = visible(olds);
        const checked = await operations.check(host(), { inputs, before, adopt, adoptBefore, isNew });
        const hidden = checked.adopt === undefined ? {} : { [IMPORT_PROPERTY]: checked.adopt };
        return { inputs: { ...checked.inputs, ...hidden }, failures: checked.failures.map(failure) };
      } catch (error) {
        // A failure is shown on the resource alone; an error would be announced for the whole stack first.
        if (error instanceof UserError) return { inputs: news, failures: [failure(error.message)] };
        throw error;
      }
    },

    diff: (id, olds, news) =>
      inHostForm({}, async () => {
        const { replaces, deleteBeforeReplace } = await operations.diff(host(), {
          uuid: id,
          state: stateIn(olds),
          inputs: visible(news),
          adopt: news[IMPORT_PROPERTY],
        });
        if (replaces.length > 0) return { replaces, deleteBeforeReplace };
        // The native plugin leaves states without the text. An update puts it back, and sends no write.
        if (!(PROVIDER_PROPERTY in olds) && ORGANIZATION_PROPERTY in olds) return { changes: true };
        // Without `changes` the engine compares the inputs itself and shows each field that differs.
        return {};
      }),

    create: (inputs) =>
      inHostForm(providerIn(inputs), async () => {
        const { uuid, state } = await operations.create(host(), {
          inputs: visible(inputs),
          adopt: inputs[IMPORT_PROPERTY],
        });
        return { id: uuid, outs: state };
      }),

    read: (id, props = {}) =>
      inHostForm({}, async () => {
        const found = await operations.read(host(), { uuid: id, state: stateIn(props) });
        if (found === undefined) return { id: "" };
        const hidden = {
          ...(found.adopt !== undefined && { [IMPORT_PROPERTY]: found.adopt }),
          ...(!found.ready && { [PENDING_PROPERTY]: true }),
        };
        return { id: found.uuid, props: found.state, inputs: { ...found.inputs, ...hidden } };
      }),

    update: (id, olds, news) =>
      inHostForm(providerIn(news), async () => {
        const outs = await operations.update(host(), {
          uuid: id,
          state: stateIn(olds),
          inputs: visible(news),
          adopt: news[IMPORT_PROPERTY],
        });
        return { outs };
      }),

    delete: (id, props) =>
      inHostForm({}, () => operations.delete(host(), { uuid: id, state: stateIn(props) })),
  };
}

function isUnknown(value: unknown): boolean {
  return value === UNKNOWN_VALUE;
}

function failure(reason: string): { property: string; reason: string } {
  // With a property, the engine would print the property's value, which may be secret.
  return { property: "", reason };
}

/** The properties that a program declares. */
function visible(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** The state without what belongs to the host. */
function stateIn(properties: Properties): Properties {
  const { [PROVIDER_PROPERTY]: _text, ...state } = properties;
  return state;
}

/** Without the text a resource that is saved could never be read or deleted again. */
function providerIn({ [PROVIDER_PROPERTY]: text }: Properties): Properties {
  return { [PROVIDER_PROPERTY]: text };
}
