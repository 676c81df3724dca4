/**
 * What a run knows about objects: that a 404 and a list of its parent without it prove a deletion, what became of creates whose
 * responses are lost, and which objects equal those of a lost state. The pure tests have all cases. Some waits take real time.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../testing/emulator";
import { discover } from "../commands/run";
import { directoryWith } from "../release/package/programs";
import { until } from "../support/processes/until";
import { declaredStack, errorOf } from "../support/stacks/declaredStack";
import {
  deployed,
  failureOf,
  operationsIn,
  runScenarios,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0d0d0d0d-0000-4000-8000-000000000004";
const seed = seedWith([{ id: PROJECT, name: "Seeded" }]);
const WEB = `new Application("it", { projectId: "${PROJECT}", appType: "WEB" });`;
const SHOP = 'new Project("shop", { name: "Shop" });';
const IOS = 'appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" }';
const LIST = "listApplications";
type Fault = Parameters<Emulator["inject"]>[0];
const NOT_FOUND = { status: 404, message: "Not found." } as const;

function objectsIn({ state: { projects, applications, customDomains } }: Emulator): string[] {
  return [...projects, ...applications, ...customDomains].map(({ id }) => id).filter((id) => id !== PROJECT);
}

runScenarios({ title: "evidence", seed, onCli: true }, [
  {
    name: "a 404 of an object that the service still lists neither drops it in up --refresh or destroy, nor creates another",
    async run({ stack, service }) {
      const id = await deployed(stack, WEB);
      const expectKept = async () => {
        expect((await stack.resources()).map((one) => one.id)).toEqual([id]);
        expect(objectsIn(service)).toEqual([id]);
      };
      service.clock.advance(60_000);
      service.inject({ operation: "getApplication", count: Number.POSITIVE_INFINITY, effect: NOT_FOUND });
      // The error shows the response to the read, and that with the list.
      const request = "\\(request [^)]{36}\\)";
      expect(await failureOf(stack.up({ refresh: true }))).toMatch(
        new RegExp(`${id}\\)? failed: 404 Not Found.* ${request}.* ${request}`, "s"),
      );
      await expectKept();
      service.clearFaults();
      for (const operation of ["deleteApplication", "getApplication"] as const)
        service.inject({ operation, effect: NOT_FOUND });
      await failureOf(stack.destroy());
      await expectKept();
      await stack.destroy();
      expect(objectsIn(service)).toEqual([]);
    },
  },
  {
    name: "objects that were deleted leave the state in a refresh, alone and with their project",
    async run({ stack, service }) {
      await stack.deploy(`
        const shop = new Project("shop", { name: "Shop" });
        new Application("web", { projectId: shop.id, appType: "WEB" });
        new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
        ${WEB}
      `);
      const idOf = async (name: string) =>
        (await stack.resources()).find((one) => one.name === name)?.id ?? "";
      service.clock.advance(60_000);
      service.deleteApplication(await idOf("it"));
      await stack.refresh();
      expect((await stack.resources()).map(({ name }) => name)).toEqual(["links", "shop", "web"]);
      service.deleteProject(await idOf("shop"));
      await stack.refresh();
      expect(await stack.resources()).toEqual([]);
      await stack.up();
      expect(objectsIn(service)).toHaveLength(4);
    },
  },
]);

/** Lists that lack what was just created, on a service that deletes contents with their project. */
const HIDING = { listLag: { afterSeconds: 20 }, deleteWithContents: "cascade" } as const;

