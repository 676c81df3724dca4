/** The lifecycle and activation of a custom domain. `undecided.test.ts` covers what the reference leaves open. */

import { failureOf, runScenarios, type ScenarioTools, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const EXISTING = "0d0d0d0d-0000-4000-8000-000000000004";
const seed = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

function domain(hostname: string, options = "") {
  return `const links = new CustomDomain("links", { projectId: "${PROJECT}", hostname: "${hostname}" }${options});`;
}

function activation(args = "") {
  return `${domain("links.shop.example")} export const active = new CustomDomainActivation("active", { customDomainId: links.id${args} }).hostname;`;
}

const FAILED = { id: EXISTING, hostname: "links.shop.example", lifecycleStatus: "FAILED" } as const;

/** The activation of a domain that the program does not declare. */
function activationOf(id: string, args = ""): string {
  return `new CustomDomainActivation("active", { customDomainId: "${id}", ${args} });`;
}

runScenarios({ title: "the lifecycle of a custom domain", seed }, [
  {
    name: "a change of host name creates the new domain before it deletes the old one",
    async run({ stack, service }) {
      await stack.deploy(domain("links.shop.example"));
      service.clearRequests();
      await stack.deploy(domain("go.shop.example"));
      expect(writesIn(service)).toEqual(["createCustomDomain 201", "deleteCustomDomain 204"]);
      expect(service.state.customDomains.map(({ hostname }) => hostname)).toEqual(["go.shop.example"]);
    },
  },
]);

runScenarios({ title: "the activation of a custom domain", seed }, [
  {
    name: "waits until the domain is active, and does not wait again for a renewal",
    behaviour: { domainAdvance: { pollsPerState: 1 } },
    async run({ stack, service }) {
      expect((await stack.deploy(activation())).outputs).toEqual({ active: "links.shop.example" });
      for (const { id } of service.state.customDomains) service.setDomainStatus(id, "PENDING_CERTIFICATE");
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      service.clearRequests();
      await stack.destroy();
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204"]);
    },
  },
  {
    name: "is saved as not ready after a timeout, and the next up continues to wait, even after a refresh",
    onCli: "one host",
    behaviour: { domainAdvance: "manual" },
    async run({ stack, service }) {
      const message = await failureOf(stack.deploy(activation(", timeoutSeconds: 1")));
      expect(message).toContain("after 1 seconds");
      expect(message).toContain("CNAME links.shop.example -> ");
      expect(await stack.resources()).toHaveLength(2);
      expect(await failureOf(stack.up())).toContain("after 1 seconds");
      await stack.refresh();
      expect(await failureOf(stack.up())).toContain("after 1 seconds");
      for (const { id } of service.state.customDomains) service.setDomainStatus(id, "ACTIVE");
      expect((await stack.up()).outputs).toEqual({ active: "links.shop.example" });
      await stack.preview({ expectNoChanges: true });
    },
  },
  ...[{ status: 503 } as const, { reset: "before" } as const].map((effect) => ({
    name: `outlasts ${JSON.stringify(effect)} for more than a minute, when it begins and when it resumes, and so does a deletion`,
    behaviour: { domainAdvance: "manual" as const },
    async run({ stack, service }: ScenarioTools) {
      const failing = { operation: "getCustomDomain", count: 12, effect } as const;
      service.inject(failing);
      expect(await failureOf(stack.deploy(activation(", timeoutSeconds: 120")))).toContain(
        "PENDING_PROVIDER after 120 seconds",
      );
      for (const { id } of service.state.customDomains) service.setDomainStatus(id, "ACTIVE");
      service.inject(failing);
      expect((await stack.up()).outputs).toEqual({ active: "links.shop.example" });
      service.inject(failing);
      await stack.destroy();
      expect(service.faultsUsed).toHaveLength(36);
      expect(service.state.customDomains).toEqual([]);
    },
  })),
  {
    name: "sends no second retry request when the answer to the first is lost",
    seed: seedWith([{ id: PROJECT, name: "Shop", customDomains: [FAILED] }]),
    behaviour: { domainAdvance: { pollsPerState: 1 } },
    async run({ stack, service }) {
      service.inject({ operation: "retryCustomDomain", effect: { reset: "after" } });
      await stack.deploy(activationOf(EXISTING, "retryFailed: true"));
      expect(writesIn(service)).toHaveLength(1);
    },
  },
]);
