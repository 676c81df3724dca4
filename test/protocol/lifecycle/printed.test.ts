import { customDomainDescription } from "../../../provider/resources/customDomain";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { requireScopes } from "../../../provider/session/session";
import { failureOf, KEY, ORGANIZATION, seedWith } from "../../support/stacks/scenarios";
import { wireCredential, wireDomain } from "../../support/values/wireObjects";
import { inProcessRun, inProcessTools, operationsOf } from "../inProcess";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000001";
const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000001";
const HOSTNAME = "links.shop.example";

/** The key in four spellings, colors, line breaks, and what CI runners interpret as commands. */
const HOSTILE = [
  `::error::first\n::error::second ${KEY}`,
  `\u001b[31m${encodeURIComponent(KEY)}\u001b[0m \u009b1m`,
  `${encodeURIComponent(KEY)}\r##vso[task.complete]##[error]\u202e`,
  KEY.toUpperCase(),
].join(" ");
/** The same as a hostname, without spaces. */
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

const tools = inProcessTools({
  seed: seedWith([{ id: PROJECT, name: "Shop", customDomains: [{ id: DOMAIN, hostname: HOSTNAME }] }]),
});
beforeEach(() => tools.service.clock.advance(5_000));

function domainIs(more: object): void {
  tools.service.inject({
    operation: ["getCustomDomain", "retryCustomDomain"],
    count: Number.POSITIVE_INFINITY,
    effect: { body: hostileDomain(more), status: 200 },
  });
}

function expectHarmless(texts: readonly string[]): void {
  const lines = texts.flatMap((text) => text.split("\n"));
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    for (const written of [KEY, encodeURIComponent(KEY)]) {
      expect(line.toLowerCase()).not.toContain(written.toLowerCase());
    }
    expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(line).not.toMatch(/^\s*::|##\w*\[/);
  }
}

test("the error for missing scopes shows at most six characters of the key", async () => {
  const credential = { ...wireCredential, organization_id: ORGANIZATION, scopes: [] };
  for (const [shown, keyPrefix] of Object.entries({ ": :err": HOSTILE, "***": KEY, abcdef: "abcdefghi" })) {
    const effect = { body: { ...credential, key_prefix: keyPrefix } };
    tools.service.inject({ operation: "getCurrentApiCredential", effect });
    const { session } = inProcessRun(tools.service).run;
    const message = await failureOf(requireScopes(session, ["projects:read"], "reading a project"));
    expectHarmless([message]);
    expect(message).toContain(`The API key ${shown}… lacks the scope projects:read`);
  }
});

test("the reports on a domain without a CNAME target are harmless", async () => {
  const { create } = operationsOf(customDomainDescription, tools.inProcess);
  tools.service.setBehaviour({ cnameTargetAppears: "never" });
  const effect = { body: hostileDomain({ cname_target: null }) };
  tools.service.inject({ operation: "createCustomDomain", effect });
  domainIs({ cname_target: null });
  await failureOf(create({ projectId: PROJECT, hostname: "other.shop.example" }));
  expect(tools.inProcess.reports).toHaveLength(2);
  expectHarmless(tools.inProcess.reports);
});

test.each([
  ["PENDING_DNS", "after 600 seconds"],
  ["EXPIRED", "is EXPIRED"],
])("the error for the activation of a domain that is %s is harmless", async (status, said) => {
  const { create } = operationsOf(customDomainActivationDescription, tools.inProcess);
  domainIs({ lifecycle_status: status });
  const message = await failureOf(create({ customDomainId: DOMAIN, retryFailed: true }));
  expect(message).toContain(said);
  // Each record to set has its own line.
  expect(message.split("\n").filter((line) => line.startsWith("  "))).toHaveLength(4);
  expect(tools.inProcess.reports).toHaveLength(2);
  expectHarmless([...tools.inProcess.reports, message]);
});
