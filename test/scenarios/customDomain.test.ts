/** The lifecycle and activation of a custom domain. `undecided.test.ts` covers what the reference leaves open. */

import { PROVIDER_PROPERTY } from "../../provider/hosts/dynamicNames";
import {
  deployed,
  failureOf,
  KEY,
  operationsIn,
  readsIn,
  runScenarios,
  seedWith,
  writesIn,
} from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000005";
const EXISTING = "0d0d0d0d-0000-4000-8000-000000000004";
/** How a preview looks at the links of a domain that moves. */
const LINKS_READ = ["listCustomDomains 200", "listCustomDomainLinks 200"];
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
    name: "a domain is created with its CNAME target, unchanged under another spelling, refreshed and deleted",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy(domain("links.straße.example"));
      const [links] = await stack.resources();
      const names = Object.keys(links?.outputs ?? {}).filter((name) => name !== PROVIDER_PROPERTY);
      expect(names.sort()).toEqual(["__organization", "cnameTarget", "hostname", "projectId"]);
      stack.program(domain("LINKS.xn--strae-oqa.example."));
      service.clearRequests();
      await stack.preview({ expectNoChanges: true });
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200"]);
      await stack.refresh({ expectNoChanges: true });
      await stack.destroy();
      expect(service.state.customDomains).toEqual([]);
    },
  },
  {
    name: "a new domain whose reads lag is waited for like one without a CNAME target",
    behaviour: { cnameTargetAppears: { afterPolls: 1 }, readLag: { afterPolls: 2 } },
    async run({ stack, service }) {
      await stack.deploy(domain("links.shop.example"));
      expect(readsIn(service).filter((read) => read.startsWith("getCustomDomain"))).toEqual([
        "getCustomDomain 404",
        "getCustomDomain 404",
        "getCustomDomain 200",
        "getCustomDomain 200",
      ]);
      const [{ outputs = {} } = {}] = await stack.resources();
      expect(outputs.cnameTarget).toEqual(expect.any(String));
    },
  },
  {
    name: "a deletion of a domain whose links are not found waits if it is being deleted, and keeps it otherwise",
    behaviour: { deletingPolls: 2 },
    async run({ stack, service }) {
      const id = await deployed(stack, domain("links.shop.example"));
      const notFound = { operation: "listCustomDomainLinks", effect: { status: 404 } } as const;
      service.inject(notFound);
      expect(await failureOf(stack.destroy())).toContain(`reading custom domain ${id} finds it, so it stays`);
      expect(writesIn(service)).toEqual(["createCustomDomain 201"]);
      service.setDomainStatus(id, "DELETING");
      service.inject(notFound);
      await stack.destroy();
      expect(await stack.resources()).toEqual([]);
      expect(service.state.customDomains).toEqual([]);
    },
  },
  {
    name: "a change of project deletes the old domain completely before it creates the new one",
    onCli: "one host",
    behaviour: { deletingPolls: 2 },
    async run({ stack, service }) {
      await stack.deploy(domain("links.shop.example"));
      service.clearRequests();
      stack.program(domain("LINKS.shop.example").replace(PROJECT, OTHER_PROJECT));
      const warning = `moves from project ${PROJECT} to ${OTHER_PROJECT}. It is deleted before the new one is created`;
      expect((await stack.preview()).printed).toContain(warning);
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200", "getProject 200", ...LINKS_READ]);
      expect((await stack.up()).printed).toContain(warning);
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204", "createCustomDomain 201"]);
      expect(service.state.customDomains.map(({ projectId }) => projectId)).toEqual([OTHER_PROJECT]);
    },
  },
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
  {
    name: "a preview warns that the host name is in use in another project, and the conflict reports by which domain",
    seed: seedWith([
      { id: PROJECT, name: "Shop" },
      {
        id: OTHER_PROJECT,
        name: "Market",
        customDomains: [{ id: EXISTING, hostname: "links.shop.example" }],
      },
    ]),
    async run({ stack, service }) {
      stack.program(
        `const shop = new Project("shop", { name: "New" });${domain("LINKS.shop.example.").replace(`"${PROJECT}"`, "shop.id")}`,
      );
      expect((await stack.preview()).printed).toContain(`is used by custom domain ${EXISTING}`);
      expect(operationsIn(service).sort()).toEqual([
        "listCustomDomains",
        "listCustomDomains",
        "listProjects",
      ]);
      expect(await failureOf(stack.up())).toContain(`\`import\` to "${EXISTING}"`);
    },
  },
  {
    name: "a domain is deleted with a message about its links when the key cannot list them",
    onCli: "one host",
    async run({ stack, service }) {
      const id = await deployed(stack, domain("links.shop.example"));
      service.setScopes(KEY, ["domains:read", "domains:write"]);
      expect((await stack.destroy()).printed).toContain(
        `Custom domain ${id} is deleted without looking for links in it, because the API key cannot list them.`,
      );
      expect(readsIn(service)).not.toContain("listCustomDomainLinks 403");
      expect(service.state.customDomains).toEqual([]);
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
  {
    name: "needs domains:write only with retryFailed",
    seed: seedWith([
      { id: PROJECT, name: "Shop", customDomains: [{ id: EXISTING, hostname: "links.shop.example" }] },
    ]),
    async run({ stack, service }) {
      service.setScopes(KEY, ["domains:read"]);
      stack.program(activationOf(EXISTING));
      await stack.preview();
      stack.program(activationOf(EXISTING, "retryFailed: true"));
      expect(await failureOf(stack.preview())).toContain("lacks the scope domains:write");
    },
  },
  {
    name: "is replaced for another domain, and nothing is deleted in the service",
    seed: seedWith([
      {
        id: PROJECT,
        name: "Shop",
        customDomains: [
          { id: EXISTING, hostname: "links.shop.example" },
          { id: OTHER_PROJECT, hostname: "go.shop.example" },
        ],
      },
    ]),
    async run({ stack, service }) {
      await stack.deploy(activationOf(EXISTING));
      await stack.deploy(activationOf(OTHER_PROJECT));
      expect((await stack.resources())[0]).toMatchObject({
        id: OTHER_PROJECT,
        outputs: { hostname: "go.shop.example" },
      });
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
