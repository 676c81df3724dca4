import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment, ResourceState } from "../../testing/engine";
import { findInstalledPulumiCli } from "../support/pulumiCli";
import { type ComparedStack, cliStack } from "./cliStack";
import { type Declared, type Rest, thing, thingStack, thingUrn } from "./things";

const cli = findInstalledPulumiCli();

/** One command on a program. */
interface Move {
  declare?: Declared[];
  rest?: Rest;
  run: (stack: ComparedStack) => Promise<unknown>;
}

const up = (declare: Declared[], rest: Rest = {}): Move => ({ declare, rest, run: (stack) => stack.up() });

/** What both have to agree on: how the command ended, what the provider was asked, what the state says. */
interface Observed {
  changes: unknown;
  calls: string[];
  resources: unknown[];
}

/** A state without what differs from run to run: times, source positions, ids of providers, order of dependencies. */
function comparable({ deployment }: Deployment): unknown[] {
  const text = JSON.stringify(deployment.resources ?? []);
  const resources = JSON.parse(
    text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      id === "04da6b54-80e4-46f7-96ec-b56ff0331ba9" ? id : "provider-id",
    ),
  ) as (ResourceState & Record<string, unknown>)[];
  const order = ({ urn, id = "" }: ResourceState): string => `${urn} ${id}`;
  resources.sort((left, right) => order(left).localeCompare(order(right)));
  return resources.map(({ created, modified, sourcePosition, stackTrace, ...state }) => ({
    ...state,
    ...(created !== undefined && { created: "some time" }),
    ...(state.dependencies && { dependencies: state.dependencies.toSorted() }),
    ...(state.propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(state.propertyDependencies)
          .filter(([, urns]) => urns?.length > 0)
          .map(([name, urns]) => [name, urns.toSorted()]),
      ),
    }),
  }));
}

async function observe(stack: ComparedStack, moves: readonly Move[]): Promise<Observed[]> {
  const observed: Observed[] = [];
  for (const { declare, rest, run } of moves) {
    if (declare) stack.declare(declare, rest);
    let changes: unknown;
    try {
      changes = ((await run(stack)) as { changes?: unknown }).changes;
    } catch (error) {
      if (process.env.VERBOSE) console.log(stack.directory, (error as Error).message);
      changes = "failed";
    }
    if (process.env.VERBOSE) console.log(stack.directory, JSON.stringify(changes));
    observed.push({
      changes,
      calls: stack.calls().toSorted(),
      resources: comparable(await stack.exportState({ showSecrets: true })),
    });
  }
  return observed;
}

const provider = (name: string, key: unknown): Declared => ({ kind: "provider", name, inputs: { key } });
const by = (name: string) => ({ provider: { resource: name } });
const inside = (name: string) => ({ parent: { resource: name } });
const group = (name: string, options: Record<string, unknown> = {}): Declared => ({
  kind: "group",
  name,
  options,
});
const change =
  (label: string, edit: (thing: Record<string, unknown>) => void): Move["run"] =>
  async (stack) => {
    const file = join(stack.directory, `${label}.json`);
    const content = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    edit(content);
    writeFileSync(file, JSON.stringify(content));
  };
const vanish =
  (label: string): Move["run"] =>
  async (stack) =>
    rmSync(join(stack.directory, `${label}.json`));
const note = (output: string) => ({ note: { output } });
const owner = (output: string) => ({ owner: { output } });

