/**
 * What a new resource and a new field need beside their declaration, as far as nothing else fails without it: neither the
 * compiler nor test/pure/frozen.test.ts nor the tests of the classes. The steps are in CONTRIBUTING.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Operation, operations } from "../../provider/client/operations";
import { addsObject } from "../../provider/lifecycle/creates";
import { EVERY_DESCRIPTION } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { type Fields, fieldsOf } from "../../provider/values/schema";
import { isRecord, valueAt } from "../../provider/values/walk";
import { ROOT } from "../release/package/unpackedProgram";
import { type Kind, RESOURCE_EXAMPLES } from "../support/values/resourceExamples";

test.each(EVERY_DESCRIPTION)("$type is mentioned in CHANGELOG.md", ({ type }) => {
  expect(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")).toContain(`\`${type}\``);
});

test.each(EVERY_DESCRIPTION)(
  "$type has a list, or its create adds no object: the response to a create may be lost",
  (description) => {
    expect(addsObject(description)).toBe(description.list !== undefined);
  },
);

function pathsIn(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, field]) =>
    pathsIn(fieldsOf(field) ?? {})
      .map((path) => [name, ...path])
      .concat(fieldsOf(field) === undefined ? [[name]] : []),
  );
}

test.each(EVERY_DESCRIPTION)(
  "every input of $type has a value in an example, and another one in a change",
  (description) => {
    const { valid, changes } = RESOURCE_EXAMPLES[description.type as Kind];
    const open = pathsIn(description.inputs.shape as Fields).flatMap((path) => {
      const valuesIn = (examples: readonly object[]) =>
        examples.map((each) => valueAt(each, path)).filter((value) => value != null);
      const [first] = valuesIn([valid[0]]);
      const changed = valuesIn(changes.map(({ to }) => to)).some(
        (value) => isRecord(value) || value !== first,
      );
      const task = (where: string) =>
        `Give ${path.join(".")} a value in ${where} of test/support/values/resourceExamples.ts.`;
      return [
        ...(valuesIn(valid).length > 0 ? [] : [task("a valid example")]),
        ...(changed ? [] : [task("a change, another than in the first example,")]),
      ];
    });
    expect(open).toEqual([]);
  },
);

test.each(Object.entries(FUNCTIONS))("%s has the scopes of the operation that it calls", async (_, each) => {
  const called: (keyof typeof operations)[] = [];
  const call = (_: unknown, operation: keyof typeof operations) => async () => void called.push(operation);
  const context = { client: new Proxy({}, { get: call }), organizationId: "" };
  // What it makes of the missing response is tested elsewhere.
  await each.read(context as never, { id: "", projectId: "" }).catch(() => {});
  const needed = called.map((operation) => (operations[operation] as Partial<Operation>).scope);
  expect(needed).toEqual(each.kind.scopes.read);
});
