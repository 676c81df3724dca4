/** Custom domains: creation, hostnames, the lifecycle until ACTIVE, retry and deletion. */
import type { LifecycleStatus } from "../../testing/emulator";
import { DOMAIN, DOMAIN_LINK, ORGANIZATION, PROJECT, paths, SECOND_PROJECT, useService } from "./service";

const domains = `${paths.project}/custom-domains`;
const LIFECYCLE = ["PENDING_PROVIDER", "PENDING_DNS", "PENDING_CERTIFICATE", "ACTIVE"];

const service = useService();

async function create(hostname = "new.shop.example"): Promise<string> {
  const { status, body } = await service.post(domains, { hostname });
  expect(status).toBe(201);
  return String(body.id);
}

async function statuses(id: string, count: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const { status, body } = await service.get(`/custom-domains/${id}`);
    seen.push(status === 200 ? body.lifecycle_status : status);
  }
  return seen;
}

describe("a custom domain", () => {
  test("that is created has every field of the interface", async () => {
    const { status, body } = await service.post(domains, { hostname: "new.shop.example" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      organization_id: ORGANIZATION,
      project_id: PROJECT,
      hostname: "new.shop.example",
      lifecycle_status: "PENDING_PROVIDER",
      provider_status: null,
      ssl_status: null,
      ownership_validation: null,
      ssl_validation_records: null,
      cname_target: `${String(body.id).slice(0, 8)}.edge.dynamiclink.example`,
      last_error: null,
      last_checked_at: null,
      activated_at: null,
      expires_at: null,
      next_retry_at: null,
      retry_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test("is listed with those of its project, oldest first", async () => {
    const id = await create();
    const { body } = await service.get(domains);
    expect((body.custom_domains as { id: string }[]).map((one) => one.id)).toEqual([DOMAIN, id]);
  });

  test("needs the project's Pro entitlement only when it is created", async () => {
    service.emulator.setPro(PROJECT, false);
    expect(await service.post(domains, { hostname: "new.shop.example" })).toMatchObject({
      status: 403,
      body: { message: "Custom domains require an active Pro entitlement." },
    });
    service.emulator.setDomainStatus(DOMAIN, "FAILED");
    expect((await service.get(domains)).status).toBe(200);
    expect((await service.post(`/custom-domains/${DOMAIN}/retry`)).status).toBe(200);
    service.emulator.setPro(PROJECT, true);
    expect((await service.post(domains, { hostname: "new.shop.example" })).status).toBe(201);
  });

  test.each(["a b.example", "nodot", "-x.example", "x..example", "https://x.example", "x.example/y"])(
    "cannot have the hostname %s",
    async (hostname) => {
      expect(await service.post(domains, { hostname })).toMatchObject({
        status: 400,
        body: { message: ["hostname must be a valid hostname"] },
      });
    },
  );
});

describe("the syntax of a hostname", () => {
  const post = async (hostname: string) => (await service.post(domains, { hostname })).status;
  const ODD = ["a b.example", "-x.example", "x..example", "https://x.example", "x.example/y"];

  test("can allow one label", async () => {
    service.emulator.setBehaviour({ hostnameSyntax: "hostname" });
    expect(await post("nodot")).toBe(201);
    expect(await post("NODOT.")).toBe(409);
    for (const hostname of ODD) expect(await post(hostname)).toBe(400);
  });

  test("can be any, and such hostnames are unique as they are", async () => {
    service.emulator.setBehaviour({ hostnameSyntax: "any", hostnameSpelling: "normalized" });
    for (const hostname of ["nodot", ...ODD])
      expect([hostname, await post(hostname)]).toEqual([hostname, 201]);
    for (const hostname of ["nodot", ...ODD])
      expect([hostname, await post(hostname)]).toEqual([hostname, 409]);
    expect(service.emulator.state.customDomains.slice(-5).map(({ hostname }) => hostname)).toEqual(ODD);
    expect(await post("")).toBe(400);
    expect(await post("x".repeat(254))).toBe(400);
  });

  test("that no URL can have leads to links without a short URL", async () => {
    const { id } = service.emulator.createCustomDomain(PROJECT, { hostname: "a b.example" });
    const link = { dynamic_link_url: "https://shop.example/", dynamic_link_name: "x" };
    const { status, body } = await service.post(`/custom-domains/${id}/links`, link);
    expect([status, body.hostname, body.short_url]).toEqual([201, "a b.example", null]);
  });
});

describe("a hostname", () => {
  const post = async (hostname: string) => (await service.post(domains, { hostname })).status;

  test.each(["go.shop.example", "GO.Shop.Example", "go.shop.example.", "go.theirs.example"])(
    "is globally unique by default, in any spelling: %s",
    async (hostname) => {
      expect(await post(hostname)).toBe(409);
    },
  );

  test("in punycode is the same as in Unicode", async () => {
    expect(await post("münchen.shop.example")).toBe(201);
    expect(await post("xn--mnchen-3ya.shop.example")).toBe(409);
  });

  test("can be used twice if configured", async () => {
    service.emulator.setBehaviour({ uniqueHostnames: "none" });
    expect(await post("go.shop.example")).toBe(201);
    expect(await post("go.theirs.example")).toBe(201);
  });

  test("is in use while its domain is being deleted", async () => {
    service.emulator.setDomainStatus(DOMAIN, "DELETING");
    expect(await post("go.shop.example")).toBe(409);
    expect(await statuses(DOMAIN, 2)).toEqual(["DELETING", 404]);
    expect(await post("go.shop.example")).toBe(201);
  });

  test.each([
    ["asGiven", "New.München.Example.", "New.München.Example."],
    ["normalized", "New.München.Example.", "new.xn--mnchen-3ya.example"],
  ] as const)("is stored %s", async (hostnameSpelling, given, kept) => {
    service.emulator.setBehaviour({ hostnameSpelling });
    expect((await service.post(domains, { hostname: given })).body.hostname).toBe(kept);
  });
});

describe("cname_target", () => {
  const targets = async (count: number) => {
    const { body } = await service.post(domains, { hostname: "new.shop.example" });
    const seen = [body.cname_target];
    for (let index = 0; index < count; index += 1) {
      seen.push((await service.get(`/custom-domains/${body.id}`)).body.cname_target);
    }
    return seen.map((target) => (target === null ? null : typeof target));
  };

  test.each([
    ["atOnce", ["string", "string"]],
    [{ afterPolls: 1 }, [null, null, "string"]],
    [{ afterPolls: 3 }, [null, null, null, null, "string"]],
    ["never", [null, null, null, null, null, null]],
  ] as const)("appears %j", async (cnameTargetAppears, expected) => {
    service.emulator.setBehaviour({ cnameTargetAppears });
    expect(await targets(expected.length - 1)).toEqual(expected);
  });
});

describe("the lifecycle of a custom domain", () => {
  test.each([1, 2])("has each pending status in %d GETs", async (pollsPerState) => {
    service.emulator.setBehaviour({ domainAdvance: { pollsPerState } });
    const seen = LIFECYCLE.flatMap((status) => Array<string>(pollsPerState).fill(status));
    expect(await statuses(await create(), seen.length + 1)).toEqual([...seen, "ACTIVE"]);
  });

  test("does not advance with lists", async () => {
    const id = await create();
    await service.get(domains);
    await service.get(domains);
    expect(await statuses(id, 1)).toEqual(["PENDING_PROVIDER"]);
  });

  test("advances only by a call if configured", async () => {
    service.emulator.setBehaviour({ domainAdvance: "manual" });
    const id = await create();
    for (const status of LIFECYCLE) {
      expect(await statuses(id, 2)).toEqual([status, status]);
      service.emulator.advanceDomain(id);
    }
    expect(await statuses(id, 1)).toEqual(["ACTIVE"]);
  });

  test("follows the clock if configured", async () => {
    service.emulator.setBehaviour({ domainAdvance: { secondsPerState: 60 } });
    const id = await create();
    expect(await statuses(id, 2)).toEqual(["PENDING_PROVIDER", "PENDING_PROVIDER"]);
    service.emulator.clock.advance(60_000);
    expect(await statuses(id, 2)).toEqual(["PENDING_DNS", "PENDING_DNS"]);
    service.emulator.clock.advance(120_000);
    expect(service.emulator.state.customDomains.at(-1)?.lifecycleStatus).toBe("ACTIVE");
    const { body } = await service.get(`/custom-domains/${id}`);
    // It became active when it was due, not when it was read.
    expect(Date.parse(String(body.activated_at)) - Date.parse(String(body.created_at))).toBe(180_000);
  });

  test("ends with FAILED if configured", async () => {
    service.emulator.setBehaviour({ domainOutcome: "failed" });
    const id = await create();
    expect(await statuses(id, 5)).toEqual([...LIFECYCLE.slice(0, 3), "FAILED", "FAILED"]);
  });

  test.each<[LifecycleStatus, object]>([
    ["PENDING_PROVIDER", { provider_status: null, ownership_validation: null, ssl_validation_records: null }],
    [
      "PENDING_DNS",
      {
        provider_status: "pending",
        ownership_validation: {
          type: "txt",
          name: "_ownership.go.shop.example",
          value: DOMAIN.replaceAll("-", ""),
          http_url: `http://validation.dynamiclink.example/${DOMAIN}/ownership`,
          http_body: DOMAIN.replaceAll("-", ""),
        },
        ssl_validation_records: null,
      },
    ],
    [
      "PENDING_CERTIFICATE",
      {
        ssl_status: "pending_validation",
        ssl_validation_records: {
          records: [
            {
              status: "pending",
              txt_name: "_certificate.go.shop.example",
              txt_value: DOMAIN.replaceAll("-", ""),
            },
          ],
        },
      },
    ],
    [
      "ACTIVE",
      { provider_status: "active", ssl_status: "active", last_error: null, activated_at: expect.any(String) },
    ],
    ["FAILED", { last_error: "Provider operation failed.", next_retry_at: expect.any(String) }],
    ["EXPIRED", { last_error: null, expires_at: expect.any(String) }],
    ["DELETING", { last_error: null }],
  ])("has the fields of the status %s", async (status, expected) => {
    service.emulator.setDomainStatus(DOMAIN, status);
    expect((await service.get(`/custom-domains/${DOMAIN}`)).body).toMatchObject({
      lifecycle_status: status,
      ...expected,
    });
  });

  test("can be set to any status, with other fields", async () => {
    service.emulator.setDomainStatus(DOMAIN, "FAILED", { retryCount: 7, lastError: null });
    expect((await service.get(`/custom-domains/${DOMAIN}`)).body).toMatchObject({
      lifecycle_status: "FAILED",
      retry_count: 7,
      last_error: null,
    });
  });
});

describe("a retry", () => {
  const retry = () => service.post(`/custom-domains/${DOMAIN}/retry`);

  test("of a failed domain restarts the lifecycle and increases retry_count", async () => {
    service.emulator.setDomainStatus(DOMAIN, "FAILED");
    expect(await retry()).toMatchObject({
      status: 200,
      body: { lifecycle_status: "PENDING_PROVIDER", retry_count: 1, last_error: null, next_retry_at: null },
    });
    expect(await statuses(DOMAIN, 4)).toEqual(LIFECYCLE);
  });

  test.each<LifecycleStatus>(["PENDING_PROVIDER", "PENDING_DNS", "PENDING_CERTIFICATE", "ACTIVE", "EXPIRED"])(
    "of a domain that is %s is a conflict by default",
    async (status) => {
      service.emulator.setDomainStatus(DOMAIN, status);
      expect(await retry()).toMatchObject({
        status: 409,
        body: { message: "Only a failed custom domain can be retried." },
      });
    },
  );

  test.each<[LifecycleStatus, LifecycleStatus, number]>([
    ["PENDING_DNS", "PENDING_DNS", 0],
    ["ACTIVE", "ACTIVE", 0],
    ["EXPIRED", "PENDING_PROVIDER", 1],
    ["FAILED", "PENDING_PROVIDER", 1],
  ])("of a domain that is %s is accepted if configured: %s", async (before, after, retry_count) => {
    service.emulator.setBehaviour({ retryOutsideFailed: "accepted" });
    service.emulator.setDomainStatus(DOMAIN, before);
    expect(await retry()).toMatchObject({ status: 200, body: { lifecycle_status: after, retry_count } });
  });

  test.each(["conflict", "accepted"] as const)(
    "of a domain that is being deleted is a conflict, with retryOutsideFailed %s",
    async (retryOutsideFailed) => {
      service.emulator.setBehaviour({ retryOutsideFailed });
      service.emulator.setDomainStatus(DOMAIN, "DELETING");
      expect((await retry()).status).toBe(409);
    },
  );
});

describe("deleting a custom domain", () => {
  const remove = () => service.remove(`/custom-domains/${DOMAIN}`);
  beforeEach(() => service.emulator.deleteLink(DOMAIN_LINK));

  test.each([
    [0, [404, 404]],
    [1, ["DELETING", 404]],
    [3, ["DELETING", "DELETING", "DELETING", 404]],
    [Number.POSITIVE_INFINITY, Array(6).fill("DELETING")],
  ])("leads to DELETING in %d GETs", async (deletingPolls, expected) => {
    service.emulator.setBehaviour({ deletingPolls });
    expect((await remove()).status).toBe(204);
    expect(await statuses(DOMAIN, expected.length)).toEqual(expected);
  });

  test("leads to DELETING in one GET by default, and in lists before it", async () => {
    await remove();
    expect((await service.get(domains)).body).toMatchObject({
      custom_domains: [{ lifecycle_status: "DELETING" }],
    });
    expect(await statuses(DOMAIN, 2)).toEqual(["DELETING", 404]);
    expect((await service.get(domains)).body).toEqual({ custom_domains: [] });
  });

  test("can also be completed by a call", async () => {
    service.emulator.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
    await remove();
    service.emulator.advanceDomain(DOMAIN);
    expect(await statuses(DOMAIN, 1)).toEqual([404]);
  });

  test.each([
    ["conflict", 409],
    ["accepted", 204],
  ] as const)("that is being deleted: %s", async (deleteWhileDeleting, status) => {
    service.emulator.setBehaviour({ deleteWhileDeleting });
    await remove();
    expect((await remove()).status).toBe(status);
    expect(await statuses(DOMAIN, 2)).toEqual(["DELETING", 404]);
  });

  test.each([
    ["conflict", 409, 1],
    ["cascade", 204, 0],
  ] as const)("with links: %s", async (deleteCustomDomainWithLinks, status, left) => {
    service.emulator.setBehaviour({ deleteCustomDomainWithLinks });
    service.emulator.createLink(PROJECT, { name: "x", url: "https://x.example/", customDomainId: DOMAIN });
    expect((await remove()).status).toBe(status);
    expect(
      service.emulator.state.links.filter(({ customDomainId }) => customDomainId === DOMAIN),
    ).toHaveLength(left);
  });

  test("keeps its project from being deleted until the domain no longer exists", async () => {
    const { id } = service.emulator.createProject(ORGANIZATION, { name: "Domain only" });
    const domain = service.emulator.createCustomDomain(id, { hostname: "x.shop.example" });
    await service.remove(`/custom-domains/${domain.id}`);
    expect((await service.remove(`${paths.projects}/${id}`)).status).toBe(409);
    expect(await statuses(domain.id, 2)).toEqual(["DELETING", 404]);
    expect((await service.remove(`${paths.projects}/${id}`)).status).toBe(204);
  });
});

test("createCustomDomain can add a domain whose hostname is in use", async () => {
  const { id } = service.emulator.createCustomDomain(SECOND_PROJECT, { hostname: "go.shop.example" });
  expect((await service.get(`/custom-domains/${id}`)).body.lifecycle_status).toBe("ACTIVE");
});
