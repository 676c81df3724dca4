/** Which objects the error of a create or update lists that the service has refused with 409. */
import { ConflictError } from "../../../provider/client/errors";
import { explainConflict } from "../../../provider/lifecycle/create/conflict";
import type { Wanted } from "../../../provider/lifecycle/create/wanted";
import type { Found } from "../../../provider/lifecycle/description";
import { type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import type { Properties } from "../../../provider/lifecycle/properties";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";

const CAUSE = new ConflictError(
  { operation: "createProject", activity: "Creating the project", attempts: 1, effect: "none" },
  { status: 409, messages: [] },
);

interface Kind {
  readonly uniqueBy?: string | undefined;
  list?(): Promise<readonly Found[]>;
  uniqueAmong?(): Promise<readonly Found[]>;
}

function named(...names: string[]): readonly Found[] {
  return names.map((name, index) => ({
    uuid: `object-${index}`,
    properties: { name },
    createdAt: "2026-01-01T10:00:00Z",
  }));
}

interface Situation {
  readonly isCreatedSince?: (found: Found) => boolean;
  readonly before?: Properties;
  readonly deletesFirst?: boolean;
  readonly facts?: readonly (readonly [is: FactKind, by: string])[];
  readonly deadlines?: Set<unknown>;
}

async function explained(kind: Kind, { facts = [], deadlines = new Set(), ...refused }: Situation = {}) {
  const client = {
    sanitized: (text: string) => text,
    withOptions: ({ deadline }: { readonly deadline: number }) => deadlines.add(deadline),
  };
  const wanted = {
    description: { title: "thing", uniqueBy: "name", ...kind },
    context: { client, clock: { now: () => 0 } },
    inputs: { name: "Shop" },
  } as unknown as Wanted;
  const memory = newRunMemory();
  for (const resource of ["mine", "its"]) memory.checked.add(resource, resource);
  for (const [is, by] of facts) memory.ledger.record({ is, by, object: objectKey("thing", "object-0") });
  const error = await explainConflict(memory, wanted, CAUSE, { by: "mine", ...refused });
  expect(error.cause).toBe(CAUSE);
  const [first, ...lines] = error.message.split("\n");
  expect(first).toBe(CAUSE.message);
  return lines;
}

function lists(...names: string[]): Kind {
  return { list: async () => named(...names) };
}

test.each<[situation: string, kind: Kind, isCreatedSince: boolean, uuids: readonly string[]]>([
  ["has the name", lists("Blog", "Shop"), false, ["object-1"]],
  ["has the name, with new ones", lists("Shop", "Blog"), true, ["object-0"]],
  ["differs in case", lists("shop"), false, ["object-0"]],
  ["has spaces and another case", lists("SH OP\t"), false, ["object-0"]],
  ["has another name, and is new", lists("Blog"), true, ["object-0"]],
  ["is of another kind", { uniqueAmong: async () => named("Other", "Shop") }, false, ["object-1"]],
  ["does not exist", {}, false, []],
])("an object that %s: %j (new: %s) is listed: %j", async (_situation, kind, isCreatedSince, uuids) => {
  const lines = await explained(kind, { isCreatedSince: () => isCreatedSince });
  expect(lines).toHaveLength(1);
  if (uuids.length === 0)
    expect(lines[0]).toMatch(/^The API key finds no thing .* may list it later.*run this again in a minute/);
  for (const [index, line] of lines.entries())
    expect(line.match(/object-\d/)?.[0]).toBe(uuids.length === 0 ? undefined : uuids[index]);
});

test("by default, an object is not listed because it is new", async () => {
  expect((await explained(lists("Blog"))).join()).not.toContain("object");
});

const IN_PROJECT = { kind: { parentId: "project" } };
const IT = "object-0. If this resource was renamed or moved, add `aliases`.";
const ADOPT = 'If no stack manages it, adopt it: set the option `import` to "object-0"';
const OTHERWISE =
  "Otherwise, choose another name; with `--replace`, set `deleteBeforeReplace`, unless it is set.";

test.each<[string, Situation & { readonly kind?: object }, does: string]>([
  [
    "a new resource",
    {},
    `${IT} ${ADOPT} (\`npx pulumi-dynamiclink discover object-0\` prints all that is in it). ${OTHERWISE}`,
  ],
  ["one in a project", IN_PROJECT, `${IT} ${ADOPT}. ${OTHERWISE}`],
  // A refresh reads all objects of the state, also those of resources that the program has renamed.
  ["of a former resource", { ...IN_PROJECT, facts: [["seen", "former"]] }, `${IT} ${ADOPT}. ${OTHERWISE}`],
  [
    "one that is deleted first under --replace",
    { deletesFirst: true },
    `${IT} If \`--replace\` replaces it, it is deleted first. Otherwise, choose another name.`,
  ],
  ["one that is renamed", { before: {} }, "object-0. Choose another name."],
  ["of another resource", { facts: [["seen", "its"]] }, "object-0 of the resource its. Choose another name."],
  [
    "that is replaced",
    { facts: [["replacing", "mine"]] },
    "object-0, which this resource replaces. Set the option `deleteBeforeReplace`, unless it is set.",
  ],
])("an object in use, for %s: the likeliest cause first", async (_name, { kind, ...situation }, does) => {
  const deadlines = new Set();
  const lines = await explained({ ...lists("Shop", "Shop"), ...kind }, { ...situation, deadlines });
  expect(lines).toEqual([`The name is used by thing ${does}`]);
  expect([...deadlines]).toEqual([10_000]);
});

test("the reason is shown if the objects cannot be listed", async () => {
  const lines = await explained({ list: () => Promise.reject(new Error("403 Forbidden")) });
  expect(lines).toEqual([expect.stringContaining("403 Forbidden")]);
});

test("a kind without a unique value has nothing to list", async () => {
  expect(await explained({ uniqueBy: undefined, list: () => Promise.reject(CAUSE) })).toEqual([]);
});
