/** Which objects the error of a create or update lists that the service has refused with 409. */
import { explainConflict } from "../../../provider/lifecycle/create/conflict";
import type { Found, ResourceDescription } from "../../../provider/lifecycle/description";
import { objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { fakeContext } from "../../support/values/fakeClock";
import { CONFLICT } from "../lifecycle/things";

type Refused = Parameters<typeof explainConflict>[3];

/** The lines of the error after that of the service. */
async function explained(
  kind: object,
  refused: Partial<Refused> = {},
  client: object = fakeContext().client,
  memory = newRunMemory(),
) {
  const wanted = {
    description: { title: "thing", uniqueBy: "name", ...kind } as ResourceDescription,
    context: fakeContext({ client }),
    inputs: { name: "Shop" },
  };
  const error = await explainConflict(memory, wanted, CONFLICT, { by: "mine", ...refused });
  expect(error.cause).toBe(CONFLICT);
  const [first, ...lines] = error.message.split("\n");
  expect(first).toBe(CONFLICT.message);
  return lines;
}

function named(...names: string[]): () => Promise<readonly Found[]> {
  return async () =>
    names.map((name, index) => ({ uuid: `object-${index}`, properties: { name }, createdAt: "then" }));
}

test.each<[situation: string, kind: object, isCreatedSince: boolean, uuid: string | undefined]>([
  ["has the name", { list: named("Blog", "Shop") }, false, "object-1"],
  ["has the name, with new ones", { list: named("Shop", "Blog") }, true, "object-0"],
  ["differs in case", { list: named("shop") }, false, "object-0"],
  ["has spaces and another case", { list: named("SH OP\t") }, false, "object-0"],
  ["has another name, and is new", { list: named("Blog") }, true, "object-0"],
  ["is of another kind", { uniqueAmong: named("Other", "Shop") }, false, "object-1"],
  ["does not exist", {}, false, undefined],
])("an object that %s is listed (new: %s): %s", async (_situation, kind, isCreatedSince, uuid) => {
  const lines = await explained(kind, { isCreatedSince: () => isCreatedSince });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.match(/object-\d/)?.[0]).toBe(uuid);
  if (uuid === undefined)
    expect(lines[0]).toMatch(/^The API key finds no thing .* may list it later.*run this again in a minute/);
});

test("by default, an object is not listed because it is new", async () => {
  expect((await explained({ list: named("Blog") })).join()).not.toContain("object");
});

test.each<[use: string, by?: string, lifecycle?: string]>([
  [". Choose another name."],
  [" of the resource other. Choose another name.", "other"],
  [", which is being deleted. Run `pulumi up` again when it is gone.", "other", "DELETING"],
])("used by object-0%s, from a list that ends after ten seconds", async (use, ...[by, lifecycle]) => {
  const client = { ...fakeContext().client, withOptions: jest.fn() };
  const list = async () => [{ ...(await named("Shop")())[0], lifecycle }];
  const memory = newRunMemory();
  memory.ledger.record({ is: "created", object: objectKey("thing", "object-0"), by });
  const deletion = { isUnderWay: (found: Found) => found.lifecycle === "DELETING" };
  const lines = await explained({ list, deletion } as object, { before: {} }, client, memory);
  expect(lines).toEqual([`The name is used by thing object-0${use}`]);
  expect(client.withOptions.mock.calls).toEqual([[{ deadline: 10_000 }]]);
});

test("the reason is shown if the objects cannot be listed", async () => {
  const lines = await explained({ list: () => Promise.reject(new Error("403 Forbidden")) });
  expect(lines).toEqual([expect.stringContaining("403 Forbidden")]);
});

test("a kind without a unique value has nothing to list", async () => {
  expect(await explained({ uniqueBy: undefined, list: () => Promise.reject(CONFLICT) })).toEqual([]);
});
