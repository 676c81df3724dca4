/** The records that a resource keeps: what a create waits for and says, what the next run continues, and what a refresh takes over. */
import { NotReadyError } from "../../../provider/errors";
import type { Properties } from "../../../provider/lifecycle/properties";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { customDomainRecordsDescription } from "../../../provider/resources/customDomainRecords";
import type { Behaviour, LifecycleStatus } from "../../../testing/emulator";
import { errorOf } from "../../support/values/errorOf";
import { ORGANIZATION, seedWith } from "../../support/values/organizations";
import { type InProcessRun, inProcessTools, operationsOf } from "../inProcess";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const PROOF = DOMAIN.replaceAll("-", "");
const OWNERSHIP = {
  type: "TXT",
  name: "_ownership.links.shop.example",
  value: PROOF,
  httpUrl: `http://validation.dynamiclink.example/${DOMAIN}/ownership`,
  httpBody: PROOF,
};
const CERTIFICATE = { type: "TXT", name: "_certificate.links.shop.example", value: PROOF };

const tools = inProcessTools({
  seed: seedWith([
    { id: PROJECT, name: "Shop", customDomains: [{ id: DOMAIN, hostname: "links.shop.example" }] },
  ]),
});

function recordsOf(status: LifecycleStatus, behaviour: Partial<Behaviour> = {}, again?: InProcessRun) {
  tools.service.setBehaviour({ domainAdvance: "manual", ...behaviour });
  tools.service.setDomainStatus(DOMAIN, status);
  return operationsOf(customDomainRecordsDescription, again ?? tools.inProcess);
}

function gets(): number {
  const count = tools.service.requests.filter(({ operationId }) => operationId === "getCustomDomain").length;
  tools.service.clearRequests();
  return count;
}

function saved(state: object): Properties {
  return { customDomainId: DOMAIN, ...state, __organization: ORGANIZATION };
}

const SHOWN = { ownership: OWNERSHIP, certificates: [CERTIFICATE] };
const NONE = "and the service shows no records of";
const LATER = "If it asks for some later, `pulumi up --refresh` adds them.";

test.each<[LifecycleStatus, state: object, said: string | undefined]>([
  ["PENDING_PROVIDER", { certificates: [] }, `${NONE} ownership or certificate. ${LATER}`],
  ["PENDING_DNS", { ownership: OWNERSHIP, certificates: [] }, `${NONE} certificate. ${LATER}`],
  ["PENDING_CERTIFICATE", SHOWN, undefined],
  ["ACTIVE", { certificates: [] }, `is ACTIVE, ${NONE} ownership or certificate. ${LATER}`],
  ["FAILED", { ownership: OWNERSHIP, certificates: [] }, `, ${NONE} certificate. ${LATER}`],
  ["DELETING", { certificates: [] }, `is DELETING, ${NONE} ownership or certificate. ${LATER}`],
])("without waitFor, a create of a domain in %s saves what it shows", async (status, state, said) => {
  const { create } = recordsOf(status, { deletingPolls: 9 });
  expect((await create({ customDomainId: DOMAIN })).state).toEqual(saved(state));
  expect(tools.inProcess.persistent.map((each) => each.slice(each.indexOf(") ") + 2))).toEqual(
    said === undefined ? [] : [expect.stringContaining(said)],
  );
  const waitedMs = tools.inProcess.waits.reduce((sum, each) => sum + each, 0);
  expect(waitedMs).toBe(status === "PENDING_PROVIDER" ? 60_000 : 0);
});

test("a create waits for records that appear later, and keeps those of each stage", async () => {
  const { create } = recordsOf("PENDING_DNS", { recordsAppear: { afterPolls: 3 } });
  const declared = { customDomainId: DOMAIN, waitFor: ["ownership"] };
  const expected = saved({ ...declared, ownership: OWNERSHIP, certificates: [] });
  expect((await create(declared)).state).toEqual(expected);
  expect(gets()).toBe(4);
  tools.service.setDomainStatus(DOMAIN, "PENDING_DNS");
  const body = (actual: object) => ({
    ...actual,
    lifecycle_status: "PENDING_CERTIFICATE",
    ownership_validation: null,
  });
  const ssl = { ssl_validation_records: { records: [{ txt_name: "_certificate", txt_value: "proof" }] } };
  tools.service.inject({
    operation: "getCustomDomain",
    skip: 1,
    effect: { body: (actual: object) => ({ ...body(actual), ...ssl }) },
  });
  const both = { ...declared, waitFor: ["ownership", "certificates"] };
  const certificates = [{ type: "TXT", name: "_certificate", value: "proof" }];
  expect((await create(both)).state).toEqual(saved({ ...both, ownership: OWNERSHIP, certificates }));
  expect(tools.inProcess.persistent).toEqual([]);
});

