/** Request bodies that are generated from the client's schemas, in the wire format. */
import fc from "fast-check";
import { z } from "zod";
import { type Operation, operations } from "../../provider/client/operations";
import { fieldsOf, itemOf, schemaAt, unwrapped } from "../../provider/values/schema";
import { wireValue } from "../../provider/values/wire";
import { places, replaced, rulesOf, valid } from "../support/values/schemaValues";

/** The schemas of an operation's body, one for each variant. */
function schemasOf(operationId: string): readonly z.ZodType[] {
  const { body } = (operations as Readonly<Record<string, Operation>>)[operationId] ?? {};
  if (body instanceof z.ZodUnion) return body.options as z.ZodType[];
  return body === undefined ? [] : [body];
}

/** The operations with a body. */
export const OPERATIONS_WITH_BODY = Object.keys(operations).filter((id) => schemasOf(id).length > 0);

/** The value without nulls that stand for "not set", which the client does not send. */
function sent(schema: z.ZodType, value: unknown): unknown {
  const [item, fields] = [itemOf(schema), fieldsOf(schema)];
  if (item !== undefined && Array.isArray(value)) return value.map((each) => sent(item, each));
  if (fields === undefined || value === null) return value;
  const given = Object.entries(Object(value)).flatMap(([name, each]) => {
    const field = fields[name];
    return field === undefined || (each === null && !unwrapped(field).nullable)
      ? []
      : [[name, sent(field, each)]];
  });
  return Object.fromEntries(given);
}

/** Bodies that an operation accepts. An update changes something. */
export function validBodies(operationId: string): fc.Arbitrary<unknown> {
  const bodies = schemasOf(operationId).map((schema) =>
    valid(schema, "some").map((value) => wireValue(schema, sent(schema, value))),
  );
  return fc.oneof(...bodies).filter((body) => JSON.stringify(body) !== "{}");
}

/** Bodies in which one value is null, or as long as it may be, or longer by one, with whether an operation accepts them. */
export function bodiesAtLimits(operationId: string): (readonly [body: unknown, accepted: boolean])[] {
  return schemasOf(operationId).flatMap((schema) => {
    const [whole] = fc.sample(valid(schema, "all"), { seed: 1, numRuns: 1 });
    return places(schema).flatMap(({ path }) => {
      const at = schemaAt(schema, path);
      if (at === undefined) return [];
      const { maxLength, maxItems, format, pattern, nullable, optional } = rulesOf(at);
      const body = (by: unknown) => wireValue(schema, replaced(whole, path, by));
      // The client requires a value where the service may be content with null.
      const absent = nullable || optional ? [[body(null), nullable] as const] : [];
      const most = maxItems ?? maxLength;
      if (most === undefined) return absent;
      const value = path.reduce<unknown>((inner, step) => Object(inner)[step], whole);
      const cases = [most, most + 1].map((length) => {
        if (Array.isArray(value)) return [Array(length).fill(value[0]), length === most] as const;
        const text = format === "url" ? "https://x.example/" : String(value).replace(/[^ -~]/gu, "x");
        const long = text.padEnd(length, "x").slice(0, length);
        return [long, length === most && (pattern?.test(long) ?? true)] as const;
      });
      return [...absent, ...cases.map(([long, accepted]) => [body(long), accepted] as const)];
    });
  });
}

/** For each field: bodies with every field, of which this one has the wrong kind, format or length, or is missing. */
export function wrongBodies(operationId: string): fc.Arbitrary<unknown>[] {
  return schemasOf(operationId).flatMap((schema) => {
    // To generate a whole body takes most of the time, and only one of its fields matters.
    const wholes = fc.constantFrom(...fc.sample(valid(schema, "all"), { seed: 1, numRuns: 5 }));
    return places(schema)
      .filter(({ path }) => schemaAt(schema, path) !== undefined)
      .map(({ path, wrong }) =>
        fc
          .tuple(
            wholes,
            wrong.filter((bad) => bad !== null),
          )
          .map(([value, bad]) => wireValue(schema, replaced(value, path, bad))),
      );
  });
}
