/** Whether an object that was read can be declared and imported. */
import { BLANK } from "../../provider/client/sanitized";
import { isUnknown } from "../../provider/hosts/values";
import { check } from "../../provider/lifecycle/operations";
import type { Reading } from "../../provider/lifecycle/operations/read";
import { type Properties, unknownPaths } from "../../provider/lifecycle/properties";
import type { RunContext } from "../../provider/lifecycle/run/runContext";
import { KINDS, type KindName } from "../objects/kinds";

/** An object as a program declares it; or why no program can. Sends no request. */
export async function importability(
  run: RunContext,
  { kind, reading }: { readonly kind: KindName; readonly reading: Reading },
): Promise<{ readonly reading: Reading; readonly problem?: string }> {
  if (reading.lifecycle === "DELETING") return { reading, problem: "it is being deleted" };
  const { inputs, failures } = await check(
    { ...run, description: KINDS[kind] },
    {
      inputs: reading.inputs,
      isNew: false,
    },
  );
  const unknown = unknownPaths(inputs, isUnknown);
  const reasons = [
    ...failures,
    ...unknown.map((path) => `${path} is the text that Pulumi uses for an unknown value`),
    ...(containsKey(run, inputs) ? ["it contains the API key"] : []),
  ];
  return reasons.length === 0
    ? // A check drops the null of what an existing object lacks, and the types of a program require it.
      { reading: { ...reading, inputs: { ...reading.inputs, ...inputs } } }
    : {
        reading,
        problem: `${reasons.join("; ")}. Correct it in the service, or use a newer version of this package`,
      };
}

/** Whether the texts of an object contain the key, which a program must not. */
function containsKey({ session }: RunContext, inputs: Properties): boolean {
  const blanks = (values: Properties) => JSON.stringify(values).split(BLANK).length;
  return blanks(session.client.sanitized(inputs, { whole: true })) > blanks(inputs);
}
