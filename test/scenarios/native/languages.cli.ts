/** The plugin on a real CLI, for users of every language: the installed archive, Ctrl-C and time limits. */

import { quickstart, written } from "./quickstart";
import {
  exported,
  initialized,
  installPlugin,
  type NativeStack,
  requested,
  testIn,
  type YamlProgram,
  yamlProgramIn,
} from "./support";

const SHOP = { type: "dynamiclink:Project", properties: { name: "Shop" } };

function waitingFor(options: object = {}): YamlProgram {
  return {
    resources: {
      shop: SHOP,
      links: {
        type: "dynamiclink:CustomDomain",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a reference in YAML.
        properties: { projectId: "${shop.id}", hostname: "links.shop.example" },
      },
      "links-active": {
        type: "dynamiclink:CustomDomainActivation",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a reference in YAML.
        properties: { customDomainId: "${links.id}" },
        options,
      },
    },
  };
}

/** The resources of a stack that waits for its domain. An activation that is still waiting is not saved. */
const WITHOUT_ACTIVATION = [
  "pulumi:pulumi:Stack",
  "pulumi:providers:dynamiclink",
  "dynamiclink:index:Project",
  "dynamiclink:index:CustomDomain",
];

testIn(
  ["yaml"],
  "the YAML quickstart is deployed, refreshed and destroyed with the installed archive and no npm package",
  async (stack) => {
    await installPlugin(stack);
    stack.write(yamlProgramIn(stack.directory), {});
    await quickstart(stack);
  },
  { example: "quickstart-yaml" },
);

// Windows cannot send SIGINT to one process.
const onSignals = process.platform === "win32" ? describe.skip : describe;
onSignals("an interrupted up", () => {
  testIn(
    ["yaml"],
    "stops an activation's wait of ten minutes after Ctrl-C, and the next up continues it",
    async (stack) => {
      const { pulumi, service } = stack;
      stack.write(waitingFor());
      await initialized(stack);
      await endsOnInterrupt(stack);
      await expectContinued(stack);
      await pulumi("destroy", "--yes", "--skip-preview");
      expect(service.state.projects).toEqual([]);
    },
    { behaviour: { domainAdvance: "manual" } },
  );
});

testIn(
  ["yaml"],
  "customTimeouts stops an activation's wait, and the next up continues it",
  async (stack) => {
    const { pulumi } = stack;
    stack.write(waitingFor({ customTimeouts: { create: "2s" } }));
    await initialized(stack);
    await expect(pulumi("up", "--yes", "--skip-preview")).rejects.toThrow(
      "it exceeded the time limit of 2 s set by the resource option customTimeouts",
    );
    await expectContinued(stack);
  },
  { behaviour: { domainAdvance: "manual" } },
);

async function endsOnInterrupt(stack: NativeStack): Promise<void> {
  const running = stack.startUp();
  await requested(stack, "getCustomDomain");
  running.interrupt("Ctrl-C");
  const { code, printed } = await running.ended;
  expect(code).not.toBe(0);
  expect(printed).toContain("the run was cancelled");
}

function activate({ service }: NativeStack): void {
  for (const { id } of service.state.customDomains) {
    while (service.state.customDomains[0]?.lifecycleStatus !== "ACTIVE") service.advanceDomain(id);
  }
}

/** Expects that the state lacks the activation, and that the next `up` continues the wait. */
async function expectContinued(stack: NativeStack): Promise<void> {
  const { pulumi } = stack;
  expect(written(stack)).toEqual(["createCustomDomain", "createProject"]);
  const { resources, pending_operations: pending = [] } = await exported(stack);
  expect(pending).toEqual([]);
  expect(resources.map(({ type }) => type)).toEqual(WITHOUT_ACTIVATION);

  activate(stack);
  await pulumi("up", "--yes", "--skip-preview");
  expect(written(stack)).toEqual([]);
  await pulumi("preview", "--expect-no-changes");
}
