/**
 * A stack with objects of the run, on each host: on a real CLI if there is one, otherwise on the test engine. Its requests go
 * through the gateway.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { SEPARATE_PROCESSES } from "../../testing/engine/commands/processes";
import { findPulumiCli } from "../support/processes/pulumiCli";
import { inProcessProviders } from "../support/providers/inProcessProviders";
import {
  cliStacks,
  DYNAMIC,
  engineStacks,
  NATIVE,
  type ScenarioHost,
  type ScenarioStack,
} from "../support/stacks/scenarioStack";
import { sharedProcess } from "../support/stacks/sharedProcess";
import { type Asked, LAG_READS, readsUntil } from "./questions/asked";
import type { Settings } from "./settings";

/** The service, as the questions found it. */
interface Service {
  /** The URL of the gateway. */
  readonly url: string;
  readonly hasDomains: boolean;
  readonly becomesActive: boolean;
  /** How far reads and lists lag behind writes. */
  readonly lagMs: number;
}

export type Promises = Awaited<ReturnType<typeof runPromises>>;

const TIMEOUT_MS = 600_000;
/** The provider waits before it believes that an object is gone that is seconds old. */
const SLOW = "what was deleted outside Pulumi is created again";

/** Keeps the promises with each host, up to the first one that fails. */
export async function runPromises(asked: Asked, service: Service, { apiKey, engine, short }: Settings) {
  const cli = engine ? undefined : findPulumiCli();
  // A short run saves starts of processes, and waits for nothing.
  const known = { ...service, becomesActive: service.becomesActive && !short };
  await using programs = sharedProcess();
  const providers = inProcessProviders({ clock: () => asked.clock });
  const processes = short ? { ...programs, ...providers } : SEPARATE_PROCESSES;
  const passed: string[] = [];
  const failed: string[] = [];
  for (const host of [DYNAMIC, NATIVE]) {
    const stacks = cli === undefined ? engineStacks(processes, host, TIMEOUT_MS) : cliStacks(cli, host);
    const stack = await stacks({ DYNAMICLINK_API_KEY: apiKey, DYNAMICLINK_READ_ONLY: undefined });
    await stack.configure({ "dynamiclink:apiUrl": service.url });
    for (const [promise, keep] of Object.entries(promisesOf(asked, known, host, stack))) {
      if (short && promise === SLOW) continue;
      const error = await keep().then(
        () => "",
        (reason) => `\n${reason}`,
      );
      (error === "" ? passed : failed).push(`${promise}, ${host.name}${error}`);
      if (error !== "") break;
    }
    await stack.close();
  }
  const name = cli === undefined ? "the test engine" : "the Pulumi CLI";
  return { passed, failed, engine: service.hasDomains ? name : `${name}, without custom domains` };
}

/** What is done with a stack, in this order. */
function promisesOf(
  { call, exchanges, clock, prefix, domain }: Asked,
  { hasDomains, becomesActive, lagMs }: Service,
  { name: host }: ScenarioHost,
  stack: ScenarioStack,
): Readonly<Record<string, () => Promise<void>>> {
  const ids: Record<string, string | undefined> = {};
  const name = `${prefix}${host}`;
  const expectNoChanges = true;

  /** The program. With `adopted`, it adopts the objects that were created. */
  function declared(projectName: string, adopted = false): string {
    const options = (resource: string) =>
      adopted ? `{ import: "${ids[resource]}", protect: false, retainOnDelete: false }` : "{}";
    return [
      `const shop = new Project("shop", { name: "${projectName}" }, ${options("shop")});`,
      `new Application("web", { projectId: shop.id, appType: "WEB" }, ${options("web")});`,
      hasDomains &&
        `const links = new CustomDomain("links", { projectId: shop.id, hostname: "${name}.${domain}" }, ${options("links")});`,
      becomesActive && !adopted && 'new CustomDomainActivation("active", { customDomainId: links.id });',
      "export const found = dynamiclink.getProjectOutput({ id: shop.id }).name;",
    ]
      .filter((line) => line !== false)
      .join("\n");
  }

  /** The operations that write, of what is done. */
  async function writesOf(act: () => Promise<unknown>): Promise<unknown[]> {
    const before = exchanges.length;
    await act();
    const writes = exchanges.slice(before).filter(({ method }) => method !== "GET");
    return writes.map(({ operationId }) => operationId);
  }

  /** Changes something outside Pulumi, and has a refresh find it. */
  async function found(...change: Parameters<Asked["call"]>) {
    await call(...change);
    await clock.sleep(lagMs);
    const { same: _, ...changes } = (await stack.refresh()).changes;
    return changes;
  }

  return {
    async "a preview writes nothing"() {
      stack.program(declared(name));
      deepEqual(await writesOf(() => stack.preview()), []);
    },
    async "what is declared is created, and functions find it"() {
      equal((await stack.up()).outputs.found, name);
      for (const { name: resource, id } of await stack.resources()) ids[resource] = id;
    },
    async "nothing is written if nothing has changed"() {
      const commands = [stack.preview, stack.refresh, stack.up];
      for (const command of commands) deepEqual(await writesOf(() => command({ expectNoChanges })), []);
    },
    async "only what has changed is updated"() {
      deepEqual(await writesOf(() => stack.deploy(declared(`${name}-2`))), ["updateProject"]);
    },
    async "a change outside Pulumi is found, and undone"() {
      const project_name = `${name}-3`;
      deepEqual(await found("updateProject", { project_id: ids.shop }, { project_name }), { update: 1 });
      deepEqual(await writesOf(() => stack.up()), ["updateProject"]);
    },
    async [SLOW]() {
      deepEqual(await found("deleteApplication", { application_id: ids.web }), { delete: 1 });
      deepEqual(await writesOf(() => stack.up()), ["createApplication"]);
      ids.web = (await stack.resources()).find((one) => one.name === "web")?.id;
    },
    async "objects are adopted without a write"() {
      await clock.sleep(lagMs);
      await stack.loseState();
      deepEqual(await writesOf(() => stack.deploy(declared(`${name}-2`, true))), []);
      deepEqual(await writesOf(() => stack.preview({ expectNoChanges })), []);
    },
    async "destroy deletes all"() {
      await stack.destroy();
      const shop = { project_id: ids.shop };
      const reads = await readsUntil({ call, clock }, 404, ["getProject", shop], LAG_READS);
      ok(reads < LAG_READS, `After 30 seconds, reads still show project ${ids.shop}, which was deleted.`);
    },
  };
}
