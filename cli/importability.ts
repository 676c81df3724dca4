/** Whether an object that was read can be declared and imported. */
import { UNKNOWN_VALUE } from "../provider/hosts/dynamic/names";
import type { Reading } from "../provider/lifecycle/operations";
import { unknownPaths } from "../provider/lifecycle/properties";
import type { RunContext } from "../provider/lifecycle/runContext";
import { KINDS, type KindName } from "./kinds";

/** What is to be said of an object that was read. */
export interface Importability {
  /** The object as it is imported; absent when it cannot be. */
  readonly reading?: Reading;
  /** What needs to be looked at, or why it cannot be imported. */
  readonly problem?: string;
}

/** Tells whether a program can declare an object as it is. Sends nothing. */
export async function importability(
  host: RunContext,
  { kind, reading }: { readonly kind: KindName; readonly reading: Reading },
): Promise<Importability> {
  const { uuid, lifecycle } = reading;
  const { check, description } = KINDS[kind];
  const subject = `${description.title} ${uuid}`;
  if (lifecycle === "DELETING") return { problem: `${subject} cannot be imported: it is being deleted.` };
  const { inputs, failures } = await check(host, { inputs: reading.inputs, isNew: false });
  const marks = unknownPaths(inputs, (value) => value === UNKNOWN_VALUE);
  const reasons = [
    ...failures,
    ...marks.map((path) => `${path} is the text that Pulumi takes for a value not known yet`),
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
