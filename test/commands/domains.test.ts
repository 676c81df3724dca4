/** The command `domains`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { domainsCommand } from "../../cli/commands/domains";
import type { Clock } from "../../provider/client";
import type { Emulator } from "../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_KEY, seedWith } from "../support/values/organizations";
import { withStubbedCli } from "./pulumiClis";
import { type Ended, failedWith, run, WITHOUT_CLI } from "./run";
import { DYNAMIC, NATIVE, providerOf, resourceOf } from "./states";
import { requestCounts, testsWith } from "./testsWith";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000001";
const BRAND = "0c0c0c0c-0000-4000-8000-000000000002";
const LINKS = "0d0d0d0d-0000-4000-8000-000000000001";
const GO = "0d0d0d0d-0000-4000-8000-000000000002";
const OTHER = "0d0d0d0d-0000-4000-8000-000000000003";
const MISSING = "0d0d0d0d-0000-4000-8000-000000000004";
const PROOF = LINKS.replaceAll("-", "");

const seed = seedWith([
  {
    id: SHOP,
    name: "Shop",
    customDomains: [{ id: LINKS, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" }],
  },
  { id: BRAND, name: "Brand", customDomains: [{ id: GO, hostname: "go.brand.example" }] },
]);
const { test, testOnShell } = testsWith({
  organizations: seed.organizations.map((one, index) =>
    index === 0
      ? one
      : {
          ...one,
          projects: [{ name: "Other", customDomains: [{ id: OTHER, hostname: "go.other.example" }] }],
        },
  ),
});

/** A clock whose waits take no time. They advance that of the service, and then something may happen there. */
function clockOf(service: Emulator, after: (waits: number, milliseconds: number) => void = () => {}): Clock {
  let waits = 0;
  return {
    now: () => service.clock.now().getTime(),
    async sleep(milliseconds) {
      service.clock.advance(milliseconds);
      waits += 1;
      after(waits, milliseconds);
    },
  };
}

function domains(
  service: Emulator,
  args: readonly string[] = [],
  { environment = WITHOUT_CLI, clock = clockOf(service) } = {},
): Promise<Ended> {
  const where = environment === WITHOUT_CLI ? ["--api-url", service.url] : [];
  return run((console) => domainsCommand(console, clock), [...where, ...args], environment);
}

/** The hostnames and the states, and the exit code. */
function statesIn({ code, stdout }: Ended) {
  const { domains: listed } = JSON.parse(stdout) as {
    domains: { hostname: string; lifecycleStatus: string }[];
  };
  return { code, states: listed.map(({ hostname, lifecycleStatus }) => `${hostname} ${lifecycleStatus}`) };
}

test("without a stack, all domains of the organization are listed with whole records", async (service) => {
  const value = "x".repeat(400);
  service.setDomainStatus(LINKS, "PENDING_DNS", {
    ownershipValidation: { type: "txt", name: "_proof.links.shop.example", value },
  });
  const { code, stdout, stderr } = await domains(service);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^ {2}go\.brand\.example +ACTIVE +\d{4}-/m);
  expect(stdout).toMatch(/^ {2}links\.shop\.example +PENDING_DNS /m);
  expect(stdout).toMatch(new RegExp(`^ {2}ownership +TXT +_proof\\.links\\.shop\\.example +${value}$`, "m"));
  expect(requestCounts(service)).toEqual({
    getCurrentApiCredential: 1,
    listProjects: 1,
    listCustomDomains: 2,
  });
});

test("a project that is deleted while domains are listed is left out, but not one that --project names", async (service) => {
  const notFound = { operation: "listCustomDomains", effect: { status: 404 } } as const;
  service.inject(notFound);
  expect(statesIn(await domains(service, ["--json"])).states).toHaveLength(1);
  service.inject(notFound);
  const outdated = /^error: .* 404 .* However, the list of the projects of the organization contains it /;
  expect(await domains(service, ["--project", SHOP])).toEqual(failedWith(outdated));
  const unknown = new RegExp(
    `^error: There is no project ${MISSING} in organization ${ORGANIZATION}\\. Check that this is the UUID of a project, and that the API key and apiUrl are those of the organization that owns it\\.\n$`,
  );
  expect(await domains(service, ["--project", MISSING])).toEqual(failedWith(unknown));
});

test("--timeout without --watch is refused, because it would have no effect", async (service) => {
  expect(await domains(service, ["--timeout", "1h"])).toEqual(
    failedWith("--timeout sets how long --watch waits: add --watch."),
  );
  expect(service.requests).toEqual([]);
});

