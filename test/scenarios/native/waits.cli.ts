/** What ends the wait of an activation on a real CLI with the plugin, in YAML: Ctrl-C and a time limit. The next up continues it. */
import { writesIn } from "../../support/stacks/scenarios";
import { exported, initialized, interruptedAt, type NativeStack, testIn, type YamlProgram } from "./support";

function waitingFor(options: object = {}): YamlProgram {
  return {
    resources: {
      shop: { type: "dynamiclink:Project", properties: { name: "Shop" } },
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

// Windows cannot send SIGINT to one process.
const onSignals = process.platform === "win32" ? describe.skip : describe;
onSignals("an interrupted up", () => {
  testIn(
    ["yaml"],
    "stops an activation's wait of ten minutes after Ctrl-C, and the next up continues it",
    async (stack) => {
      stack.write(waitingFor());
      await initialized(stack);
      expect(await interruptedAt(stack, "getCustomDomain")).toContain("the run was cancelled");
      await expectContinued(stack);
    },
    { behaviour: { domainAdvance: "manual" } },
  );
});

testIn(
  ["yaml"],
  "customTimeouts stops an activation's wait, and the next up continues it",
  async (stack) => {
    stack.write(waitingFor({ customTimeouts: { create: "2s" } }));
    await initialized(stack);
    await expect(stack.pulumi("up", "--yes", "--skip-preview")).rejects.toThrow(
      "it exceeded the time limit of 2 s set by the resource option customTimeouts",
    );
    await expectContinued(stack);
  },
  { behaviour: { domainAdvance: "manual" } },
);

/** Expects that the state lacks the activation, which was still waiting, and that the next `up` continues the wait. */
async function expectContinued(stack: NativeStack): Promise<void> {
  const { pulumi, service } = stack;
  const { resources, pending_operations: pending = [] } = await exported(stack);
  expect(pending).toEqual([]);
  expect(resources.map(({ type }) => type)).toEqual([
    "pulumi:pulumi:Stack",
    "pulumi:providers:dynamiclink",
    "dynamiclink:index:Project",
    "dynamiclink:index:CustomDomain",
  ]);
  const [domain] = service.state.customDomains;
  service.setDomainStatus(String(domain?.id), "ACTIVE");
  await pulumi("up", "--yes", "--skip-preview");
  await pulumi("preview", "--expect-no-changes");
  expect(writesIn(service)).toEqual(["createProject 201", "createCustomDomain 201"]);
}
