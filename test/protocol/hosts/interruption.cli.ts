/**
 * Interruptions on a real CLI: Ctrl-C and SIGTERM during writes, and a killed CLI, with both hosts. test/scenarios/native interrupts
 * the waits of the native plugin. The scenarios kill the providers alone.
 */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import {
  initialized,
  type NativeStack,
  type RunningCommand,
  requested,
  type Setup,
  testIn,
  writeNodeProgram,
} from "../../scenarios/native/support";
import { QUICK_START } from "../../support/processes/quickStart";
import { seedWith, writesIn } from "../../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";

function testInNode(
  name: string,
  body: (stack: NativeStack) => Promise<void>,
  setup: Omit<Setup, "environment"> = {},
): void {
  testIn(["nodejs"], name, body, { ...setup, environment: QUICK_START });
}

function writeProgram(stack: NativeStack): void {
  writeNodeProgram(
    stack,
    "index.js",
    `const { Application, CustomDomain, CustomDomainActivation, Project } = require("pulumi-dynamiclink");
    const shop = new Project("shop", { name: "Shop" });
    const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
    const active = new CustomDomainActivation("active", { customDomainId: links.id, timeoutSeconds: 5 });
    new Application("web", { projectId: shop.id, appType: "WEB" }, { dependsOn: active });`,
  );
}

async function saved({ pulumi }: NativeStack) {
  const { deployment } = JSON.parse(await pulumi("stack", "export")) as {
    deployment: {
      resources: { type: string }[];
      pending_operations?: { type: string; resource: { type: string } }[];
    };
  };
  const own = (types: string[]) =>
    types.filter((type) => /dynamiclink:.+/.test(type)).map((type) => type.split(":").at(-1));
  return {
    resources: own(deployment.resources.map(({ type }) => type)),
    pending: own((deployment.pending_operations ?? []).map(({ resource }) => resource.type)),
  };
}

testInNode(
  "after the first Ctrl-C, the operation in progress ends, is saved, and nothing else is started",
  async (stack) => {
    const { pulumi, service } = stack;
    writeProgram(stack);
    await initialized(stack);
    const running = stack.startUp();
    await requested(stack, "getCustomDomain");
    running.interrupt("Ctrl-C");
    const { code, printed } = await running.ended;
    expect(code).not.toBe(0);
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

testInNode(
  "after the second Ctrl-C, the next up reports the interrupted create and doubles nothing",
  async (stack) => {
    const { pulumi, service } = stack;
    writeProgram(stack);
    await initialized(stack);
    service.inject({ operation: "createProject", effect: { hang: true, afterEffect: true } });
    const running = stack.startUp();
    await requested(stack, "createProject");
    running.interrupt("Ctrl-C");
    await running.hasPrinted("^C received; cancelling");
    running.interrupt("Ctrl-C");
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
  },
);

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
async function interruptedIn(
  stack: NativeStack,
  operation: string,
  by: Parameters<RunningCommand["interrupt"]>[0],
): Promise<void> {
  stack.service.clearRequests();
  const running = stack.startUp();
  await requested(stack, operation);
  running.interrupt(by);
  const { code, printed } = await running.ended;
  expect(code).not.toBe(0);
  expect(printed).toContain("received; cancelling");
}

describe("with the native plugin", () => {
  testInNode(
    "after one Ctrl-C, a create, an update and a delete in progress end and are saved",
    async (stack) => {
      const { pulumi, service } = stack;
      writeNativeProgram(stack, "Shop");
      await initialized(stack);
      service.inject({ operation: "createProject", effect: { delayMs: 4_000 } });
      await interruptedIn(stack, "createProject", "Ctrl-C");
      expect(writesIn(service)).toEqual(["createProject 201"]);
      expect(await saved(stack)).toEqual({ resources: ["Project"], pending: [] });

      await pulumi("up", "--yes", "--skip-preview");
      writeNativeProgram(stack, "Store");
      service.inject({ operation: "updateProject", effect: { delayMs: 4_000 } });
      await interruptedIn(stack, "updateProject", "Ctrl-C");
      expect(writesIn(service)).toEqual(["updateProject 200"]);
      await pulumi("preview", "--expect-no-changes");

      writeNativeProgram(stack, undefined);
      service.inject({ operation: "deleteApplication", effect: { delayMs: 4_000 } });
      await interruptedIn(stack, "deleteApplication", "Ctrl-C");
      expect(writesIn(service)).toEqual(["deleteApplication 204"]);
      expect(await saved(stack)).toEqual({ resources: ["Project"], pending: [] });
    },
  );

  testInNode(
    "after SIGTERM, a create whose response is lost is looked for, and its object is saved",
    async (stack) => {
      const { pulumi, service } = stack;
      writeNativeProgram(stack, "Shop");
      await initialized(stack);
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      await interruptedIn(stack, "createProject", "SIGTERM");
      expect(await saved(stack)).toEqual({ resources: ["Project"], pending: [] });
      const [project] = service.state.projects;

      await pulumi("up", "--yes", "--skip-preview");
      expect(service.state.projects).toEqual([project]);
      await pulumi("preview", "--expect-no-changes");
    },
    { behaviour: { listLag: { afterPolls: 2 } } },
  );
});

/** Starts an up of a program with one application, and waits until the service has created it and does not respond. */
async function startHanging(stack: NativeStack, module: string) {
  const { service } = stack;
  writeNodeProgram(
    stack,
    "index.js",
    `const { Application } = require("${module}");
    new Application("web", { projectId: "${PROJECT}", appType: "WEB" });`,
  );
  await initialized(stack);
  service.inject({ operation: "createApplication", effect: { hang: true, afterEffect: true } });
  const running = stack.startUp();
  await requested(stack, "createApplication");
  return running;
}

describe.each([DYNAMIC_HOST.module, NATIVE_HOST.module])("with %s", (module) => {
  const options = { seed: seedWith([{ id: PROJECT, name: "Shop" }]) };

  testInNode(
    "a CLI that dies in a create leaves a pending operation, and a lock that pulumi cancel removes",
    async (stack) => {
      const running = await startHanging(stack, module);
      await running.crash();
      await running.ended;
      expect(await saved(stack)).toEqual({ resources: [], pending: ["Application"] });
      const up = () => stack.pulumi("up", "--yes", "--skip-preview");
      await expect(up()).rejects.toThrow("the stack is currently locked by");
      await stack.pulumi("cancel", "--yes");
      await up();
    },
    options,
  );
});
