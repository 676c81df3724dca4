/** Compares the engine with a real Pulumi CLI: the same commands must have the same effects. */
import { join } from "node:path";
import type { Deployment, ResourceState, TestResult, UpdateOptions } from "../../../testing/engine";
import { directoryWith } from "../../release/package/programs";
import { pulumiCli, testOnCli } from "../../support/processes/pulumiCli";
import { QUICK_START } from "../../support/processes/quickStart";
import { cliStack, type StackCommand } from "../../support/stacks/cliStack";
import {
  after,
  by,
  callReader,
  type Declared,
  group,
  inside,
  note,
  owner,
  programPath,
  provider,
  type Rest,
  type ThingStack,
  tamper,
  thing,
  thingStack,
  urnOf,
  vanish,
} from "../things";

/** A stack of things, on the engine or on the CLI. */
type ComparedStack = Pick<ThingStack, "declare" | "calls" | "close" | "directory"> & {
  readonly [Command in StackCommand]: (options?: UpdateOptions) => Promise<Pick<TestResult, "changes">>;
} & { exportState(options: { readonly showSecrets: boolean }): Deployment | Promise<Deployment> };

function thingsOnCli(): ComparedStack {
  const main = join(programPath("things"), "index.ts");
  const runtime = { name: "nodejs", options: { typescript: false } };
  const root = directoryWith({
    "project/Pulumi.yaml": JSON.stringify({ name: "things", main, runtime }),
    "things/calls.jsonl": "",
  });
  const directory = join(root.path, "things");
  let declared = "{}";
  const { run, exportState } = cliStack(pulumiCli(), {
    directory: join(root.path, "project"),
    name: "things",
    environment: () => ({ ...QUICK_START, THINGS: directory, DECLARED: declared }),
  });
  return {
    directory,
    declare(resources, rest) {
      declared = JSON.stringify({ resources, ...rest });
    },
    calls: callReader(directory),
    preview: (options) => run("preview", options),
    up: (options) => run("up", options),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    exportState,
    close: async () => root.remove(),
  };
}

/** One command, and the program to declare before it, if any. */
interface Step {
  readonly declare?: readonly Declared[];
  readonly rest?: Rest;
  readonly run: (stack: ComparedStack) => Promise<unknown>;
}

function up(declare: readonly Declared[], rest: Rest = {}): Step {
  return { declare, rest, run: (stack) => stack.up() };
}

/** The resources of a state without what differs between runs: times, source positions, provider ids, and order. */
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

/** What must be the same on both: the changes, the calls of the provider, and the resources in the state. */
async function observe(stack: ComparedStack, moves: readonly Step[]) {
  const observed: unknown[] = [];
  for (const { declare, rest, run } of moves) {
    if (declare) stack.declare(declare, rest);
    observed.push({
      changes: await run(stack).then(
        (result) => (result as TestResult | undefined)?.changes,
        () => "failed",
      ),
      calls: stack.calls().toSorted(),
      resources: comparable(await stack.exportState({ showSecrets: true })),
    });
  }
  return observed;
}

const again: Step = { run: (stack) => stack.up() };
const refresh: Step = { run: (stack) => stack.refresh() };
const destroy: Step = { run: (stack) => stack.destroy() };

function preview(declare: readonly Declared[]): Step {
  return { declare, run: (stack) => stack.preview() };
}

function get(name: string, id: string): Declared {
  return { kind: "get", name, inputs: { id } };
}

function chain(a: Record<string, unknown>): Declared[] {
  return [thing("a", a), thing("b", note("a")), thing("c", owner("a")), thing("d", note("c"))];
}

/** The plugin that a program asks for. */
function plugin(version: string) {
  return { version, pluginDownloadURL: "https://plugins.example:8443/a b/v_{VERSION}" };
}

const IGNORED = ["tags.x", "list[0]"];
const CHANGED = { tags: { x: 2, y: 2 }, list: [3, 4] };
const WAS_B = { aliases: [{ name: "b" }] };

