/** Random responses that the description of the interface allows, independently of the client. */
import fc from "fast-check";
import { type Contract, loadContract } from "../../../testing/emulator/contract/contract";
import { matching, unicodeText, webAddress } from "./text";

type Spec = {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Spec;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly required?: readonly string[];
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: webAddress,
  "date-time": fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
};

/** The operations whose success has content, with random contents. */
export function validResponses(): (readonly [operationId: string, content: fc.Arbitrary<unknown>])[] {
  const contract = loadContract("openapi.yaml");
  return contract.operations.flatMap(({ operationId, answers }) => {
    const content = [...answers].find(([status]) => status < 300)?.[1];
    return content === undefined ? [] : [[operationId, allowedBy(contract, content)] as const];
  });
}

function allowedBy(contract: Contract, spec: Spec): fc.Arbitrary<unknown> {
  if (spec.$ref !== undefined) {
    const name = spec.$ref.replace("#/components/schemas/", "");
    return allowedBy(contract, contract.document.components.schemas[name] as Spec);
  }
  const { nullable = false, ...rest } = spec;
  if (nullable) return fc.option(allowedBy(contract, rest));
  if (spec.enum !== undefined) return fc.constantFrom(...spec.enum);
  switch (spec.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.nat();
    case "array":
      return fc.array(allowedBy(contract, spec.items ?? {}), {
        minLength: spec.minItems ?? 0,
        maxLength: Math.min(3, spec.maxItems ?? 3),
      });
    case "object": {
      const fields = Object.entries(spec.properties ?? {}).map(([name, each]) => [
        name,
        allowedBy(contract, each),
      ]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...(spec.required ?? [])] as never[] });
    }
    default: {
      const { minLength = 0, maxLength = 60 } = spec;
      if (spec.pattern !== undefined) return matching(new RegExp(spec.pattern));
      return FORMATS[spec.format ?? ""] ?? unicodeText({ minLength, maxLength });
    }
  }
}
