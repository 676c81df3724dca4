/** Runs a description as a `dynamic.ResourceProvider`: the calls of Pulumi's host, and the hidden properties of this host. */
import type { dynamic } from "@pulumi/pulumi";
import { systemClock } from "../../client/client";
import { UserError } from "../../errors";
import type { ResourceDescription } from "../../lifecycle/description";
import {
  DECLARATION_PROPERTY,
  IMPORT_PROPERTY,
  IMPORTED_PROPERTY,
  ORGANIZATION_PROPERTY,
  PENDING_PROPERTY,
  PROVIDER_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import * as operations from "../../lifecycle/operations";
import type { Properties } from "../../lifecycle/properties";
import type { ResourceRun, RunContext } from "../../lifecycle/run/runContext";
import { newRunMemory } from "../../lifecycle/run/runMemory";
import type { Declared, ManagedObject } from "../../lifecycle/state";
import { CONFIGURATION_NAMESPACE } from "../../service";
import { type Session, sharedSession } from "../../session/session";
import { resolveSettings, type Settings, settingsFrom } from "../../session/settings";
import { withArticle } from "../../values/phrases";
import type { ProgramFacts } from "../dynamicNames";
import { isUnknown, withoutHidden } from "../values";
import { reportToEngine } from "./engineLog";
import { inHostForm } from "./hostError";

/** The configuration that the host passes: that of the provider resource, or of the stack. */
export interface HostConfiguration {
  get(key: string): unknown;
}

/** The process of the provider. Tests that run several stacks in one process replace it. */
export interface ProcessContext extends Omit<RunContext, "session" | "isUnknown"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
  session(settings: Settings): Session;
}

/** The process of Pulumi's dynamic-provider host. All its providers share its memory. */
const THIS_PROCESS: ProcessContext = {
  environment: process.env,
  session: (settings) => sharedSession(settings, { report: reportToEngine }),
  // See docs/internals/dynamic-host.md#no-cancellation.
  signal: new AbortController().signal,
  report: reportToEngine,
  clock: systemClock,
  memory: newRunMemory(),
};

export function dynamicProvider<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
  { environment, session, ...context }: ProcessContext = THIS_PROCESS,
) {
  // The host passes untyped values. `check` validates them before the functions of a description receive them.
  const description = typed as unknown as ResourceDescription;
  // Stored synchronously: everything that can wait or fail happens in the operations. See
  // docs/internals/dynamic-host.md#configure.
  let configuration: HostConfiguration | undefined;
  let opened: Session | undefined;

  /** The context of an operation. The settings of a configuration are resolved once. @throws UserError */
  function run(): ResourceRun {
    const raw = settingsFrom((name) => configuration?.get(`${CONFIGURATION_NAMESPACE}:${name}`));
    opened ??= session(resolveSettings(raw, { environment, isUnknown }));
    return { ...context, description, session: opened, isUnknown };
  }

  return {
    async configure({ config }: { readonly config: HostConfiguration }): Promise<void> {
      configuration = config;
      opened = undefined;
    },
    async check(olds: Properties, news: Properties) {
      try {
        return await check(run(), olds, news);
      } catch (error) {
        if (error instanceof UserError) return { inputs: news, failures: [failure(error.message)] };
        throw error;
      }
    },
    diff: (id: string, olds: Properties, news: Properties) =>
      inHostForm({}, async () => await diff(run(), { uuid: id, state: olds }, news)),
    create: (inputs: Properties) =>
      inHostForm(providerIn(inputs), async () => {
        const { uuid, state } = await operations.create(run(), inputsAndOption(inputs));
        return { id: uuid, outs: state };
      }),
    read: (id: string, props: Properties = {}) =>
      inHostForm({}, async () => await read(run(), { uuid: id, state: props })),
    update: (id: string, olds: Properties, news: Properties) =>
      inHostForm(providerIn(news), async () => {
        const entry = { uuid: id, state: stateIn(olds) };
        return { outs: await operations.update(run(), { ...entry, ...inputsAndOption(news) }) };
      }),
    delete: (id: string, props: Properties) =>
      inHostForm({}, async () => await operations.remove(run(), { uuid: id, state: stateIn(props) })),
  } satisfies dynamic.ResourceProvider;
}

async function check(run: ResourceRun, olds: Properties, news: Properties) {
  const { title } = run.description;
  refuseImported(title, olds);
  // Import files have no declaration, nor has an unknown one.
  const { resource, shown = [], ...options }: Partial<ProgramFacts> = Object(news[DECLARATION_PROPERTY]);
  // The option is never copied from the old inputs: removing it must be a change that a preview shows.
  const { inputs, failures, adopt } = await operations.check(run, {
    ...options,
    ...inputsAndOption(news),
    before: withoutHidden(olds),
    adoptBefore: olds[IMPORT_PROPERTY],
    isNew: Object.keys(olds).length === 0,
    resource: resource === undefined ? undefined : `${title} ${resource}`,
    mayShow: (name) => shown.includes(name),
  });
  const hidden = adopt === undefined ? {} : { [IMPORT_PROPERTY]: adopt };
  return { inputs: { ...inputs, ...hidden }, failures: failures.map(failure) };
}

async function diff(run: ResourceRun, { uuid, state: olds }: ManagedObject, news: Properties) {
  refuseImported(run.description.title, olds);
  const change = { uuid, state: stateIn(olds), ...inputsAndOption(news) };
  const { replaces, deleteBeforeReplace, newlyNull } = await operations.diff(run, change);
  if (replaces.length > 0) return { replaces: [...replaces], deleteBeforeReplace };
  // The native plugin leaves states without the text. An update puts it back, and sends no write.
  const lacksText = !(PROVIDER_PROPERTY in olds) && ORGANIZATION_PROPERTY in olds;
  // Without `changes` the engine compares the inputs: see docs/internals/dynamic-host.md#diff-forms.
  return lacksText || newlyNull.length > 0 ? { changes: true } : {};
}

async function read(run: ResourceRun, { uuid, state: props }: ManagedObject) {
  refuseImported(run.description.title, props);
  const reading = await operations.read(run, { uuid, state: stateIn(props) });
  if (reading === undefined) return { id: "" };
  const { adopt, notReady } = reading;
  // This host cannot return it with the resource: see docs/internals/dynamic-host.md#read.
  if (notReady !== undefined) run.report(notReady, { persistent: true, warning: true });
  const hidden = {
    ...(adopt !== undefined && { [IMPORT_PROPERTY]: adopt }),
    ...(notReady !== undefined && { [PENDING_PROPERTY]: true }),
  };
  return { id: reading.uuid, props: reading.state, inputs: { ...reading.inputs, ...hidden } };
}

function inputsAndOption(news: Properties): Declared {
  return { inputs: withoutHidden(news), adopt: news[IMPORT_PROPERTY] };
}

function failure(reason: string): { property: string; reason: string } {
  // See docs/internals/dynamic-host.md#check-failures.
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

/** Refuses a resource with all values of an imported object: an update would clear those that are not declared. @throws UserError */
export function refuseImported(title: string, properties: Properties): void {
  if (!(IMPORTED_PROPERTY in properties)) return;
  throw new UserError(
    `This entry of ${withArticle(title)} was imported with all values of the object, and an update would clear those that the program does not declare. First run \`pulumi up\` with the native plugin.`,
  );
}
