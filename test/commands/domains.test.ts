/** The command `domains`. */
import { attentionOf } from "../../cli/domains/attention";
import { ORGANIZATION, seedWith } from "../support/values/organizations";
import { requestCounts } from "../support/values/requestCounts";
import { wireProject } from "../support/values/wireObjects";
import { DOMAIN, SHOP } from "./objects";
import { run } from "./run";
import { testsWith } from "./testsWith";

const NOW = new Date("2026-03-31T12:00:00Z");
const { test: testOnService } = testsWith(
  seedWith([
    {
      id: SHOP,
      name: "Shop",
      customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" }],
    },
    { name: "Brand", customDomains: [{ hostname: "go.brand.example" }] },
  ]),
);

test.each<[string, string, string | null, RegExp | undefined, hasRecords?: boolean]>([
  ["active, without a date", "ACTIVE", null, undefined],
  ["active for exactly 30 days more", "ACTIVE", "2026-04-30T12:00:00Z", undefined],
  ["active for less", "ACTIVE", "2026-04-30T11:59:59Z", /^expires on 2026-04-30, in 29 days\. Check its/],
  ["active, its date in the basic form", "ACTIVE", "20260430T115959Z", /^expires on 2026-04-30, in 29 days/],
  ["active, with an offset of hours", "ACTIVE", "20260430T135959,5+02", /^expires on 2026-04-30, in 29 days/],
  ["active, with text in place of a date", "ACTIVE", "soon", /^has a date that cannot be read: "soon"\.$/],
  ["active after its date", "ACTIVE", "2026-03-31T11:59:59Z", /^was to expire on 2026-03-31\.$/],
  ["failed", "FAILED", null, /^has failed\. .*retryFailed/],
  ["expired", "EXPIRED", null, /^has expired/],
  ["being deleted", "DELETING", null, undefined],
  ["pending", "PENDING_DNS", null, /^waits for its records/, true],
  ["pending, without a record yet", "PENDING_PROVIDER", null, undefined],
  ["in a new status", "QUEUED", null, /^waits for its records/, true],
  ["in a new status, without a record", "QUEUED", null, undefined],
])("a domain that is %s", (_, lifecycleStatus, expiresAt, expected, hasRecords = false) => {
  const attention = attentionOf({ lifecycleStatus, expiresAt }, { now: NOW, hasRecords });
  if (expected === undefined) expect(attention).toBeUndefined();
  else expect(attention).toMatch(expected);
});

testOnService("it lists all domains of the organization with whole records", async (service) => {
  const value = "x".repeat(400);
  service.setDomainStatus(DOMAIN, "PENDING_DNS", {
    ownershipValidation: { type: "txt", name: "_proof.links.shop.example", value },
  });
  const { code, stdout, stderr } = await run("domains", ["--api-url", service.url]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toMatch(`Organization ${ORGANIZATION}: 2 custom domains, 1 needs attention.\n`);
  expect(stdout).toMatch(/^ {2}go\.brand\.example +ACTIVE +\d{4}-/m);
  expect(stdout).toMatch(/^ {2}links\.shop\.example +PENDING_DNS /m);
  expect(stdout).toContain("\nNeeds attention:\n  links.shop.example waits for its records, see below.\n");
  expect(stdout).toMatch(new RegExp(`^ {2}ownership +TXT +_proof\\.links\\.shop\\.example +${value}$`, "m"));
  const requests = { getCurrentApiCredential: 1, listProjects: 1, listCustomDomains: 2 };
  expect(requestCounts(service)).toEqual(requests);
});

testOnService("a domain without a record to set needs nothing, and the exit code is 0", async (service) => {
  service.setDomainStatus(DOMAIN, "PENDING_PROVIDER", { cnameTarget: null });
  const { code, stdout } = await run("domains", ["--api-url", service.url]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("2 custom domains, 0 need attention.")]);
  expect(stdout).not.toContain("waits for its records");
});

testOnService("--json has the values for scripts, each domain once, 0 if all are well", async (service) => {
  service.setDomainStatus(DOMAIN, "FAILED");
  const failed = await run("domains", ["--json", "--api-url", service.url]);
  const { domains, ...rest } = JSON.parse(failed.stdout);
  expect({ code: failed.code, ...rest }).toEqual({ code: 2, organizationId: ORGANIZATION });
  const value = expect.stringMatching(/\.edge\.dynamiclink\.example$/);
  expect(domains[1]).toEqual({
    ...{ projectId: SHOP, customDomainId: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "FAILED" },
    ...{ lastError: "Provider operation failed.", nextRetryAt: expect.any(String) },
    ...{ activatedAt: null, expiresAt: null, attention: expect.stringMatching(/^has failed/) },
    records: expect.arrayContaining([
      { purpose: "links", needed: true, type: "CNAME", name: "links.shop.example", value },
    ]),
  });
  service.setDomainStatus(DOMAIN, "ACTIVE");
  const shop = { ...wireProject, id: SHOP, organization_id: ORGANIZATION };
  service.inject({ operation: "listProjects", effect: { body: { projects: [shop, shop] } } });
  const { code, stdout } = await run("domains", ["--json", "--api-url", service.url]);
  expect([code, JSON.parse(stdout).domains]).toMatchObject([0, [{ hostname: "links.shop.example" }]]);
});

testOnService("a project that is deleted meanwhile has no domains", async (service) => {
  service.inject({
    operation: "listCustomDomains",
    match: ({ path }) => path.includes(SHOP),
    effect: { status: 404 },
  });
  const { code, stdout } = await run("domains", ["--json", "--api-url", service.url]);
  expect([code, JSON.parse(stdout).domains]).toMatchObject([0, [{ hostname: "go.brand.example" }]]);
});

testOnService("a new project may have domains that are not shown: the exit code is 2", async (service) => {
  const { id } = service.createProject(ORGANIZATION, { name: "New" });
  const ofNew = {
    operation: "listCustomDomains",
    match: ({ path }: { path: string }) => path.includes(id),
  } as const;
  for (const effect of [{ status: 404 }, { body: { custom_domains: [] } }]) {
    service.setDomainStatus(DOMAIN, "ACTIVE");
    service.inject({ ...ofNew, effect });
    const { code, stdout, stderr } = await run("domains", ["--api-url", service.url]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("2 custom domains, 0 need attention.")]);
    expect(stderr).toBe(
      `warning: Project ${id} was created a moment ago, so the service may not show what is in it yet. Run this again in a minute.\n`,
    );
  }
  service.clock.advance(60_000);
  expect(await run("domains", ["--api-url", service.url])).toMatchObject({ code: 0, stderr: "" });
});
