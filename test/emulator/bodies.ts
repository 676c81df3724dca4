/** Request bodies that are generated from the client's shapes, in the wire format. */
import fc from "fast-check";
import { androidInfoCreateShape, appleInfoCreateShape } from "../../provider/client/model";
import { type Operation, operations } from "../../provider/client/operations";
import { wireValue } from "../../provider/values/wire";
import { choice, object, type Shape } from "../../provider/shapes/shape";
import { type Path, places, replaced, valid } from "../support/values/shapeValues";

const APPLICATIONS: readonly Shape[] = [
  object({ appType: choice(["IOS"]), appleInfo: appleInfoCreateShape }),
  object({ appType: choice(["ANDROID"]), androidInfo: androidInfoCreateShape }),
  object({ appType: choice(["WEB"]) }),
];

/** The shapes of an operation's body, one for each variant. */
function shapesOf(operationId: string): readonly Shape[] {
  if (operationId === "createApplication") return APPLICATIONS;
  const { body } = (operations as Readonly<Record<string, Operation>>)[operationId] ?? {};
  return body === undefined ? [] : [body as Shape];
}

/** The operations with a body. */
export const OPERATIONS_WITH_BODY = Object.keys(operations).filter((id) => shapesOf(id).length > 0);

/** The value without nulls that stand for "not set", which the client does not send. */
function sent(shape: Shape, value: unknown): unknown {
  if (shape.item !== undefined && Array.isArray(value))
    return value.map((each) => sent(shape.item as Shape, each));
  if (shape.fields === undefined || value === null) return value;
  const { fields } = shape;
  const given = Object.entries(Object(value)).filter(
    ([name, each]) => each !== null || fields[name]?.nullable,
  );
  return Object.fromEntries(given.map(([name, each]) => [name, sent(fields[name] as Shape, each)]));
}

/** Bodies that an operation accepts. An update changes something. */
export function validBodies(operationId: string): fc.Arbitrary<unknown> {
  const bodies = shapesOf(operationId).map((shape) =>
    valid(shape, "some").map((value) => wireValue(shape, sent(shape, value))),
  );
  return fc.oneof(...bodies).filter((body) => Object.keys(Object(body)).length > 0);
}

/** What a shape has at a path. */
function at(shape: Shape | undefined, [step, ...rest]: Path): Shape | undefined {
  return step === undefined ? shape : at(shape?.item ?? shape?.fields?.[step], rest);
}

/** Bodies in which one field is as long as it may be, or longer by one, with whether an operation accepts them. */
export function bodiesAtLimits(operationId: string): (readonly [body: unknown, accepted: boolean])[] {
  return shapesOf(operationId).flatMap((shape) => {
    const [whole] = fc.sample(valid(shape, "all"), { seed: 1, numRuns: 1 });
    return places(shape).flatMap(({ path }) => {
      const { maxLength, maxItems, format, pattern } = at(shape, path)?.rules ?? {};
      const most = maxItems ?? maxLength;
      if (most === undefined) return [];
      const value = path.reduce<unknown>((inner, step) => Object(inner)[step], whole);
      const cases = [most, most + 1].map((length) => {
        if (Array.isArray(value)) return [Array(length).fill(value[0]), length === most] as const;
        const text = format === "uri" ? "https://x.example/" : String(value).replace(/[^ -~]/gu, "x");
        const long = text.padEnd(length, "x").slice(0, length);
        return [long, length === most && (pattern?.test(long) ?? true)] as const;
      });
      return cases.map(
        ([long, accepted]) => [wireValue(shape, replaced(whole, path, long)), accepted] as const,
      );
    });
  });
}

/** For each field: bodies with every field, of which this one has the wrong kind, format or length, or is missing. */
export function wrongBodies(operationId: string): fc.Arbitrary<unknown>[] {
  return shapesOf(operationId).flatMap((shape) =>
    places(shape)
      .filter(({ path }) => at(shape, path) !== undefined)
      .map(({ path, wrong }) =>
        fc
          .tuple(
            valid(shape, "all"),
            wrong.filter((bad) => bad !== null),
          )
          .map(([value, bad]) => wireValue(shape, replaced(value, path, bad))),
      ),
  );
}
