/**
 * What a new resource and a new field need beside their declaration, as far as nothing else fails without it: neither the
 * compiler nor test/pure/frozen.test.ts nor the tests of the classes. The steps are in CONTRIBUTING.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Operation, operations } from "../../provider/client/operations";
import { addsObject, existsInService } from "../../provider/lifecycle/creates";
import type { Properties } from "../../provider/lifecycle/properties";
import { EVERY_DESCRIPTION } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { type Fields, fieldsOf } from "../../provider/values/schema";
import { isRecord, valueAt } from "../../provider/values/walk";
import { ROOT } from "../release/package/programs";
import { fakeContext } from "../support/values/fakeClock";
import { type Kind, RESOURCE_EXAMPLES } from "../support/values/resourceExamples";

test.each(EVERY_DESCRIPTION)("$type is mentioned in CHANGELOG.md", ({ type }) => {
  expect(readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")).toContain(`\`${type}\``);
});

test.each(EVERY_DESCRIPTION)("$type has a list, as the response to a create may be lost", (description) => {
  expect(addsObject(description)).toBe(description.list !== undefined);
});

function pathsIn(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, field]) =>
    pathsIn(fieldsOf(field) ?? {})
      .map((path) => [name, ...path])
      .concat(fieldsOf(field) === undefined ? [[name]] : []),
  );
}

test.each(EVERY_DESCRIPTION)("every input of $type has two values in the examples", (description) => {
  const { valid, changes } = RESOURCE_EXAMPLES[description.type as Kind];
  const open = pathsIn(description.inputs.shape as Fields).flatMap((path) => {
    const valuesIn = (examples: readonly object[]) =>
      examples.map((each) => valueAt(each, path)).filter((value) => value != null);
    const [first] = valuesIn([valid[0]]);
    const after = valuesIn(changes.map(({ to }) => to));
    const changed = after.some((value) => isRecord(value) || value !== first);
    const task = (where: string) =>
      `Give ${path.join(".")} a value in ${where} of test/support/values/resourceExamples.ts.`;
    return [
      ...(valuesIn(valid).length > 0 ? [] : [task("a valid example")]),
      ...(changed ? [] : [task("a change, another than in the first example,")]),
    ];
  });
  expect(open).toEqual([]);
});

type Called = keyof typeof operations;

/** The scopes of the operations that calls send. What they make of the responses is tested elsewhere. */
async function scopesOf(...calls: readonly ((context: never) => Promise<unknown> | undefined)[]) {
  const called: Called[] = [];
  const own = fakeContext().client;
  const send = (operation: Called) => async () => {
    called.push(operation);
    return { lifecycleStatus: "FAILED" };
  };
  const get = (_: unknown, name: string) =>
    name in operations ? send(name as Called) : Reflect.get({ ...own, withOptions: () => client }, name);
  const client = new Proxy({}, { get });
  const scopes = ["projects:read", "domains:read"];
  const context = fakeContext({ client, scopes, organizationId: "" }) as never;
  for (const call of calls) await Promise.resolve(call(context)).catch(() => {});
  return [...new Set(called.map((operation) => (operations[operation] as Partial<Operation>).scope))].sort();
}

test.each(Object.entries(FUNCTIONS))("%s has the scopes of the operation that it calls", async (_, each) => {
  const read = (context: never) => each.read(context, { id: "", projectId: "" });
  expect(await scopesOf(read)).toEqual(each.kind.scopes.read);
});

test.each(EVERY_DESCRIPTION)("$type has the scopes of the operations that it calls", async (description) => {
  const { type, scopes, deletion } = description;
  expect(await scopesOf((context) => description.read(context, "", {}))).toEqual(scopes.read);
  const { valid, changes } = RESOURCE_EXAMPLES[type as Kind];
  for (const inputs of [...valid, ...changes.map(({ to }) => to)] as readonly Properties[]) {
    const found = { uuid: "", properties: inputs, createdAt: "" };
    const change = { inputs, changed: Object.keys(inputs), state: inputs };
    const sent = await scopesOf(
      (context) => description.create(context, inputs),
      (context) => description.update?.(context, "", change),
      (context) => description.waitUntilReady?.(context, found),
      (context) => deletion?.send(context, ""),
    );
    const { write } = scopes;
    const declared = [...scopes.read, ...(typeof write === "function" ? write(inputs) : write)].sort();
    expect([inputs, [...new Set([...scopes.read, ...sent])].sort()]).toEqual([inputs, declared]);
  }
  const kinds = (context: never) => deletion?.contents?.(context, "") ?? [];
  const listed = kinds(fakeContext() as never).map(async ({ scope }, index) => {
    expect(await scopesOf((context) => kinds(context)[index]?.list(1))).toEqual([scope]);
    return scope;
  });
  expect(await Promise.all(listed)).toEqual(scopes.contents ?? []);
});

test.each(EVERY_DESCRIPTION)("what $type refers to replaces it", ({ type, replaceOnChanges }) => {
  const [example] = RESOURCE_EXAMPLES[type as Kind].valid;
  const references = Object.entries(example).filter(([, value]) => isRecord(value) && "idOf" in value);
  expect(replaceOnChanges).toEqual(expect.arrayContaining(references.map(([name]) => name)));
});

test.each(EVERY_DESCRIPTION)(
  "the create of $type sends a write, unless it creates nothing",
  async (description) => {
    const [inputs] = RESOURCE_EXAMPLES[description.type as Kind].valid as readonly Properties[];
    const sent = await scopesOf((context) => description.create(context, inputs as Properties));
    expect(sent.some((scope) => scope?.endsWith(":write"))).toBe(existsInService(description));
  },
);