test("--project lists its domains without reading projects, and --format zone prints lines for a zone", async (service) => {
  service.setScopes(KEY, ["domains:read"]);
  const { code, stdout } = await domains(service, ["--project", SHOP, "--format", "zone"]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    `; Organization ${ORGANIZATION}: 1 custom domain`,
    "",
    "; links.shop.example: PENDING_DNS",
    "links.shop.example. 300 IN CNAME 0d0d0d0d.edge.dynamiclink.example.",
    `; Serve "${PROOF}" at http://validation.dynamiclink.example/${LINKS}/ownership`,
    "",
  ]);
  expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1, listCustomDomains: 1 });
});

test("--json has every value that scripts need, and the exit code is 2 if one needs attention", async (service) => {
  service.setDomainStatus(LINKS, "FAILED");
  const { code, stdout } = await domains(service, ["--project", SHOP, "--json"]);
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 2,
    domains: [
      {
        organizationId: ORGANIZATION,
        projectId: SHOP,
        customDomainId: LINKS,
        hostname: "links.shop.example",
        lifecycleStatus: "FAILED",
        lastError: "Provider operation failed.",
        nextRetryAt: expect.any(String),
        activatedAt: null,
        expiresAt: null,
        attention: expect.stringMatching(/^has failed/),
        records: [
          {
            type: "CNAME",
            name: "links.shop.example",
            value: "0d0d0d0d.edge.dynamiclink.example",
            purpose: "links",
            needed: true,
          },
          {
            url: `http://validation.dynamiclink.example/${LINKS}/ownership`,
            body: PROOF,
            purpose: "ownership",
            needed: true,
          },
        ],
      },
    ],
  });
});

test("a domain that expires soon needs attention, by the clock of the service", async (service) => {
  service.clock.advance(80 * 86_400_000);
  expect((await domains(service, ["--project", BRAND, "--expires-within", "9d"])).code).toBe(0);
  const { code, stdout } = await domains(service, ["--project", BRAND]);
  expect(code).toBe(2);
  expect(stdout).toContain("go.brand.example expires on ");
});

test("the keys of several organizations list the domains of each, with the organization", async (service) => {
  const environment = { ...WITHOUT_CLI, FIRST_KEY: KEY, SECOND_KEY: OTHER_KEY };
  const keys = ["--api-key-env-var", "FIRST_KEY", "SECOND_KEY"];
  const { stdout } = await run(domainsCommand, ["--api-url", service.url, ...keys], environment);
  expect(stdout).toContain("ORGANIZATION");
  expect(stdout).toMatch(/go\.other\.example +ACTIVE/);
  const args = ["--api-url", service.url, ...keys, "--project", SHOP];
  expect(await run(domainsCommand, args, environment)).toEqual(
    failedWith(/--project takes projects of one organization/),
  );
});

test("a key without the scope is an error that names it", async (service) => {
  service.setScopes(KEY, ["projects:read"]);
  expect(await domains(service)).toEqual(
    failedWith(/lacks the scope domains:read, which reading custom domains needs/),
  );
  service.setScopes(KEY, ["domains:read"]);
  expect(await domains(service)).toEqual(failedWith(/lacks the scope projects:read/));
});

test("nothing that the service sends is a command for a terminal or shows the key", async (service) => {
  const hostile = `\u001b[2J${KEY}\u009b1m\u202e`;
  service.setDomainStatus(LINKS, "PENDING_DNS", {
    cnameTarget: hostile,
    ownershipValidation: { type: hostile, name: hostile, value: hostile },
  });
  for (const format of [[], ["--format", "zone"], ["--json"]]) {
    const { stdout, stderr } = await domains(service, ["--project", SHOP, ...format]);
    expect(stderr).toBe("");
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(stdout).toContain("***");
  }
});

