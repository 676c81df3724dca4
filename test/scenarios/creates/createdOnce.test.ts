/** A resource creates at most once in a run, whatever the engine calls again and whatever the service's response is about. */
import type { Emulator } from "../../../testing/emulator";
import {
  failureOf,
  runScenarios,
  type Scenario,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const EXISTING = "0d0d0d0d-0000-4000-8000-000000000006";
/** Longer than one second, which is the resolution of a `Date` header. */
const A_WHILE_MS = 2_000;
const seed = seedWith([{ id: PROJECT, name: "Seeded", applications: [{ id: EXISTING, appType: "WEB" }] }]);

/** Lets the engine call a failed operation again, up to three times in all. */
const HOOKS =
  'const hooks = { onError: [new pulumi.ErrorHook("retry", ({ errors }) => errors.length < 3)] };';

function application(name: string, appType = "WEB", options = "{ hooks }"): string {
  return `new Application("${name}", { projectId: "${PROJECT}", appType: "${appType}" }, ${options});`;
}

function ofStack({ state }: Emulator): string[] {
  return state.applications.map(({ id }) => id).filter((id) => id !== EXISTING);
}

async function idsIn({ stack }: ScenarioTools): Promise<(string | undefined)[]> {
  return (await stack.resources()).map(({ id }) => id);
}

runScenarios("a create that a hook has the engine call again", [
  ...(
    [
      ["an application", ["web"]],
      ["one of two equal applications", ["web", "site"]],
    ] as const
  ).map(
    ([what, names]): Scenario => ({
      name: `of ${what} is not sent again after its response was lost, and the error lists what has no resource`,
      // With the native plugin, any of two can be sent first.
      onCli: names.length === 1 ? "both hosts" : "one host",
      seed,
      async run(tools) {
        const { stack, service } = tools;
        service.clock.advance(A_WHILE_MS);
        service.inject({ operation: "createApplication", effect: { status: 502, afterEffect: true } });
        const message = await failureOf(
          stack.deploy(HOOKS + names.map((name) => application(name)).join("")),
        );
        const made = ofStack(service);
        const ids = await idsIn(tools);
        expect(made).toHaveLength(writesIn(service).length);
        expect(made.length).toBeLessThanOrEqual(names.length);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThan(made.length);
        expect(made.filter((id) => !ids.includes(id) && !message.includes(id))).toEqual([]);
      },
    }),
  ),
  ...(
    [
      [
        "updates what it has created, if the service did not apply a value",
        "updateProject 200",
        { delayMs: 0 },
      ],
      ["keeps what it has created, if updating it fails", "updateProject 400", { status: 400 }],
    ] as const
  ).map(
    ([name, update, effect]): Scenario => ({
      name,
      onCli: update === "updateProject 200" ? "both hosts" : undefined,
      behaviour: { uniqueNames: false, storedForm: "normalizedNames" },
      async run(tools) {
        const { stack, service } = tools;
        service.inject({ operation: "updateProject", count: Number.POSITIVE_INFINITY, effect });
        const program = `${HOOKS} new Project("shop", { name: "Shop " }, { hooks });`;
        const message = await failureOf(stack.deploy(program));
        const made = service.state.projects.map(({ id }) => id);
        expect(message).toContain(made[0]);
        expect(writesIn(service)).toEqual(["createProject 201", update, update]);
        expect(await idsIn(tools)).toEqual(made);
      },
    }),
  ),
  {
    name: "ends well when the service applies the value at the second time",
    async run(tools) {
      const { stack, service } = tools;
      service.inject({
        operation: "createProject",
        effect: { body: (project: object) => ({ ...project, project_name: "shop" }) },
      });
      await stack.deploy(`${HOOKS} new Project("shop", { name: "Shop" }, { hooks });`);
      expect(writesIn(service)).toEqual(["createProject 201"]);
      expect(await idsIn(tools)).toEqual(service.state.projects.map(({ id }) => id));
    },
  },
]);

runScenarios(
  { title: "a successful response to a create that is about an object which existed before", seed },
  [
    {
      name: "is taken for a lost one: the created project is found, and destroy deletes nothing else",
      onCli: "both hosts",
      async run(tools) {
        const { stack, service } = tools;
        service.clock.advance(A_WHILE_MS);
        service.inject({
          operation: "createProject",
          effect: { body: (project: object) => ({ ...project, id: PROJECT }) },
        });
        const { printed } = await stack.deploy('new Project("shop", { name: "Shop" });');
        const made = service.state.projects.map(({ id }) => id).filter((id) => id !== PROJECT);
        expect(printed).toContain(`The response to creating the project is about project ${PROJECT}`);
        expect(printed).toContain(`${made[0]}. It is in the state as this resource.`);
        expect(await idsIn(tools)).toEqual(made);
        await stack.destroy();
        expect(service.state.projects.map(({ id }) => id)).toEqual([PROJECT]);
      },
    },
    {
      name: "keeps it, if it is the old object of a forced replacement, and the list before could not be read",
      onCli: "both hosts",
      async run(tools) {
        const { stack, service } = tools;
        await stack.deploy(application("web", "WEB", "{}"));
        const [old = ""] = ofStack(service);
        service.inject({ operation: "listApplications", effect: { status: 500 } });
        service.inject({ operation: "createApplication", effect: { object: old } });
        await stack.up({ replace: [stack.urnOf("Application", "web")] });
        expect(ofStack(service)).toEqual([old]);
        expect(await idsIn(tools)).toEqual([old]);
        await stack.preview({ expectNoChanges: true });
        await stack.destroy();
        expect(ofStack(service)).toEqual([]);
      },
    },
  ],
);