runScenarios({ title: "what is new", hosts: "both", onCli: true }, [
  {
    name: "is deleted although a replica has shown it and another one does not find it",
    seed,
    async run({ stack, service }) {
      await deployed(stack, WEB);
      // The refresh reads it.
      service.inject({ operation: "getApplication", skip: 1, count: 3, effect: NOT_FOUND });
      service.inject({ operation: "deleteApplication", count: 2, effect: NOT_FOUND });
      service.inject({ operation: "listApplications", count: 3, effect: { body: { applications: [] } } });
      stack.program("");
      await stack.up({ refresh: true });
      expect(await stack.resources()).toEqual([]);
      expect(objectsIn(service)).toEqual([]);
    },
  },
  {
    name: "is found by `get` and the functions of the program, which wait for no other object, and not in a preview",
    seed,
    async run({ stack, service }) {
      for (const operation of ["getProject", "getApplication", "getCustomDomain", LIST] as const)
        service.inject({ operation, count: 2, effect: NOT_FOUND });
      await stack.deploy(`
        const shop = new Project("shop", { name: "Shop" });
        const web = new Application("web", { projectId: shop.id, appType: "WEB" });
        const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
        export const found = [
          Application.get("again", web.id).appType,
          dynamiclink.getProjectOutput({ id: shop.id }).name,
          dynamiclink.getApplicationOutput({ id: web.id }).appType,
          dynamiclink.getCustomDomainOutput({ id: links.id }).hostname,
          dynamiclink.getApplicationsOutput({ projectId: shop.id }).applications.length,
        ];
      `);
      await stack.preview({ expectNoChanges: true });
      service.clock.advance(60_000);
      service.clearRequests();
      service.inject({ operation: "getProject", count: Number.POSITIVE_INFINITY, effect: NOT_FOUND });
      expect(await failureOf(stack.preview())).toContain("404 Not Found");
      const countOf = (operation: string) => operationsIn(service).filter((one) => one === operation).length;
      expect(countOf("getProject")).toBe(1);
      service.clearFaults();
      service.clearRequests();
      stack.program(
        `export const none = dynamiclink.getApplicationOutput({ id: Project.get("read", "${PROJECT}").id }).appType;`,
      );
      expect(await failureOf(stack.up())).toContain(`There is no application ${PROJECT}`);
      expect(countOf("getApplication")).toBe(1);
    },
  },
  ...[false, true].map((isDeclaredBefore) => ({
    // On a CLI, the wait takes 30 seconds.
    onCli: !isDeclaredBefore,
    name: `${isDeclaredBefore ? "and declared again" : "in the same run"} keeps its project, which the program gives up, from its deletion`,
    behaviour: HIDING,
    async run({ stack, service }: ScenarioTools) {
      const shop = await deployed(stack, SHOP);
      const web = `new Application("web", { projectId: "${shop}", appType: "WEB" });`;
      if (isDeclaredBefore) await stack.deploy(SHOP + web);
      stack.program(web);
      const failure = await failureOf(stack.up());
      const [{ id = "" } = {}] = service.state.applications;
      expect(failure).toContain(`was not deleted because it still contains 1 application (${id}).`);
      expect((await stack.resources()).map((one) => one.id).sort()).toEqual([shop, id].sort());
      expect(service.state.projects.map((project) => project.id)).toEqual([shop]);
      // The way on: first the application, then its project.
      service.clock.advance(60_000);
      stack.program("");
      await stack.up();
      expect(objectsIn(service)).toEqual([]);
    },
  })),
]);

const directory = directoryWith({});
const LOG = join(directory.path, "requests.jsonl");
afterAll(() => directory.remove());
/** Longer than one second, which is the resolution of a `Date` header. */
const A_WHILE_MS = 2_000;

runScenarios("requests that are tried again", [
  {
    name: "are reported before each wait, those of resources as those of functions, and logged where DYNAMICLINK_LOG says",
    seed: seedWith([
      { id: PROJECT, name: "Seeded" },
      { id: OTHER_PROJECT, name: "Other" },
    ]),
    // The processes connect to the engine's log in different ways, and inherit the environment.
    hosts: "both",
    separateProviders: true,
    environment: { DYNAMICLINK_LOG: LOG },
    async run({ stack, service }) {
      writeFileSync(LOG, "");
      service.inject({ operation: "getCurrentApiCredential", effect: { status: 503 } });
      service.inject({
        operation: "getProject",
        match: ({ path }) => path.includes(OTHER_PROJECT),
        effect: { status: 429, retryAfter: 1 },
      });
      stack.program(`
        await dynamiclink.getProject({ id: "${PROJECT}" });
        Project.get("other", "${OTHER_PROJECT}");
      `);
      const { printed } = await stack.preview();
      expect(printed).toContain("Reading the API credential: 503 Service Unavailable. Trying again in 0.");
      const reading = `Reading project ${OTHER_PROJECT}: 429 Too Many Requests.`;
      expect(printed).toContain(`${reading} Trying again in 1 s`);
      // The program's own requests are in it as well.
      const lines = readFileSync(LOG, "utf8").trimEnd().split("\n");
      const logged = lines.map((line) => JSON.parse(line).requestId);
      expect(logged.sort()).toEqual(service.requests.map(({ requestId }) => requestId).sort());
    },
  },
]);

