/** The records that a program keeps: both programs of docs/custom-domains.md, followed to the expiry of the domain and its end. */
import type { Emulator } from "../../testing/emulator";
import { codeBlocks } from "../release/docs/codeBlocks";
import { failureOf, runScenarios, type ScenarioTools, seedWith, writesIn } from "../support/stacks/scenarios";

const [MUST_EXIST = "", WHICHEVER = ""] = codeBlocks()
  .filter(({ place, language }) => place.startsWith("docs/custom-domains.md:") && language === "typescript")
  .map(({ text }) => text.replaceAll(/^(import|declare) (.*;|function[\s\S]*?^\).*;)$/gm, ""));

/** A stand-in for the DNS provider. */
const DNS = `
  class DnsRecord extends pulumi.ComponentResource {
    constructor(name: string, { name: record, content, value }: any) {
      super("dns:index:Record", name);
      this.registerOutputs({ name: record, content: content ?? value });
    }
  }
  const createRecord = (name: string, args: any) => new DnsRecord(name, args);
`;
/** The first program of the page. The activation has the service retry. */
const PROGRAM =
  DNS + MUST_EXIST.replace("links.id }, { dependsOn", "links.id, retryFailed: true }, { dependsOn");
/** The second one, with the domain of the first. */
const OTHER_PROGRAM = `
  ${DNS}
  const shop = new Project("shop", { name: "Shop" });
  const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
  ${WHICHEVER}
`;

/** The TXT records that the DNS provider has, without the UUID of the domain: how often they were renewed. */
async function txtRecords(stack: ScenarioTools["stack"]): Promise<Record<string, string>> {
  const { resources = [] } = JSON.parse(await stack.stateText());
  const records = (resources as { type: string; outputs: { name: string; content: string } }[])
    .filter(({ type, outputs }) => type === "dns:index:Record" && outputs.name.startsWith("_"))
    .map(({ outputs }) => [outputs.name, outputs.content.slice(32)]);
  return Object.fromEntries(records);
}

function setStatus({ state, setDomainStatus }: Emulator, status: "ACTIVE" | "EXPIRED" | "FAILED"): void {
  for (const { id } of state.customDomains) setDomainStatus(id, status);
}

const OWNERSHIP = "_ownership.links.shop.example";
const CERTIFICATE = "_certificate.links.shop.example";

async function expectSteady({ stack, service }: ScenarioTools, expected: Record<string, string>) {
  service.clearRequests();
  await stack.up({ expectNoChanges: true });
  expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
  await stack.refresh({ expectNoChanges: true });
  await stack.preview({ expectNoChanges: true });
  expect(await txtRecords(stack)).toEqual(expected);
}

runScenarios(
  {
    title: "the records of a custom domain",
    seed: seedWith([]),
    hosts: "both",
    behaviour: { expiredRecords: "new", retryOutsideFailed: "accepted" },
  },
  [
    {
      name: "exist in the first up, stay when the domain is active, and change after it has expired",
      onCli: true,
      async run({ stack, service, host }) {
        const tools = { stack, service, host };
        await stack.deploy(PROGRAM);
        expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
        await expectSteady(tools, { [OWNERSHIP]: "" });
        setStatus(service, "EXPIRED");
        await stack.up({ expectNoChanges: true });
        await stack.up({ refresh: true });
        expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
        await expectSteady(tools, { [OWNERSHIP]: "1" });
        service.clearRequests();
        await stack.destroy();
        expect(writesIn(service).sort()).toEqual(["deleteCustomDomain 204", "deleteProject 204"]);
      },
    },
    {
      name: "are those that the service shows, are added by a refresh, and stay",
      onCli: true,
      async run({ stack, service, host }) {
        const tools = { stack, service, host };
        const { printed } = await stack.deploy(OTHER_PROGRAM);
        expect(printed).toContain("is PENDING_DNS, and the service shows no records of certificate. If it");
        expect(await txtRecords(stack)).toEqual({ [OWNERSHIP]: "" });
        await stack.up({ expectNoChanges: true });
        await stack.up({ refresh: true });
        const both = { [OWNERSHIP]: "", [CERTIFICATE]: "" };
        expect(await txtRecords(stack)).toEqual(both);
        setStatus(service, "ACTIVE");
        await expectSteady(tools, both);
        setStatus(service, "EXPIRED");
        await stack.up({ expectNoChanges: true });
        await stack.up({ refresh: true });
        await expectSteady(tools, { [OWNERSHIP]: "1", [CERTIFICATE]: "1" });
        await stack.destroy();
        expect(service.state.projects).toEqual([]);
      },
    },
    {
      name: "are not lost if --replace makes another resource for them, which fails",
      onCli: true,
      async run({ stack, service, host }) {
        await stack.deploy(PROGRAM);
        const replace = [stack.urnOf("CustomDomainRecords", "links-records")];
        expect(await failureOf(stack.up({ replace }))).toContain("kept records, it still has them");
        await expectSteady({ stack, service, host }, { [OWNERSHIP]: "" });
      },
    },
    {
      name: "are none if the service shows none, and are waited for again in the next up if the program needs them",
      onCli: true,
      behaviour: { recordsAppear: "never", domainAdvance: "manual" },
      async run({ stack, service, host }) {
        const tools = { stack, service, host };
        const program = (more = "") =>
          OTHER_PROGRAM.replace("links.id }", `links.id, timeoutSeconds: 2${more} }`);
        await stack.deploy(program());
        await expectSteady(tools, {});
        stack.program(program(', waitFor: ["ownership"]'));
        const missing = "and the service has shown no records of ownership.";
        expect(await failureOf(stack.up())).toContain(`is PENDING_PROVIDER after 2 seconds, ${missing}`);
        expect(await failureOf(stack.up())).toContain(missing);
        expect((await stack.refresh()).printed).toContain(missing);
        service.setBehaviour({ recordsAppear: "atOnce" });
        setStatus(service, "FAILED");
        expect((await stack.up()).changes).toMatchObject({ update: 1 });
        await expectSteady(tools, { [OWNERSHIP]: "" });
      },
    },
  ],
);
