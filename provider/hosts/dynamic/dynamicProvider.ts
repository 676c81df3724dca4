/**
 * Runs a description as a `dynamic.ResourceProvider`. This is the adapter to Pulumi's dynamic-provider host: its calls,
 * and the hidden properties that only it uses.
 */

import type { dynamic } from "@pulumi/pulumi";
import { systemClock } from "../../client/client";
import { UserError } from "../../errors";
import type { ResourceDescription } from "../../lifecycle/description";
import {
  DECLARATION_PROPERTY,
  IMPORT_PROPERTY,
  ORGANIZATION_PROPERTY,
  PENDING_PROPERTY,
  PROVIDER_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import { resourceOperations } from "../../lifecycle/operations";
import type { Properties } from "../../lifecycle/properties";
import type { RunContext } from "../../lifecycle/run/runContext";
import { newRunMemory } from "../../lifecycle/run/runMemory";
import { CONFIGURATION_NAMESPACE } from "../../service";
import { type Session, sharedSession } from "../../session/session";
import { type RawSettings, resolveSettings, type Settings, settingsFrom } from "../../session/settings";
import type { Declaration } from "../dynamicNames";
import { isUnknown, withoutHidden } from "../values";
import { reportToEngine } from "./engineLog";
import { inHostForm } from "./hostError";
import { refuseImported } from "./imported";

/** The configuration that the host passes: that of the provider resource, or of the stack. */
export interface HostConfiguration {
  get(key: string): unknown;
}

/** What a provider uses of the process that it runs in. Tests that run several stacks in one process replace it. */
export interface ProcessContext extends Omit<RunContext, "session" | "isUnknown"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  session(settings: Settings): Session;
}

/** The process of Pulumi's dynamic-provider host. */
function thisProcess(): ProcessContext {
  return {
    environment: process.env,
    session: (settings) => sharedSession(settings, { report: reportToEngine }),
    // The host does not notify a provider of a cancellation, and outlives an engine that is killed.
    signal: new AbortController().signal,
    report: reportToEngine,
    clock: systemClock,
    memory: newRunMemory(),
  };
}

/** All providers of a process share its memory. */
const THIS_PROCESS = thisProcess();

/** The object that Pulumi's host calls. */
export type DynamicProvider = ReturnType<typeof dynamicProvider>;

export function dynamicProvider<Inputs extends object, Outputs extends object>(
  description: ResourceDescription<Inputs, Outputs>,
  { environment, session, ...context }: ProcessContext = THIS_PROCESS,
) {
  const operations = resourceOperations(description);
  const { title } = description;
  // The host uses this object before `configure` has ended, so the configuration is stored synchronously, and
  // everything that can wait or fail happens in the operations.
  let configuration: HostConfiguration | undefined;
  let opened: RunContext | undefined;

  /** The context of an operation. The settings of a configuration are resolved once. @throws UserError */
  function runContext(): RunContext {
    opened ??= {
      ...context,
      session: session(resolveSettings(configuredSettings(), { environment, isUnknown })),
      isUnknown,
    };
    return opened;
  }

  function configuredSettings(): RawSettings {
    return settingsFrom((name) => configuration?.get(`${CONFIGURATION_NAMESPACE}:${name}`));
  }

  return {
    async configure({ config }: { readonly config: HostConfiguration }): Promise<void> {
      configuration = config;
      opened = undefined;
    },

    async check(olds: Properties, news: Properties) {
      const inputs = withoutHidden(news);
      // Never copied from the old inputs: removing the option must be a change that a preview shows.
      const { [IMPORT_PROPERTY]: adopt } = news;
      // Import files have no declaration, nor has an unknown one.
      const { resource, shown = [], isPreview } = Object(news[DECLARATION_PROPERTY]) as Partial<Declaration>;
      const { [IMPORT_PROPERTY]: adoptBefore } = olds;
      const isNew = Object.keys(olds).length === 0;
      try {
        refuseImported(title, olds);
        const before = withoutHidden(olds);
        const checked = await operations.check(runContext(), {
          inputs,
          before,
          adopt,
          adoptBefore,
          isNew,
          isPreview,
          resource: resource === undefined ? undefined : `${title} ${resource}`,
          mayShow: (name) => shown.includes(name),
        });
        const hidden = checked.adopt === undefined ? {} : { [IMPORT_PROPERTY]: checked.adopt };
        return { inputs: { ...checked.inputs, ...hidden }, failures: checked.failures.map(failure) };
      } catch (error) {
        // A failure is shown only on the resource. An error would also be printed for the whole stack.
        if (error instanceof UserError) return { inputs: news, failures: [failure(error.message)] };
        throw error;
      }
    },

    diff: (id: string, olds: Properties, news: Properties) =>
      inHostForm({}, async () => {
        refuseImported(title, olds);
        const { replaces, deleteBeforeReplace, newlyNull } = await operations.diff(runContext(), {
          uuid: id,
          state: stateIn(olds),
          inputs: withoutHidden(news),
          adopt: news[IMPORT_PROPERTY],
        });
        if (replaces.length > 0) return { replaces: [...replaces], deleteBeforeReplace };
        // The native plugin leaves states without the text. An update puts it back, and sends no write.
        if (!(PROVIDER_PROPERTY in olds) && ORGANIZATION_PROPERTY in olds) return { changes: true };
        if (newlyNull.length > 0) return { changes: true };
        // Without `changes` the engine compares the inputs itself and shows each field that differs.
        return {};
      }),

    create: (inputs: Properties) =>
      inHostForm(providerIn(inputs), async () => {
        const { uuid, state } = await operations.create(runContext(), {
          inputs: withoutHidden(inputs),
          adopt: inputs[IMPORT_PROPERTY],
        });
        return { id: uuid, outs: state };
      }),

    read: (id: string, props: Properties = {}) =>
      inHostForm({}, async () => {
        refuseImported(title, props);
        const found = await operations.read(runContext(), { uuid: id, state: stateIn(props) });
        if (found === undefined) return { id: "" };
        // This host cannot return it with the resource.
        if (found.notReady !== undefined) context.report(found.notReady, { persistent: true, warning: true });
        const hidden = {
          ...(found.adopt !== undefined && { [IMPORT_PROPERTY]: found.adopt }),
          ...(found.notReady !== undefined && { [PENDING_PROPERTY]: true }),
        };
        return {
          id: found.uuid,
          props: found.state,
          inputs: { ...found.inputs, ...hidden },
        };
      }),

    update: (id: string, olds: Properties, news: Properties) =>
      inHostForm(providerIn(news), async () => {
        const state = await operations.update(runContext(), {
          uuid: id,
          state: stateIn(olds),
          inputs: withoutHidden(news),
          adopt: news[IMPORT_PROPERTY],
        });
        return { outs: state };
      }),

    delete: (id: string, props: Properties) =>
      inHostForm({}, () => operations.delete(runContext(), { uuid: id, state: stateIn(props) })),
  } satisfies dynamic.ResourceProvider;
}

function failure(reason: string): { property: string; reason: string } {
  // If a property is given, the engine prints its value, which may be secret.
  return { property: "", reason };
}

/** The state without the host's own properties. */
function stateIn(properties: Properties): Properties {
  const { [PROVIDER_PROPERTY]: _text, ...state } = properties;
  return state;
}

/** The host's own properties. Without them, a saved resource could not be read or deleted. */
function providerIn({ [PROVIDER_PROPERTY]: text }: Properties): Properties {
  return { [PROVIDER_PROPERTY]: text };
}
