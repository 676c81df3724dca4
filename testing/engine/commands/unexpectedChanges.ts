/** What `expectNoChanges` reports. */
import { isDeepStrictEqual } from "node:util";
import type { TestResult, TestStep } from "../run/result";

/** Operations that change nothing. */
const UNCHANGING: readonly string[] = ["same", "read", "discard", "read-replacement"];

/** Steps that are part of another one. */
const PARTS: readonly string[] = ["create-replacement", "delete-replaced", "discard-replaced"];

/** A message that lists the changes of a command, or undefined if there are none. */
export function unexpectedChanges({ changes, steps }: TestResult): string | undefined {
  const counts = Object.entries(changes).filter(([operation]) => !UNCHANGING.includes(operation));
  if (counts.length === 0) return undefined;
  const summary = counts.map(([operation, count]) => `${operation}: ${count}`).join(", ");
  const lines = steps.filter(isChange).map((step) => `    ${describeChange(step)}`);
  return [`No changes were expected, but there are some (${summary}):`, ...lines].join("\n");
}

function isChange({ operation, result }: TestStep): boolean {
  return ![...UNCHANGING, ...PARTS].includes(result ?? operation);
}

/** A change with the names of the properties, such as `update shop (…:Project): name`. */
function describeChange(step: TestStep): string {
  const properties = step.diff?.changedKeys ?? changedOutputs(step);
  const change = `${step.result ?? step.operation} ${step.name} (${step.type})`;
  return properties.length === 0 ? change : `${change}: ${properties.join(", ")}`;
}

/** The outputs that a refresh found changed. */
function changedOutputs({ old, new: now }: TestStep): readonly string[] {
  if (old === undefined || now === undefined) return [];
  const names = new Set([...Object.keys(old.outputs), ...Object.keys(now.outputs)]);
  return [...names].filter((name) => !isDeepStrictEqual(old.outputs[name], now.outputs[name])).sort();
}
