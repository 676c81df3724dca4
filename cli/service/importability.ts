/** Whether an object that was read can be declared and imported. */
import { BLANK } from "../../provider/client/sanitized";
import { isUnknown } from "../../provider/hosts/values";
import { validated } from "../../provider/lifecycle/operations/inputs";
import type { Reading } from "../../provider/lifecycle/operations/read";
import { type Properties, unknownPaths } from "../../provider/lifecycle/properties";
import type { Session } from "../../provider/session/session";
import { KINDS, type KindName } from "../objects/kinds";

/** An object as a program declares it; or why no program can. Sends no request. */
export function importability(
  session: Session,
  { kind, reading }: { readonly kind: KindName; readonly reading: Reading },
): { readonly reading: Reading; readonly problem?: string } {
  if (reading.lifecycle === "DELETING") return { reading, problem: "it is being deleted" };
  const { inputs, failures } = validated(
    { description: KINDS[kind], isUnknown: () => false },
    reading.inputs,
    false,
  );
  const unknown = unknownPaths(inputs, isUnknown);
  const reasons = [
    ...failures,
    ...unknown.map((path) => `${path} is the text that Pulumi uses for an unknown value`),
    ...(containsKey(session, inputs) ? ["it contains the API key"] : []),
  ];
  return reasons.length === 0
    ? // The validation drops the null of what an existing object lacks, and the types of a program require it.
      { reading: { ...reading, inputs: { ...reading.inputs, ...inputs } } }
    : {
        reading,
        problem: `${reasons.join("; ")}. Correct it in the service, or use a newer version of this package`,
      };
}

/** Whether the texts of an object contain the key, which a program must not. */
function containsKey({ client }: Session, inputs: Properties): boolean {
  const blanks = (values: Properties) => JSON.stringify(values).split(BLANK).length;
  return blanks(client.sanitized(inputs, { whole: true })) > blanks(inputs);
}
