/** The steps that a run has completed, and their numbers in its summary. */
import { isProviderType, nameInUrn } from "../protocol/urn";
import type { ResourceState } from "../state/snapshot";
import type { Operation, RunStep } from "./step";

/** Operations that the summary does not count: they are part of another one, or change nothing. */
const UNCOUNTED: readonly Operation[] = [
  "create-replacement",
  "delete-replaced",
  "read-replacement",
  "discard-replaced",
  "remove-pending-replace",
  "refresh",
];

export function stepRecord() {
  const steps: RunStep[] = [];
  const changes: Partial<Record<Operation, number>> = {};
  return {
    steps,
    changes,
    /** Adds a completed step, and counts it as the summary does. */
    add(step: RunStep, count = !UNCOUNTED.includes(step.operation)): void {
      steps.push(step);
      const { urn, type } = (step.new ?? step.old) as ResourceState;
      const isDefaultProvider = isProviderType(type) && nameInUrn(urn).startsWith("default");
      if (!count || isDefaultProvider) return;
      const operation = step.result ?? step.operation;
      changes[operation] = (changes[operation] ?? 0) + 1;
    },
  };
}