test("a wait that times out is saved with what was shown, continued by the next run, and sends nothing once it is ready", async () => {
  const declared = { customDomainId: DOMAIN, waitFor: ["ownership", "certificates"], timeoutSeconds: 20 };
  const { create, update, read } = recordsOf("PENDING_DNS");
  const error = await errorOf(create(declared), NotReadyError);
  expect(error.state).toEqual(saved({ ...declared, ownership: OWNERSHIP }));
  expect(error.message).toBe(
    `Custom domain links.shop.example (${DOMAIN}) is PENDING_DNS after 20 seconds, and the service has shown no records of certificate.
Run \`pulumi up\` again to continue waiting. timeoutSeconds sets how long one run waits.`,
  );
  expect((await read(DOMAIN, error.state))?.notReady).toContain(
    "is PENDING_DNS, and the service has shown no records",
  );
  tools.service.setDomainStatus(DOMAIN, "PENDING_CERTIFICATE");
  const state = await update(DOMAIN, error.state, declared);
  expect(state).toEqual(saved({ ...declared, ...SHOWN }));
  // A resource that was ready waits for what the program needs now.
  expect(await update(DOMAIN, saved({ certificates: [] }), declared)).toEqual(state);
  gets();
  tools.service.setDomainStatus(DOMAIN, "ACTIVE");
  const changed = { ...declared, timeoutSeconds: 30 };
  expect(await update(DOMAIN, state, changed)).toEqual(saved({ ...changed, ...SHOWN }));
  expect(await update(DOMAIN, state, { customDomainId: DOMAIN })).toEqual(saved(SHOWN));
  expect(gets()).toBe(0);
  // A resource that was not ready looks once more when the program no longer waits.
  expect(await update(DOMAIN, error.state, { customDomainId: DOMAIN })).toEqual(
    saved({ ownership: OWNERSHIP, certificates: [] }),
  );
  expect(gets()).toBe(1);
});

const NOT_SHOWN = "Waiting will not show any: remove";
const ACTIVE = "ownership and certificates from waitFor. An active domain has been verified.";
test.each<[LifecycleStatus, string, isSaved: boolean]>([
  ["ACTIVE", `${NOT_SHOWN} ${ACTIVE}`, false],
  [
    "FAILED",
    `${NOT_SHOWN} certificates from waitFor, and let the activation have the service retry it`,
    true,
  ],
  ["EXPIRED", `${NOT_SHOWN} ownership and certificates from waitFor, and let the activation`, false],
  ["DELETING", "When it is deleted, run `pulumi up --refresh`, which creates the custom domain again", false],
])("a wait for the records of a domain that is %s ends at once: %s", async (status, advice, isSaved) => {
  const { create } = recordsOf(status, { deletingPolls: 9 });
  const created = create({ customDomainId: DOMAIN, waitFor: ["ownership", "certificates"] });
  const error = await errorOf(created);
  // What was shown is kept.
  expect(error instanceof NotReadyError).toBe(isSaved);
  expect(error.message).toContain(`is ${status}`);
  expect(error.message).toContain(advice);
  expect(tools.inProcess.waits).toEqual([]);
});

const OLD = {
  ownership: { type: "TXT", name: "old", value: "1" },
  certificates: [{ type: "TXT", name: "old", value: "2" }],
};
function record(txtName: string, txtValue?: string) {
  return { txtName, ...(txtValue !== undefined && { txtValue }) };
}
function txt(name: string, value: string) {
  return { type: "TXT", name, value };
}
function shows(ownershipValidation?: object, records?: readonly object[]) {
  return {
    ...(ownershipValidation && { ownershipValidation }),
    ...(records && { sslValidationRecords: { records } }),
  };
}
const HTTP = { httpUrl: "http://links.shop.example/proof", httpBody: "proof" };

test.each<[string, shown: object, kept: object]>([
  ["nothing", {}, OLD],
  ["an empty list and an empty record", shows({}, []), OLD],
  ["half a record", shows({ name: "new" }, [record("a", "1"), record("b")]), OLD],
  ["a record with an empty value", shows({ name: "new", value: "" }), OLD],
  ["half a response beside a record", shows({ name: "new", value: "1", httpUrl: HTTP.httpUrl }), OLD],
  ["another ownership", shows({ name: "new", value: "1" }), { ...OLD, ownership: txt("new", "1") }],
  ["HTTP alone", shows({ type: "http", ...HTTP }), { ...OLD, ownership: HTTP }],
  [
    "other certificates, in any order",
    shows(undefined, [record("b", "2"), record("a", "1")]),
    { ...OLD, certificates: [txt("a", "1"), txt("b", "2")] },
  ],
])("a refresh that is shown %s clears nothing, and takes over whole records", async (_what, shown, kept) => {
  const none = { ownershipValidation: null, sslValidationRecords: null };
  const { read } = recordsOf("EXPIRED");
  tools.service.setDomainStatus(DOMAIN, "EXPIRED", { ...none, ...shown });
  const reading = await read(DOMAIN, saved(OLD));
  expect(reading).toMatchObject({ uuid: DOMAIN, state: saved(kept), notReady: undefined });
});

test("a refresh reads the list that its domain is read from, else the domain, and leaves the state only with it", async () => {
  const { read } = recordsOf("PENDING_CERTIFICATE");
  const domain = { projectId: PROJECT, hostname: "links.shop.example", __organization: ORGANIZATION };
  const readDomain = () => operationsOf(customDomainDescription, tools.inProcess).read(DOMAIN, domain);
  // The one that arrives first requests the list after the other one has arrived.
  const [, reading] = await Promise.all([readDomain(), read(DOMAIN, saved(OLD))]);
  expect(reading?.state).toEqual(saved(SHOWN));
  const requests = tools.service.requests.map(({ operationId }) => operationId);
  expect(requests).toEqual(["getCurrentApiCredential", "listCustomDomains"]);
  gets();
  await tools.inProcess.run.clock.sleep(60_000);
  expect((await read(DOMAIN, saved(OLD)))?.state).toEqual(saved(SHOWN));
  expect(gets()).toBe(1);
  tools.service.deleteCustomDomain(DOMAIN);
  expect(await read(DOMAIN, saved(OLD))).toBeUndefined();
});
