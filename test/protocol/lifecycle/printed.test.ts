/**
 * Texts from the service that reports and errors show. Whatever the service sends, they contain no key, no terminal
 * sequence, no extra line and no command to a CI runner.
 */
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { requireScopes } from "../../../provider/session/session";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { type InProcessRun, inProcessRun, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { wireCredential, wireDomain } from "../client/support";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000001";
const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000001";
const HOSTNAME = "links.shop.example";
const OWNED = { projectId: PROJECT, __organization: ORGANIZATION };

/** The key in four spellings, colors, line breaks, and what CI runners interpret as commands. */
const HOSTILE = [
  `::error::first\n::error::second ${KEY}`,
  `\u001b[31m${encodeURIComponent(KEY)}\u001b[0m \u009b1m`,
  `${Buffer.from(KEY).toString("base64")}\r##vso[task.complete]##[error]\u202e`,
  KEY.toUpperCase(),
].join(" ");
/** The same as a host name, without spaces. */
const HOST = HOSTILE.replaceAll(" ", "");

function hostileDomain(more: object) {
  return {
    ...wireDomain,
    id: DOMAIN,
    organization_id: ORGANIZATION,
    project_id: PROJECT,
    hostname: HOST,
    cname_target: HOST,
    provider_status: HOSTILE,
    ownership_validation: { type: HOSTILE, name: HOST, value: HOSTILE },
    ssl_validation_records: {
      records: [
        { txt_name: HOST, txt_value: HOSTILE },
        { http_url: `http://a.example/${HOSTILE}`, http_body: HOSTILE },
      ],
    },
    ...more,
  };
}

let service: Emulator;
let process: InProcessRun;

beforeEach(async () => {
  service = await startEmulator({
    seed: seedWith([{ id: PROJECT, name: "Shop", customDomains: [{ id: DOMAIN, hostname: HOSTNAME }] }]),
  });
  service.clock.advance(5_000);
  process = inProcessRun(service, KEY);
});
afterEach(() => service.close());

/** Answers every read of the domain with hostile texts. */
function domainIs(more: object): void {
  service.inject({
    operation: ["getCustomDomain", "retryCustomDomain"],
    count: Number.POSITIVE_INFINITY,
    effect: { body: hostileDomain(more), status: 200 },
  });
}

async function messageOf(operation: Promise<unknown>): Promise<string> {
  const error = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}

function expectHarmless(texts: readonly string[]): void {
  const lines = texts.flatMap((text) => text.split("\n"));
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    for (const written of [KEY, Buffer.from(KEY).toString("base64")]) {
      expect(line.toLowerCase()).not.toContain(written.toLowerCase());
    }
    expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(line).not.toMatch(/^\s*::|##\w*\[/);
  }
}

test("the error for missing scopes shows at most six characters of the key", async () => {
  const credential = { ...wireCredential, organization_id: ORGANIZATION, scopes: [] };
  for (const [keyPrefix, shown] of [
    [HOSTILE, ": :err"],
    [KEY, "***"],
    ["abcdefghi", "abcdef"],
  ]) {
    service.inject({
      operation: "getCurrentApiCredential",
      effect: { body: { ...credential, key_prefix: keyPrefix } },
    });
    const { session } = inProcessRun(service, KEY).run;
    const message = await messageOf(requireScopes(session, ["projects:read"], "reading a project"));
    expectHarmless([message]);
    expect(message).toContain(`The API key ${shown}… lacks the scope projects:read`);
  }
});

test("the reports on a domain without a CNAME target are harmless", async () => {
  const { create } = operationsOf(customDomainDescription, process);
  service.setBehaviour({ cnameTargetAppears: "never" });
  service.inject({
    operation: "createCustomDomain",
    effect: { body: hostileDomain({ cname_target: null }) },
  });
  domainIs({ cname_target: null });
  await messageOf(create({ projectId: PROJECT, hostname: "other.shop.example" }));
  expect(process.reports).toHaveLength(2);
  expectHarmless(process.reports);
});

test("the error for a domain that the service does not delete is harmless", async () => {
  const remove = operationsOf(customDomainDescription, process).delete;
  domainIs({ lifecycle_status: "DELETING" });
  const message = await messageOf(remove(DOMAIN, { ...OWNED, hostname: HOSTNAME }));
  expect(message).toContain("after 10 minutes");
  expect(process.reports).not.toEqual([]);
  expectHarmless([...process.reports, message]);
});

test.each([
  ["PENDING_DNS", "after 600 seconds", 5],
  ["FAILED", "is FAILED", 1],
  ["EXPIRED", "is EXPIRED", 0],
])("the error for the activation of a domain that is %s is harmless", async (status, said, reports) => {
  const { create } = operationsOf(customDomainActivationDescription, process);
  domainIs({ lifecycle_status: status });
  const message = await messageOf(create({ customDomainId: DOMAIN, retryFailed: true }));
  expect(message).toContain(said);
  // Each record to set has its own line.
  expect(message.split("\n").filter((line) => line.startsWith("  "))).toHaveLength(4);
  expect(process.reports).toHaveLength(reports);
  expectHarmless([...process.reports, message]);
});

describe("a list of applications is harmless", () => {
  const hostile = {
    id: DOMAIN,
    project_id: PROJECT,
    app_type: "WEB",
    apple_info: null,
    android_info: null,
    // Text in brackets is not part of a date.
    created_at: `2999-01-01 (${HOSTILE})`,
    updated_at: null,
  };
  const effect = { body: { applications: [hostile] } };

  test("of those that may have been created", async () => {
    const { create } = operationsOf(applicationDescription, process);
    await process.run.session.identity();
    service.inject({ operation: "createApplication", effect: { status: 500 } });
    service.inject({ operation: "listApplications", skip: 1, effect });
    const message = await messageOf(create({ projectId: PROJECT, appType: "WEB" }));
    expect(message).toContain("created 2999-01-01 (");
    expectHarmless([message]);
  });

  test("of those that were there before", async () => {
    const { create } = operationsOf(applicationDescription, process);
    service.inject({ operation: "listApplications", effect });
    await create({ projectId: PROJECT, appType: "WEB" });
    expect(process.persistent.join("\n")).toContain("created 2999-01-01 (");
    expectHarmless(process.persistent);
  });
});
