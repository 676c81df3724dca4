/** What operations on custom domains and their activations wait for, against an emulator, on a fake clock. */
import type { LifecycleStatus } from "../../../provider/client";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import type { Behaviour, Emulator } from "../../../testing/emulator";
import { ORGANIZATION, seedWith } from "../../support/values/organizations";
import { type InProcessRun, inProcessTools, operationsOf } from "../inProcess";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";

let service: Emulator;
let inProcess: InProcessRun;

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });
beforeEach(() => {
  ({ service, inProcess } = tools);
});

const domain = { projectId: PROJECT, hostname: "links.shop.example" };
const activated = { customDomainId: DOMAIN };

type Advance = Behaviour["domainAdvance"];

function activation(lifecycleStatus: LifecycleStatus, domainAdvance: Advance, hostname = domain.hostname) {
  service.createCustomDomain(PROJECT, { id: DOMAIN, hostname, lifecycleStatus });
  service.setBehaviour({ domainAdvance });
  return operationsOf(customDomainActivationDescription, inProcess);
}

test("a create of a domain waits while reads do not find it", async () => {
  service.setBehaviour({ cnameTargetAppears: { afterPolls: 1 }, readLag: { afterPolls: 2 } });
  const { state } = await operationsOf(customDomainDescription, inProcess).create(domain);
  expect(state.cnameTarget).toEqual(expect.any(String));
});

function notFound(count: number): void {
  service.inject({ operation: "getCustomDomain", count, effect: { status: 404 } });
}

test("an activation waits while only lists contain its domain, and fails at once if they lack it", async () => {
  const { create } = activation("ACTIVE", "manual");
  notFound(2);
  expect(await create(activated)).toMatchObject({ uuid: DOMAIN });
  const waits = inProcess.waits.length;
  await expect(create({ customDomainId: PROJECT })).rejects.toThrow(`There is no custom domain ${PROJECT}`);
  expect(inProcess.waits).toHaveLength(waits);
});

test("a refresh keeps an activation after a 404 while lists contain its domain", async () => {
  const { read } = activation("ACTIVE", "manual");
  const state = { ...activated, hostname: domain.hostname, __organization: ORGANIZATION };
  notFound(Number.POSITIVE_INFINITY);
  await expect(read(DOMAIN, state)).rejects.toThrow("404 Not Found");
  service.clearFaults();
  service.deleteCustomDomain(DOMAIN);
  expect(await read(DOMAIN, state)).toBeUndefined();
});

test("an activation waits while the status is one that the service has added", async () => {
  const { create } = activation("ACTIVE", "manual");
  const body = (actual: object) => ({ ...actual, lifecycle_status: "IN_REVIEW" });
  service.inject({ operation: "getCustomDomain", count: 3, effect: { body } });
  expect((await create(activated)).state).toMatchObject({ hostname: domain.hostname });
  expect(inProcess.waits).toHaveLength(3);
  const advice = "is IN_REVIEW: npx pulumi-dynamiclink domains shows what to set";
  expect(inProcess.reports.join()).toContain(advice);
});

test("an activation waits for the service's next retry, and polls after 30 seconds at the latest", async () => {
  const { create } = activation("PENDING_DNS", { pollsPerState: 2 });
  const nextRetryAt = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
  service.setDomainStatus(DOMAIN, "PENDING_DNS", { nextRetryAt });
  const { state } = await create(activated);
  expect(state.hostname).toBe("links.shop.example");
  expect(Math.max(...inProcess.waits)).toBe(30_000);
});

const LIMIT =
  ". Waits for at most 600 seconds. Ctrl-C takes effect after that; a second one ends Pulumi at once.";

test("an activation reports each status once with the hostname, and no record: the error of a wait that fails has them", async () => {
  const { check, create } = activation("PENDING_PROVIDER", { pollsPerState: 2 });
  await check(activated);
  expect(inProcess.reports).toEqual([]);
  await create(activated);
  await create(activated);
  const notice = expect.stringMatching(/`npx pulumi-dynamiclink domains` shows .* with --provider\.$/);
  expect(inProcess.persistent).toEqual([]);
  expect(inProcess.reports).toEqual([
    notice,
    ...["PENDING_PROVIDER", "PENDING_DNS", "PENDING_CERTIFICATE"].map(
      (status, index) =>
        `links.shop.example is ${status}: npx pulumi-dynamiclink domains shows what to set${index === 0 ? LIMIT : ""}`,
    ),
  ]);
});

test("an error shows each record to set as the service spells it", async () => {
  const { create } = activation("PENDING_DNS", "manual", "Canary.Straße.example.");
  service.setDomainStatus(DOMAIN, "FAILED", {
    cnameTarget: "CANARY.xn--strae-oqa.example.edge.dynamiclink.example",
    ownershipValidation: {
      type: "http",
      httpUrl: "http://canary.xn--strae-oqa.example/.well-known/proof",
      httpBody: "proof of canary.straße.example",
    },
    sslValidationRecords: {
      records: [{ txtName: "_acme.canary.xn--strae-oqa.example.", txtValue: "proof" }],
    },
  });
  const failure = await create(activated).catch((error: Error) => error.message);
  expect(failure).toContain(
    [
      `Custom domain Canary.Straße.example. (${DOMAIN}) is FAILED: Provider operation failed. Waiting will not activate it.`,
      "Set these:",
      "  CNAME canary.xn--strae-oqa.example -> CANARY.xn--strae-oqa.example.edge.dynamiclink.example",
      '  Serve "proof of canary.straße.example" at http://canary.xn--strae-oqa.example/.well-known/proof',
      '  TXT _acme.canary.xn--strae-oqa.example. -> "proof"',
      "When the records are correct, ",
    ].join("\n"),
  );
});