const scenarios: Record<string, Move[]> = {
  "providers and components": [
    up([
      provider("p", "one"),
      group("g", { providers: [{ resource: "p" }] }),
      group("h", inside("g")),
      thing("a", {}, inside("h")),
      thing("b", {}, by("p")),
      thing("c"),
    ]),
    {
      declare: [
        provider("p", "two"),
        group("g", { providers: [{ resource: "p" }] }),
        group("h", inside("g")),
        thing("a", {}, inside("h")),
        thing("b", {}, by("p")),
        thing("c", {}, by("p")),
      ],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    {
      declare: [
        thing("c"),
        provider("p", { output: "c.handle" }),
        thing("b", { size: 4 }, by("p")),
        thing("d", {}, by("p")),
      ],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    { run: (stack) => stack.destroy() },
  ],
  secrets: [
    up(
      [
        thing(
          "a",
          { pass: { secret: "s3cret" }, deep: { x: { secret: "q" }, y: 1 }, list: [1, { secret: 2 }] },
          { additionalSecretOutputs: ["handle"] },
        ),
        thing("b", note("a.handle")),
      ],
      { outputs: { h: { output: "a.handle" }, n: { output: "a.deep" } } },
    ),
    up([
      thing("a", { pass: { secret: "other" }, deep: { x: { secret: "q" }, y: 1 } }),
      thing("b", note("a.handle")),
    ]),
    { run: (stack) => stack.refresh() },
  ],
  failures: [
    {
      declare: [thing("a"), thing("b", { label: "" }, { dependsOn: { resource: "a" } })],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    up([
      thing("a"),
      thing("c", { fail: "create" }, { dependsOn: { resource: "a" } }),
      thing("d", {}, { dependsOn: { resource: "c" } }),
    ]),
    up([thing("a"), thing("c", { fail: "init" })]),
    up([thing("a"), thing("c", { fail: "init" })]),
    up([thing("a"), thing("c")]),
    up([thing("a"), thing("c", { fail: "init", size: 3 })]),
    up([thing("a"), thing("c", { fail: "update" })]),
    up([thing("a"), thing("c", { fail: "delete" })]),
    up([thing("a")]),
    up([thing("a")], { fail: "the program broke" }),
    up([thing("a"), thing("a")]),
  ],
  "replacement, the new one first": [
    up([thing("a", { kind: "x" }), thing("b", note("a.handle")), thing("c", owner("a.handle"))]),
    {
      declare: [thing("a", { kind: "y" }), thing("b", note("a.handle")), thing("c", owner("a.handle"))],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    { run: (stack) => stack.up({ replace: [thingUrn("b")] }) },
  ],
  "replacement, the old one first": [
    up([
      thing("a", { kind: "x", deleteFirst: true }),
      thing("b", note("a.handle")),
      thing("c", owner("a.handle")),
      thing("d", note("c.handle")),
    ]),
    {
      declare: [
        thing("a", { kind: "y", deleteFirst: true }),
        thing("b", note("a.handle")),
        thing("c", owner("a.handle")),
        thing("d", note("c.handle")),
      ],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    up([thing("a", { kind: "z" }, { deleteBeforeReplace: true }), thing("b", note("a.handle"))]),
    up([
      thing("a", { kind: "zz", fail: "create" }, { deleteBeforeReplace: true }),
      thing("b", note("a.handle")),
    ]),
    up([thing("a", { kind: "zz" }, { deleteBeforeReplace: true }), thing("b", note("a.handle"))]),
    {
      declare: [thing("a", { kind: "zzz", deleteFirst: true }), thing("b", note("a.handle"))],
      run: (stack) => stack.up(),
    },
  ],
  "protect, retainOnDelete, deletedWith": [
    up([
      thing("a", {}, { protect: true }),
      thing("b", note("a.handle")),
      thing("r", {}, { retainOnDelete: true }),
      thing("w", {}, { deletedWith: { resource: "b" } }),
    ]),
    up([thing("a", { kind: "new" }, { protect: true }), thing("b", note("a.handle"))]),
    up([thing("b")]),
    { run: (stack) => stack.destroy() },
    up([thing("a"), thing("w", {}, { deletedWith: { resource: "a" } })]),
    up([thing("a", { kind: "new" }), thing("w", {}, { deletedWith: { resource: "a" } })]),
    { run: (stack) => stack.destroy() },
  ],
  aliases: [
    up([
      group("g"),
      thing("a", {}, inside("g")),
      thing("b", note("a.handle")),
      provider("p", "k"),
      thing("c", {}, by("p")),
    ]),
    up([
      group("h", { aliases: [{ name: "g" }] }),
      thing("a", {}, inside("h")),
      thing("b2", note("a.handle"), { aliases: [{ name: "b" }] }),
      { ...provider("q", "k"), options: { aliases: [{ name: "p" }] } },
      thing("c", {}, by("q")),
    ]),
    up([
      group("h"),
      thing("a", {}, inside("h")),
      thing("b2", note("a.handle")),
      provider("q", "k"),
      thing("c", {}, by("q")),
    ]),
    up([thing("a", {}, { aliases: [{ parent: { resource: "h" } }] })]),
  ],
  "ignoreChanges and replaceOnChanges": [
    up([thing("a", { size: 1, tags: { x: 1, y: 1 }, list: [1, 2] }), thing("b", { tags: { x: 1 } })]),
    up([
      thing(
        "a",
        { size: 2, tags: { x: 2, y: 2 }, list: [3, 4] },
        { ignoreChanges: ["size", "tags.x", "list[0]"] },
      ),
      thing("b", { tags: { x: 2 } }, { replaceOnChanges: ["tags.x"] }),
    ]),
    up([
      thing("a", { size: 2, tags: { x: 2, y: 2 }, list: [3, 4] }, { ignoreChanges: ["*"] }),
      thing("b", { tags: { x: 2 }, size: 3 }, { replaceOnChanges: ["tags.x"] }),
    ]),
  ],
  "reading, refreshing": [
    up([thing("a"), thing("b", note("a.handle")), thing("c")]),
    {
      declare: [
        thing("a"),
        thing("b", note("a.handle")),
        { kind: "get", name: "g", inputs: { id: "c-1" } },
        thing("c"),
      ],
      run: (stack) => stack.preview(),
    },
    { run: (stack) => stack.up() },
    { run: (stack) => stack.up() },
    {
      run: change("a-1", (thing) => {
        thing.size = 9;
      }),
    },
    { run: (stack) => stack.preview({ refresh: true }) },
    { run: (stack) => stack.refresh() },
    { run: (stack) => stack.up() },
    { run: vanish("a-1") },
    { run: (stack) => stack.refresh() },
    { run: (stack) => stack.up({ refresh: true }) },
    up([
      thing("a"),
      { kind: "get", name: "b", inputs: { id: "c-1" } },
      { kind: "get", name: "c", inputs: { id: "c-1" } },
    ]),
    up([thing("a"), { kind: "get", name: "c", inputs: { id: "nothing" } }]),
    up([thing("a"), thing("c")]),
    up([thing("c")]),
  ],
  "create, change, leave out, destroy": [
    { declare: [thing("a"), thing("b", { note: { output: "a.handle" } })], run: (stack) => stack.preview() },
    up([thing("a"), thing("b", { note: { output: "a.handle" } })], {
      outputs: { handle: { output: "b.handle" } },
    }),
    up([thing("a", { size: 2 }), thing("b", { note: { output: "a.handle" } })]),
    up([thing("a", { size: 2 })]),
    { run: (stack) => stack.destroy() },
  ],
};

if (!cli) {
  test.skip(`${Object.keys(scenarios).length} comparisons with a Pulumi CLI are skipped: none was found`, () => {});
} else {
  test.each(Object.entries(scenarios))(
    "the engine does what the CLI does: %s",
    async (_, moves) => {
      const [engine, real] = await Promise.all([thingStack(), cliStack(cli)]);
      try {
        expect(await observe(engine, moves)).toEqual(await observe(real, moves));
      } finally {
        await Promise.all([engine.close(), real.close()]);
      }
    },
    120_000,
  );
}