runScenarios("creates whose answer is lost", [
  {
    name: "a project that was created nevertheless is adopted, and a message reports it",
    onCli: true,
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      const { printed } = await stack.deploy(SHOP);
      const [shop] = await stack.resources();
      expect(service.state.projects.map(({ id }) => id)).toEqual([shop?.id]);
      expect(printed).toContain(`created since then: ${shop?.id}. It is in the state as this resource.`);
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "a custom domain in a project of the same run is adopted, although no response has a date",
    behaviour: { dateHeader: "absent" },
    async run({ stack, service }) {
      service.inject({ operation: "createCustomDomain", effect: { reset: "after" } });
      const links = 'new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });';
      await stack.deploy(`const shop = ${SHOP}${links}`);
      expect((await stack.resources())[0]?.id).toBe(service.state.customDomains[0]?.id);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios({ title: "two creates in a row whose answers are lost", seed, hosts: "both" }, [
  {
    name: "are one list with one advice, which leads to its end",
    async run({ stack, service }) {
      stack.program(WEB);
      const lost: string[] = [];
      for (let create = 1; create <= 2; create++) {
        service.clock.advance(A_WHILE_MS);
        service.inject({ operation: "createApplication", effect: { reset: "after" } });
        lost.push(await failureOf(stack.up()));
      }
      const [first = "", second = ""] = objectsIn(service);
      const [, printed = ""] = lost;
      for (const id of [first, second]) expect(printed.split(`import\` to "${id}"`)).toHaveLength(2);
      expect(printed.match(/adopt/g)).toHaveLength(1);
      expect(printed).not.toContain("already had");
      service.deleteApplication(second);
      await stack.deploy(WEB.replace(");", `, { import: "${first}", protect: false });`));
      await stack.preview({ expectNoChanges: true });
      expect(objectsIn(service)).toEqual([first]);
    },
  },
]);

runScenarios({ title: "writes that the service refuses when they are repeated", seed, hosts: "both" }, [
  {
    name: "and whose first response is lost are done: an update and a deletion of each kind",
    onCli: true,
    async run({ stack, service }) {
      const program = (name: string, appType: string) => `
        new Project("shop", { name: "${name}" });
        new Application("web", { projectId: "${PROJECT}", appType: "${appType}", ${appType === "IOS" ? IOS : ""} });
        new CustomDomain("links", { projectId: "${PROJECT}", hostname: "links.shop.example" });
      `;
      const lose = (operation: NonNullable<Fault["operation"]>, status: 400 | 409) => {
        service.inject({ operation, effect: { reset: "after" } });
        service.inject({ operation, effect: { status, message: "Nothing to do." } });
      };
      await stack.deploy(program("Shop", "WEB"));
      lose("updateProject", 400);
      lose("updateApplication", 409);
      await stack.deploy(program("Market", "IOS"));
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      lose("deleteProject", 409);
      lose("deleteApplication", 400);
      lose("deleteCustomDomain", 400);
      await stack.destroy();
      expect([...objectsIn(service), ...(await stack.resources())]).toEqual([]);
    },
  },
]);

runScenarios({ title: "a service that stores another text than was sent", hosts: "both" }, [
  {
    name: "has both texts in the error, unless they are secret, and the program declares the stored one",
    behaviour: { storedForm: "normalizedNames" },
    async run({ stack }) {
      const project = (name: string) => `new Project("shop", { name: ${name} });`;
      stack.program(project('"The Shop "'));
      const shown = 'name: "The Shop " in the program, "the shop" in the service';
      expect(await failureOf(stack.up())).toContain(shown);
      expect(await failureOf(stack.up())).toContain(`${shown}\n`);
      await stack.deploy(project('"the shop"'));
      await stack.preview({ expectNoChanges: true });
      stack.program(project('pulumi.secret("The Market")'));
      const secret = await failureOf(stack.up());
      expect(secret).toContain("name: declared with a value that differs from the service");
      expect(secret).not.toMatch(/market/i);
      await stack.deploy(project('pulumi.secret("the market")'));
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

// On the CLI, test/protocol/hosts/interruption.cli.ts interrupts creates.
test.each([DYNAMIC_HOST, NATIVE_HOST])(
  "after a provider process was killed during a create, the next up reports the application, with $module",
  async (host) => {
    await using service = await startEmulator({ seed });
    const stack = declaredStack(service, { host });
    const web = {
      kind: "Application",
      name: "web",
      properties: { projectId: PROJECT, appType: "WEB" },
    } as const;
    service.inject({ operation: "createApplication", effect: { hang: true, afterEffect: true } });
    const killed = stack.up([web]);
    await until(
      () => service.state.applications.length > 0,
      () => "The service has no application.",
    );
    stack.killHosts();
    expect(errorOf(await killed)).toContain("error reading from server: EOF");
    expect(stack.resources).toEqual([]);
    service.clearFaults();

    const [left] = service.state.applications;
    const { diagnostics } = await stack.up([web]);
    const printed = diagnostics.map(({ message }) => message).join("\n");
    expect(printed).toContain("an interrupted run may have left it behind");
    expect(printed).toContain(`${left?.id}, created ${left?.createdAt}`);
    expect(service.state.applications).toHaveLength(2);
  },
);

/** Previews of creates that would add a second object like one that exists, and the way out that each message names. */
runScenarios({ title: "a lost state", seed: seedWith([{ name: "Blog" }]) }, [
  {
    // The steps of docs/errors.md.
    name: "is restored with the UUIDs that the advised command prints: nothing is written, and the names stay",
    hosts: "both",
    onCli: true,
    async run({ stack, service }) {
      const program = (uuids?: Record<string, string>) => {
        const options = (type: string) => (uuids?.[type] ? `{ import: "${uuids[type]}" }` : "{}");
        return `
          const shop = new Project("shop", { name: "Shop" }, ${options("Project")});
          const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
          new Application("shop-ios", { projectId: shop.id, appType: "IOS", appleInfo }, ${options("Application")});
          const links = new CustomDomain("shop-links", { projectId: shop.id, hostname: "links.shop.example" }, ${options("CustomDomain")});
          new CustomDomainActivation("shop-active", { customDomainId: links.id });
        `;
      };
      await stack.deploy(program());
      const before = await stack.resources();
      service.clearRequests();
      await stack.loseState();
      expect(await stack.resources()).toEqual([]);

      stack.program(program());
      const [, uuid = ""] =
        (await stack.preview()).printed.match(/`npx pulumi-dynamiclink discover (\S+)` prints/) ?? [];
      const { stdout } = await discover(service, uuid);
      // Its contents would be created again.
      service.clearRequests();
      stack.program(program({ Project: uuid }));
      const warnings = (await stack.preview()).printed.matchAll(
        / of the resource (?:[a-z ]+ )?(\S+?)(?= is used by |:$)/gm,
      );
      // The CLI prints a warning twice.
      expect(new Set([...warnings].map(([, name]) => name))).toEqual(new Set(["shop-ios", "shop-links"]));
      const lists = operationsIn(service).filter((operation) => operation.startsWith("list"));
      expect(lists.sort()).toEqual(["listApplications", "listCustomDomains"]);
      const found = [...stdout.matchAll(/new (\w+)\([^;]*?import: "([^"]+)"/g)];
      const uuids = Object.fromEntries(found.map(([, type = "", id = ""]) => [type, id]));
      stack.program(program(uuids));
      expect((await stack.preview()).printed).not.toMatch(/The service already has|is used by/);
      await stack.up();
      await stack.preview({ expectNoChanges: true });
      await stack.deploy(program());
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
      expect((await stack.resources()).map(({ name, id }) => [name, id])).toEqual(
        before.map(({ name, id }) => [name, id]),
      );
    },
  },
]);