const scenarios: Record<string, Step[]> = {
  "providers of plugins with a version and an address": [
    ...[1, 2].map(() =>
      up([
        thing("a", {}, plugin("3.0.0-rc-1.2+build")),
        provider("p", "one", plugin("3.0.1")),
        thing("b", {}, { ...by("p"), ...plugin("3.0.1") }),
      ]),
    ),
    up([thing("a", {}, plugin("3.0.1")), provider("p", "two", plugin("3.0.1"))]),
    refresh,
    destroy,
  ],
  "providers, components, secrets and outputs": [
    up(
      [
        provider("p", { secret: "one" }),
        group("g", { providers: [{ resource: "p" }] }),
        group("h", inside("g")),
        thing("a", { pass: { secret: "x" }, deep: { key: { secret: "y" }, open: 1 } }, inside("h")),
        thing("b", { list: [1, { secret: 2 }] }, { ...by("p"), additionalSecretOutputs: ["handle"] }),
        thing("c", note("b")),
      ],
      { outputs: { handle: { output: "b.handle" }, deep: { output: "a.deep" } } },
    ),
    preview([thing("c"), provider("p", { output: "c.handle" }), thing("b", {}, by("p"))]),
    again,
    destroy,
  ],
  "failures and the state after them": [
    up([thing("a"), thing("c", { fail: "create" }, after("a")), thing("d", {}, after("c"))]),
    up([thing("a"), thing("c", { fail: "init" }, after("a"))]),
    up([thing("a"), thing("c", { fail: "init", size: 3 }, after("a"))]),
    up([thing("a"), thing("c", { fail: "delete" })]),
    up([thing("a")]),
    up([thing("a")], { fail: "the program broke" }),
  ],
  "replacement, created before the old resource is deleted": [
    up(chain({ kind: "x" })),
    preview(chain({ kind: "y" })),
    { run: (stack) => stack.up({ replace: [urnOf("b")] }) },
  ],
  "replacement, created after the old resource is deleted": [
    up(chain({ kind: "x", deleteFirst: true })),
    preview(chain({ kind: "y", deleteFirst: true })),
    again,
    up([thing("a", { kind: "z", fail: "create" }, { deleteBeforeReplace: true })]),
    up([thing("a", { kind: "z" }, { deleteBeforeReplace: true })]),
  ],
  "resource options": [
    up([
      group("g"),
      thing("a", { tags: { x: 1, y: 1 }, list: [1, 2] }, { ...inside("g"), protect: true }),
      thing("b", note("a")),
      thing("kept", {}, { retainOnDelete: true }),
      thing("swept", {}, { deletedWith: { resource: "b" } }),
    ]),
    up([
      group("h", { aliases: [{ name: "g" }] }),
      thing("a", CHANGED, { ...inside("h"), protect: true, ignoreChanges: IGNORED }),
      thing("b2", { label: "b", kind: "new", ...note("a") }, { ...WAS_B, replaceOnChanges: ["note"] }),
      thing("swept", {}, { deletedWith: { resource: "b2" } }),
    ]),
    destroy,
  ],
  "reading and refreshing": [
    up([thing("a"), thing("b", note("a")), { ...get("g", "a-1"), options: after("a") }]),
    { run: async ({ directory }) => tamper(directory, "a-1", { size: 9 }) },
    refresh,
    { run: async ({ directory }) => vanish(directory, "a-1") },
    { declare: [thing("a"), thing("b", note("a"))], run: (stack) => stack.up({ refresh: true }) },
    up([thing("a"), { ...get("b", "a-2"), options: after("a") }]),
    up([thing("b")]),
  ],
  targets: [
    up([thing("a"), thing("b", note("a"))]),
    {
      declare: [thing("a", { size: 2 }), thing("b", { ...note("a"), size: 2 }), thing("c"), thing("d")],
      run: (stack) => stack.up({ target: [urnOf("b"), urnOf("c")] }),
    },
    {
      declare: [thing("a", { size: 3 }), thing("b", { ...note("a"), size: 3 }), thing("d")],
      run: (stack) => stack.up({ exclude: [urnOf("a"), urnOf("c"), urnOf("d")] }),
    },
    { run: (stack) => stack.preview({ target: [urnOf("a")] }) },
  ],
};

for (const [name, moves] of Object.entries(scenarios))
  testOnCli(`the engine does the same: ${name}`, async () => {
    const [engine, real] = [thingStack(), thingsOnCli()];
    try {
      const [observed, expected] = await Promise.all([observe(engine, moves), observe(real, moves)]);
      expect(observed).toEqual(expected);
    } finally {
      await Promise.all([engine.close(), real.close()]);
    }
  });
