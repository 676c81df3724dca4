/** Custom domains: creation, hostnames, statuses, retry and deletion. */
import type { Behaviour, LifecycleStatus } from "../../testing/emulator";
import { named, whole } from "./contract/contract";
import { expectAnswer, OWN, paths, START_MS, useService } from "./service";

const domains = `${paths.project}/custom-domains`;

const service = useService();
const { get, post, remove, behave } = service;

function create(status: number, hostname = "new.shop.example", expected: object = {}) {
  return expectAnswer(post(domains, { hostname }), status, expected);
}

describe("a custom domain", () => {
  test("that is created has a CNAME target, and null for all that the provider has not done yet", async () => {
    const fields = Object.entries(named("CustomDomain").properties ?? {});
    const nullable = fields.filter(([, field]) => whole(field).nullable).map(([name]) => [name, null]);
    const { id, ...created } = await create(201);
    expect(created).toMatchObject({
      ...Object.fromEntries(nullable),
      lifecycle_status: "PENDING_PROVIDER",
      cname_target: `${String(id).slice(0, 8)}.edge.dynamiclink.example`,
      retry_count: 0,
    });
  });

  test("needs the project's Pro entitlement only when it is created", async () => {
    service.emulator.setPro(OWN.project, false);
    const message = "Custom domains require an active Pro entitlement.";
    await create(403, "new.shop.example", { message });
    service.emulator.setDomainStatus(OWN.domain, "FAILED");
    await expectAnswer(get(domains), 200);
    await expectAnswer(post(`${paths.domain}/retry`), 200);
    service.emulator.setPro(OWN.project, true);
    await create(201);
  });
});

const ODD = ["nodot", "a b.example", "-x.example", "x..example", "https://x.example", "x.example/y"];

test.each<[status: number, hostnames: readonly string[], expected?: object]>([
  [400, ODD, { message: ["hostname must be a valid hostname"] }],
  [400, ["", "x".repeat(254)]],
  [409, ["go.shop.example", "GO.Shop.Example", "go.shop.example.", "go.theirs.example"]],
])("the creation leads to %d for each hostname of %j", async (...row) => {
  const [status, hostnames, expected] = row;
  for (const hostname of hostnames) await create(status, hostname, expected);
});

describe("the lifecycle of a custom domain", () => {
  test("can follow the clock: it became active when it was due, not when it was read", async () => {
    behave({ domainAdvance: { secondsPerState: 60 } });
    const { id, created_at } = await create(201);
    service.emulator.clock.advance(200_000);
    const { activated_at } = await expectAnswer(get(`/custom-domains/${id}`), 200);
    expect(Date.parse(`${activated_at}`) - Date.parse(`${created_at}`)).toBe(180_000);
  });

  const proof = OWN.domain.replaceAll("-", "");
  const OWNERSHIP = {
    type: "txt",
    name: "_ownership.go.shop.example",
    value: proof,
    http_url: `http://validation.dynamiclink.example/${OWN.domain}/ownership`,
    http_body: proof,
  };
  const CERTIFICATE = {
    records: [{ status: "pending", txt_name: "_certificate.go.shop.example", txt_value: proof }],
  };
  const FAILURE = { last_error: "Provider operation failed.", next_retry_at: expect.any(String) };

  test.each<[LifecycleStatus, provider: unknown, ssl: unknown, owner: unknown, records: unknown, object?]>([
    ["PENDING_PROVIDER", null, null, null, null],
    ["PENDING_DNS", "pending", null, OWNERSHIP, null],
    ["PENDING_CERTIFICATE", "pending", "pending_validation", OWNERSHIP, CERTIFICATE],
    ["ACTIVE", "active", "active", null, null, { activated_at: expect.any(String) }],
    ["FAILED", "pending", null, OWNERSHIP, null, FAILURE],
    ["EXPIRED", "active", "active", null, null, { expires_at: new Date(START_MS).toISOString() }],
    ["DELETING", "active", "active", null, null],
  ])("has the fields of the status %s", async (status, ...row) => {
    const [provider_status, ssl_status, ownership_validation, ssl_validation_records, more] = row;
    service.emulator.setDomainStatus(OWN.domain, status);
    await expectAnswer(get(paths.domain), 200, {
      ...{ lifecycle_status: status, provider_status, ssl_status, ownership_validation },
      ...{ ssl_validation_records, last_error: null, next_retry_at: null, ...more },
    });
  });
});

describe("the records of a custom domain", () => {
  const recordsOf = async () => {
    const { body } = await get(paths.domain);
    const [ownership, certificate] = [/"value":"(\w+)"/, /"txt_value":"(\w+)"/].map(
      (value) => value.exec(JSON.stringify(body))?.[1]?.slice(32) ?? "none",
    );
    return `${ownership}, ${certificate}`;
  };

  test.each<[Partial<Behaviour>, LifecycleStatus, first: string, second: string]>([
    [{ recordsAppear: { afterPolls: 1 } }, "PENDING_CERTIFICATE", "none, none", ", "],
    [{ recordsAppear: "never" }, "PENDING_CERTIFICATE", "none, none", "none, none"],
    [{ expiredRecords: "new" }, "EXPIRED", "1, 1", "1, 1"],
  ])("with %j, a domain in %s shows %j, then %j", async (behaviour, status, ...expected) => {
    behave({ domainAdvance: "manual", ...behaviour });
    service.emulator.setDomainStatus(OWN.domain, status);
    expect([await recordsOf(), await recordsOf()]).toEqual(expected);
    service.emulator.setDomainStatus(OWN.domain, "ACTIVE");
    expect(await recordsOf()).toBe("none, none");
  });
});

const CONFLICT = "Only a failed custom domain can be retried.";
const DELETING = "Custom domain is being deleted.";
const UNCHANGED = { lifecycle_status: "ACTIVE", retry_count: 0 };
const RESTARTED = {
  lifecycle_status: "PENDING_PROVIDER",
  retry_count: 1,
  last_error: null,
  next_retry_at: null,
};

test.each<["conflict" | "accepted", LifecycleStatus, number, string | object]>([
  ["conflict", "FAILED", 200, RESTARTED],
  ["conflict", "ACTIVE", 409, CONFLICT],
  ["conflict", "DELETING", 409, DELETING],
  ["accepted", "ACTIVE", 200, UNCHANGED],
  ["accepted", "EXPIRED", 200, RESTARTED],
])("with retryOutsideFailed %j, a retry in %s leads to %d", async (...row) => {
  const [retryOutsideFailed, status, code, expected] = row;
  behave({ retryOutsideFailed });
  service.emulator.setDomainStatus(OWN.domain, status);
  await expectAnswer(post(`${paths.domain}/retry`), code, expected);
});

test("a custom domain that is deleted is DELETING in lists and one GET, and cannot be deleted again", async () => {
  service.emulator.deleteLink(OWN.domainLink);
  await remove(paths.domain);
  const deleting = { lifecycle_status: "DELETING" };
  await expectAnswer(get(domains), 200, { custom_domains: [deleting] });
  await expectAnswer(remove(paths.domain), 409);
  await expectAnswer(get(paths.domain), 200, deleting);
  await expectAnswer(get(paths.domain), 404);
  expect((await get(domains)).body).toEqual({ custom_domains: [] });
});
