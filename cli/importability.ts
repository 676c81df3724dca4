/** Whether an object that was read can be declared and imported. */
import { isUnknown } from "../provider/hosts/values";
import type { Reading } from "../provider/lifecycle/operations";
import { unknownPaths } from "../provider/lifecycle/properties";
import type { RunContext } from "../provider/lifecycle/runContext";
import { KINDS, type KindName } from "./kinds";

/** Whether an object can be imported, and what the user needs to know about it. */
export interface Importability {
  /** The object to import; absent if it cannot be imported. */
  readonly reading?: Reading;
  /** What needs review, or why the object cannot be imported. */
  readonly problem?: string;
}

/** Decides whether a program can declare an object in its current state. Sends no request. */
export async function importability(
  run: RunContext,
  { kind, reading }: { readonly kind: KindName; readonly reading: Reading },
): Promise<Importability> {
  const { uuid, lifecycle } = reading;
  const { check, description } = KINDS[kind];
  const subject = `${description.title} ${uuid}`;
  if (lifecycle === "DELETING") return { problem: `${subject} cannot be imported: it is being deleted.` };
  const { inputs, failures } = await check(run, { inputs: reading.inputs, isNew: false });
  const unknown = unknownPaths(inputs, isUnknown);
  const reasons = [
    ...failures,
    ...unknown.map((path) => `${path} is the text that Pulumi uses for an unknown value`),
  ];
  if (reasons.length > 0) {
    return {
      problem: `${subject} cannot be imported: ${reasons.join("; ")}. Correct it in the service first.`,
    };
  }
  const warning =
    lifecycle === "FAILED" || lifecycle === "EXPIRED"
      ? { problem: `${subject} is ${lifecycle}: it is declared, but serves no links.` }
      : {};
  return { reading: { ...reading, inputs }, ...warning };
}