describe("with a stack", () => {
  const defaults = providerOf("dynamic", "default", {});
  const domain = (id: string, name: string, more: object = {}) =>
    resourceOf(`${DYNAMIC}CustomDomain`, name, { id, provider: `${defaults.urn}::default-id`, ...more });

  testOnShell(
    "its domains and those that it waits for are read, each once, with the settings of their providers",
    async (service) => {
      const europe = providerOf("native", "europe", { apiKeyEnvVar: "EUROPE_KEY", apiUrl: service.url });
      const environment = withStubbedCli(service, [
        europe,
        domain(LINKS, "links"),
        resourceOf(`${DYNAMIC}CustomDomainActivation`, "links-active", { id: LINKS }),
        resourceOf(`${DYNAMIC}CustomDomainActivation`, "go-active", { id: GO }),
        resourceOf(`${NATIVE}CustomDomain`, "other", { id: OTHER, provider: `${europe.urn}::europe-id` }),
        domain(MISSING, "read-only", { external: true }),
      ]);
      const ended = await domains(service, ["--json"], {
        environment: { ...environment, EUROPE_KEY: OTHER_KEY },
      });
      expect(statesIn(ended)).toEqual({
        code: 0,
        states: ["go.brand.example ACTIVE", "go.other.example ACTIVE", "links.shop.example PENDING_DNS"],
      });
      expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 2, getCustomDomain: 3 });
      expect(
        statesIn(await domains(service, ["--json", "--organization"], { environment })).states,
      ).toHaveLength(2);
    },
  );

  testOnShell("a domain that is not found, or that is being deleted, needs attention", async (service) => {
    const environment = withStubbedCli(service, [domain(MISSING, "old"), domain(LINKS, "links")]);
    service.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
    service.setDomainStatus(LINKS, "DELETING");
    const { code, stdout } = await domains(service, [], { environment });
    expect(code).toBe(2);
    expect(stdout).toContain("  old was not found.");
    expect(stdout).toContain("  links.shop.example is being deleted, and the stack still manages it.");
  });

  testOnShell(
    "a key of another organization is an error, so that nothing counts as deleted",
    async (service) => {
      const environment = withStubbedCli(service, [
        domain(LINKS, "links", { outputs: { __organization: ORGANIZATION } }),
      ]);
      const ended = await domains(service, [], {
        environment: { ...environment, DYNAMICLINK_API_KEY: OTHER_KEY },
      });
      expect(ended).toEqual(failedWith(/links of organization .+ but the API key belongs to organization/));
      expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1 });
    },
  );
});

test("a reader that ends early ends the wait without an error of the process", async (service) => {
  service.setBehaviour({ domainAdvance: "manual" });
  const command = resolve(__dirname, "..", "..", "dist", "cli", "index.js");
  const child = spawn(process.execPath, [command, "domains", "--watch", "--api-url", service.url], {
    env: { ...process.env, ...WITHOUT_CLI },
  });
  const ended = once(child, "close");
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  service.setDomainStatus(LINKS, "PENDING_CERTIFICATE");
  expect(await ended).toEqual([2, null]);
  expect(stderr).toMatch(/^warning: 1 custom domain still pending\..*\n$/);
});

describe("--watch", () => {
  test("prints what changes until all domains are active, and reads only those that are pending", async (service) => {
    service.setBehaviour({ domainAdvance: { pollsPerState: 1 } });
    const { code, stdout, stderr } = await domains(service, ["--watch"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [changes = ""] = stdout.split("\n\n");
    expect(changes.split("\n").filter((line) => !line.startsWith("  "))).toEqual([
      "go.brand.example: ACTIVE",
      "links.shop.example: PENDING_DNS",
      "links.shop.example: PENDING_CERTIFICATE, was PENDING_DNS",
      "links.shop.example: ACTIVE, was PENDING_CERTIFICATE",
      `Organization ${ORGANIZATION}: 2 custom domains, 0 need attention.`,
    ]);
    expect(stdout).toMatch(/links\.shop\.example +ACTIVE/);
    expect(requestCounts(service).getCustomDomain).toBe(3);
  });

  test("ends with exit code 2 when the last pending domain needs attention, or at the end of --timeout", async (service) => {
    service.setBehaviour({ domainAdvance: "manual" });
    const clock = clockOf(service, (waits) => {
      if (waits === 3) service.setDomainStatus(LINKS, "FAILED");
    });
    const failed = await domains(service, ["--watch", "--json"], { clock });
    expect(statesIn(failed)).toEqual({
      code: 2,
      states: ["go.brand.example ACTIVE", "links.shop.example FAILED"],
    });
    const before = service.clock.now().getTime();
    service.setDomainStatus(LINKS, "PENDING_DNS", {
      nextRetryAt: new Date(before + 3_600_000).toISOString(),
    });
    const pauses: number[] = [];
    const patient = clockOf(service, (_, milliseconds) => pauses.push(milliseconds));
    const { code, stderr } = await domains(service, ["--watch", "--timeout", "5m"], { clock: patient });
    // The service retries in an hour, so it is asked as rarely as that allows.
    expect(Math.max(...pauses)).toBe(30_000);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^warning: 1 custom domain still pending/),
    });
    expect(Math.round((service.clock.now().getTime() - before) / 1_000)).toBe(300);
  });

  test("a domain that is deleted meanwhile is not found, and needs attention", async (service) => {
    service.setBehaviour({ domainAdvance: "manual" });
    const clock = clockOf(service, () => service.deleteCustomDomain(LINKS));
    const { code, stdout } = await domains(service, ["--watch"], { clock });
    expect(code).toBe(2);
    expect(stdout).toContain("links.shop.example: NOT_FOUND, was PENDING_DNS");
    expect(stdout).toContain("  links.shop.example was not found.");
  });
});
