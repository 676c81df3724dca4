/** The result of a command, in the form that tests read. */
import type { Diagnostic } from "../protocol/monitor";
import { separateSecrets } from "../protocol/paths";
import { nameInUrn, STACK_TYPE } from "../protocol/urn";
import { type Properties, unwrapSecrets } from "../protocol/values";
import type { ResourceState } from "../state/snapshot";
import type { Run } from "./run";
import type { Operation, RunStep } from "./step";

/** A resource with plain values. */
export interface TestResource extends Omit<ResourceState, "inputs" | "outputs"> {
  /** The logical name. */
  readonly name: string;
  /** The inputs, secrets unwrapped. */
  readonly inputs: Properties;
  /** The outputs, secrets unwrapped. */
  readonly outputs: Properties;
  /** The paths of secrets, such as `inputs.apiKey`. */
  readonly secrets: readonly string[];
}

/** One step of a command, in the order of completion. */
export interface TestStep {
  /** What was done. */
  readonly operation: Operation;
  /** The URN of the resource. */
  readonly urn: string;
  /** The type of the resource. */
  readonly type: string;
  /** The logical name of the resource. */
  readonly name: string;
  /** The id of the resource, if it has one. */
  readonly id?: string;
  /** The keys that require a replacement, and the changed keys, as far as the engine knows them. */
  readonly diff?: { readonly replaceKeys: readonly string[]; readonly changedKeys: readonly string[] };
  /** What a refresh found. */
  readonly result?: "same" | "update" | "delete";
  /** The resource before the step. Absent if it is new. */
  readonly old?: TestResource;
  /** The resource after the step. Absent if it was deleted. */
  readonly new?: TestResource;
}

/** The result of a command. */
export interface TestResult {
  /** The number of resources for each operation, as in the CLI's summary. Default providers are not counted. */
  readonly changes: Partial<Record<Operation, number>>;
  /** The steps, in the order of completion. */
  readonly steps: readonly TestStep[];
  /** All messages in order, including the output of program and hosts, except debug messages. */
  readonly diagnostics: readonly Diagnostic[];
  /** The stack outputs, secrets unwrapped. `UNKNOWN_VALUE` stands for a value that is not known in a preview. */
  readonly outputs: Record<string, unknown>;
  /** The resources after the command, or the planned ones in a preview. */
  readonly resources: readonly TestResource[];
}

/** The failure of a command. The message lists the errors and warnings. */
export class StackFailure extends Error {
  override readonly name = "StackFailure";

  constructor(
    /** The command: preview, up, refresh or destroy. */
    readonly command: string,
    /** What was done before. */
    readonly result: TestResult,
  ) {
    const loud = result.diagnostics.filter(({ severity, ephemeral }) => severity !== "info" && !ephemeral);
    const lines = loud.map(
      ({ severity, message, urn }) => `  ${severity}: ${urn ? `${urn}: ` : ""}${message}`,
    );
    super([`The ${command} failed:`, ...lines].join("\n"));
  }
}

function describeResource(state: ResourceState): TestResource {
  const inputs = separateSecrets(state.inputs ?? {});
  const outputs = separateSecrets(state.outputs ?? {});
  return {
    ...state,
    name: nameInUrn(state.urn),
    inputs: inputs.value,
    outputs: outputs.value,
    secrets: [
      ...inputs.secrets.map((path) => `inputs.${path}`),
      ...outputs.secrets.map((path) => `outputs.${path}`),
    ],
  };
}

function describeStep(step: RunStep): TestStep {
  const { urn, type, id } = (step.new ?? step.old) as ResourceState;
  return {
    operation: step.operation,
    urn,
    type,
    name: nameInUrn(urn),
    ...(id && { id }),
    ...((step.replaceKeys || step.changedKeys) && {
      diff: { replaceKeys: step.replaceKeys ?? [], changedKeys: step.changedKeys ?? [] },
    }),
    ...(step.result && { result: step.result }),
    ...(step.old && { old: describeResource(step.old) }),
    ...(step.new && { new: describeResource(step.new) }),
  };
}

export function describeRun(run: Run): TestResult {
  const { resources } = run.journal.snapshot();
  const stack = resources.find(({ type }) => type === STACK_TYPE);
  return {
    changes: run.record.changes,
    steps: run.record.steps.map(describeStep),
    diagnostics: run.outcome.diagnostics,
    outputs: unwrapSecrets(stack?.outputs ?? {}),
    resources: resources.map(describeResource),
  };
}
