/**
 * Ctrl-C during writes, on a real CLI with both hosts. test/scenarios/native interrupts the waits of the native plugin, and the
 * campaign kills engines and providers.
 */
import { NATIVE_HOST } from "../../../provider/hosts/hosts";
import {
  exported,
  initialized,
  interruptedAt,
  type NativeStack,
  requested,
  type Setup,
  testIn,
  writeNodeProgram,
} from "../../scenarios/native/support";
import { QUICK_START } from "../../support/processes/quickStart";
import { writesIn } from "../../support/stacks/scenarios";

function testInNode(name: string, body: (stack: NativeStack) => Promise<void>, setup: Setup = {}) {
  testIn(["nodejs"], name, body, { ...setup, environment: QUICK_START });
}

/** Writes the program of a new stack. */
async function initialize(stack: NativeStack): Promise<void> {
  writeNodeProgram(
    stack,
    "index.js",
    `const { Application, CustomDomain, CustomDomainActivation, Project } = require("pulumi-dynamiclink");
    const shop = new Project("shop", { name: "Shop" });
    const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
    const active = new CustomDomainActivation("active", { customDomainId: links.id, timeoutSeconds: 5 });
    new Application("web", { projectId: shop.id, appType: "WEB" }, { dependsOn: active });`,
  );
  await initialized(stack);
}

async function saved(stack: NativeStack) {
  const { resources, pending_operations: pending = [] } = await exported(stack);
  const own = (types: string[]) =>
    types.filter((type) => /dynamiclink:.+/.test(type)).map((type) => type.split(":").at(-1));
  return {
    resources: own(resources.map(({ type }) => type)),
    pending: own(pending.map(({ resource }) => resource.type)),
  };
}

testInNode(
  "after the first Ctrl-C, the operation in progress ends, is saved, and nothing else is started",
  async (stack) => {
    const { pulumi, service } = stack;
    await initialize(stack);
    const printed = await interruptedAt(stack, "getCustomDomain");
    expect(printed).toContain("^C received; cancelling");
    expect(printed).toMatch(/Custom domain \S+ \(\S+\) is PENDING_PROVIDER after 5 seconds/);
    expect(writesIn(service)).toEqual(["createProject 201", "createCustomDomain 201"]);
    expect(await saved(stack)).toEqual({
      resources: ["Project", "CustomDomain", "CustomDomainActivation"],
      pending: [],
    });

    const [domain] = service.state.customDomains;
    service.setDomainStatus(String(domain?.id), "ACTIVE");
    service.clearRequests();
    await pulumi("up", "--yes", "--skip-preview");
    expect(writesIn(service)).toEqual(["createApplication 201"]);
    await pulumi("preview", "--expect-no-changes");
  },
  { behaviour: { domainAdvance: "manual" } },
);

testInNode("after a second Ctrl-C, the next up reports the create and doubles nothing", async (stack) => {
  const { pulumi, service } = stack;
  await initialize(stack);
  service.inject({ operation: "createProject", effect: { hang: true, afterEffect: true } });
  const running = stack.startUp();
  await requested(stack, "createProject");
  running.interrupt();
  await running.hasPrinted("^C received; cancelling");
  running.interrupt();
  const { code, printed } = await running.ended;
  expect(code).not.toBe(0);
  expect(printed).toContain("^C received; terminating");
  expect(await saved(stack)).toEqual({ resources: [], pending: ["Project"] });

  const [project] = service.state.projects;
  const next = pulumi("up", "--yes", "--skip-preview");
  await expect(next).rejects.toThrow("interrupted while creating");
  await expect(next).rejects.toThrow(`set the option \`import\` to "${project?.id}"`);
  expect(service.state.projects).toEqual([project]);
  await pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
  expect(await saved(stack)).toEqual({ resources: [], pending: [] });
});

function writeNativeProgram(stack: NativeStack, name: string | undefined): void {
  const resources =
    name === undefined
      ? []
      : [
          `const shop = new Project("shop", { name: "${name}" });`,
          'new Application("web", { projectId: shop.id, appType: "WEB" });',
        ];
  const imports = `const { Application, Project } = require("${NATIVE_HOST.module}");`;
  writeNodeProgram(stack, "index.js", [imports, ...resources].join("\n"));
}

/** Starts an up, interrupts it once when the service has received an operation, and verifies that it ends as cancelled. */
async function interruptedIn(stack: NativeStack, operation: string): Promise<void> {
  stack.service.clearRequests();
  expect(await interruptedAt(stack, operation)).toContain("received; cancelling");
}

describe("with the native plugin", () => {
  testInNode("after one Ctrl-C, a create, an update and a delete end and are saved", async (stack) => {
    const { pulumi, service } = stack;
    writeNativeProgram(stack, "Shop");
    await initialized(stack);
    service.inject({ operation: "createProject", effect: { delayMs: 4_000 } });
    await interruptedIn(stack, "createProject");
    expect(writesIn(service)).toEqual(["createProject 201"]);
    expect(await saved(stack)).toEqual({ resources: ["Project"], pending: [] });

    await pulumi("up", "--yes", "--skip-preview");
    writeNativeProgram(stack, "Store");
    service.inject({ operation: "updateProject", effect: { delayMs: 4_000 } });
    await interruptedIn(stack, "updateProject");
    expect(writesIn(service)).toEqual(["updateProject 200"]);
    await pulumi("preview", "--expect-no-changes");

    writeNativeProgram(stack, undefined);
    service.inject({ operation: "deleteApplication", effect: { delayMs: 4_000 } });
    await interruptedIn(stack, "deleteApplication");
    expect(writesIn(service)).toEqual(["deleteApplication 204"]);
    expect(await saved(stack)).toEqual({ resources: ["Project"], pending: [] });
  });
});
