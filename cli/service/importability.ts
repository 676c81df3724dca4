/** Whether an object that was read can be declared and imported. */
import { isUnknown } from "../../provider/hosts/values";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import { type Properties, unknownPaths } from "../../provider/lifecycle/properties";
import type { RunContext } from "../../provider/lifecycle/run/runContext";
import type { ShapeFields } from "../../provider/shapes/shape";
import { KINDS, type KindName } from "../objects/kinds";

/** What needs review about an object, or why it cannot be imported. */
export interface ImportProblem {
  /**
   * `undeclarable` if no program can declare it, `unknownValue` if only a newer version of this package may be able to;
   * otherwise the status of a custom domain.
   */
  readonly reason: "undeclarable" | "unknownValue" | "DELETING" | "FAILED" | "EXPIRED";
  /** What is wrong with this object in particular. */
  readonly detail?: string;
  /** All of it in a sentence that names the object by its UUID. */
  readonly message: string;
}

/** Whether an object can be imported, and what the user needs to know about it. */
export interface Importability {
  /** The object to import; absent if it cannot be imported. */
  readonly reading?: Reading;
  readonly problem?: ImportProblem;
}

/** Decides whether a program can declare an object in its current state. Sends no request. */
export async function importability(
  run: RunContext,
  { kind, reading }: { readonly kind: KindName; readonly reading: Reading },
): Promise<Importability> {
  const { uuid, lifecycle } = reading;
  const { check, description } = KINDS[kind];
  const subject = `${description.title} ${uuid}`;
  if (lifecycle === "DELETING") {
    return {
      problem: { reason: lifecycle, message: `${subject} cannot be imported: it is being deleted.` },
    };
  }
  const { inputs, failures } = await check(run, { inputs: reading.inputs, isNew: false });
  const unknown = unknownPaths(inputs, isUnknown);
  const detail = [
    ...failures,
    ...unknown.map((path) => `${path} is the text that Pulumi uses for an unknown value`),
  ].join("; ");
  if (detail !== "") {
    const isNew = hasUnknownChoice(description.inputs, reading.inputs);
    const advice = isNew
      ? "This version does not know the value: use a newer version of this package."
      : "Correct it in the service first.";
    const message = `${subject} cannot be imported: ${detail}. ${advice}`;
    return { problem: { reason: isNew ? "unknownValue" : "undeclarable", detail, message } };
  }
  const importable = { reading: { ...reading, inputs } };
  if (lifecycle !== "FAILED" && lifecycle !== "EXPIRED") return importable;
  const message = `${subject} is ${lifecycle}: it is declared, but serves no links.`;
  return { ...importable, problem: { reason: lifecycle, message } };
}

/** Whether an input is none of the values that this version knows. The service may add values. */
function hasUnknownChoice(fields: ShapeFields, inputs: Properties): boolean {
  return Object.entries(fields).some(([name, { values }]) => {
    const value = inputs[name];
    return values !== undefined && typeof value === "string" && !values.includes(value);
  });
}
