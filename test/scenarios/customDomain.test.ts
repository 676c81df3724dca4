/**
 * The lifecycle and activation of a custom domain. behaviour/undecided covers what the reference leaves open, and messages/
 * what the messages advise.
 */

import type { Emulator } from "../../testing/emulator";
import { failureOf, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const seed = seedWith([
  { id: PROJECT, name: "Shop" },
  { id: OTHER_PROJECT, name: "Market" },
]);

function domain(hostname: string, options = "") {
  return `const links = new CustomDomain("links", { projectId: "${PROJECT}", hostname: "${hostname}" }${options});`;
}

function hostnamesIn({ state }: Emulator): string[] {
  return state.customDomains.map(({ hostname }) => hostname);
}

function linkIn(service: Emulator): string {
  const [{ id: customDomainId } = {}] = service.state.customDomains;
  return service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId }).id;
}

runScenarios({ title: "the lifecycle of a custom domain", seed }, [
  {
    name: "with retainOnDelete, a domain with links stays in the service, and moves only after the option was removed",
    onCli: true,
    async run({ stack, service }) {
      const retained = ", { retainOnDelete: true }";
      await stack.deploy(domain("links.shop.example", retained));
      linkIn(service);
      const { printed } = await stack.deploy(domain("go.shop.example", retained));
      expect(printed).toContain("and stays in the service because of the option retainOnDelete");
      expect(hostnamesIn(service)).toEqual(["links.shop.example", "go.shop.example"]);
      await stack.preview({ expectNoChanges: true });
      const moved = (options = "") => domain("go.shop.example", options).replace(PROJECT, OTHER_PROJECT);
      stack.program(moved(retained));
      expect(await failureOf(stack.preview())).toContain(
        "Remove the option, run `pulumi up`, and change projectId in a later one.",
      );
      await stack.deploy(domain("go.shop.example"));
      await stack.deploy(moved());
      expect(service.state.customDomains.map(({ projectId }) => projectId)).toEqual([PROJECT, OTHER_PROJECT]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

runScenarios({ title: "the activation of a custom domain", seed }, [
  {
    name: "waits until the domain is active, and again after a refresh has found that it no longer is",
    hosts: "both",
    onCli: true,
    behaviour: { domainAdvance: { pollsPerState: 1 } },
    async run({ stack, service }) {
      const active = { active: "links.shop.example" };
      const activation = `
        ${domain("links.shop.example")}
        export const active = new CustomDomainActivation("active", { customDomainId: links.id }).hostname;
      `;
      expect((await stack.deploy(activation)).outputs).toEqual(active);
      await stack.refresh({ expectNoChanges: true });
      for (const { id } of service.state.customDomains) service.setDomainStatus(id, "PENDING_CERTIFICATE");
      await stack.preview({ expectNoChanges: true });
      const { printed } = await stack.refresh();
      expect(printed).toContain("is PENDING_CERTIFICATE, so its activation is not complete. Run `pulumi up`");
      expect((await stack.resources())[0]?.outputs).toMatchObject({ hostname: "links.shop.example" });
      expect(await stack.up()).toMatchObject({ outputs: active, changes: { update: 1, same: 2 } });
      expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
      await stack.refresh({ expectNoChanges: true });
      await stack.preview({ expectNoChanges: true });
      service.clearRequests();
      await stack.destroy();
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204"]);
    },
  },
]);
