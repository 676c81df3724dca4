/** Deleting a custom domain: the wait until the service has deleted it, and the project whose list shows that. */
import { customDomainDescription } from "../../../provider/resources/customDomain";
import type { Fault } from "../../../testing/emulator";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const HOSTNAME = "links.shop.example";
const owned = { hostname: HOSTNAME, __organization: ORGANIZATION };
const state = { ...owned, projectId: PROJECT };

const tools = inProcessTools(
  {
    seed: seedWith([{ id: PROJECT, name: "Shop", customDomains: [{ id: DOMAIN, hostname: HOSTNAME }] }]),
    behaviour: { deletingPolls: 2 },
  },
  KEY,
);

function remove(before: Record<string, unknown>) {
  return operationsOf(customDomainDescription, tools.inProcess).delete(DOMAIN, before);
}

function requests(): string[] {
  return tools.service.requests.map(({ operationId, status }) => `${operationId} ${status}`);
}

function waitedMs(): number {
  return tools.inProcess.waits.reduce((sum, wait) => sum + wait, 0);
}

test.each([
  ["lacks its project", owned],
  ["has an invalid project", { ...owned, projectId: "shop" }],
])(
  "a domain whose state %s is deleted with the list of the project that the service reports",
  async (_, before) => {
    await remove(before);
    expect(requests()).toEqual([
      "getCurrentApiCredential 200",
      "getCustomDomain 200",
      "listCustomDomainLinks 200",
      "deleteCustomDomain 204",
      "getCustomDomain 200",
      "getCustomDomain 200",
      "getCustomDomain 404",
      "listCustomDomains 200",
    ]);
    expect(tools.service.state.customDomains).toEqual([]);
  },
);

test("a domain that is not found and whose state lacks its project is not deleted, and fails at once", async () => {
  tools.service.inject({
    operation: "getCustomDomain",
    count: Number.POSITIVE_INFINITY,
    effect: { status: 404 },
  });
  await expect(remove(owned)).rejects.toThrow(
    `The state has no valid projectId, so no list can confirm that custom domain ${DOMAIN} was deleted. If it was, remove it from the state with \`pulumi state delete\`.`,
  );
  expect(requests()).not.toContainEqual(expect.stringContaining("deleteCustomDomain"));
  expect(waitedMs()).toBeLessThan(1_000);
});

const NOT_FOUND = { status: 404 };
const ACTIVE = { body: (actual: object) => ({ ...actual, lifecycle_status: "ACTIVE" }) };

test.each<[string, Fault]>([
  ["not found before the DELETE", { operation: "listCustomDomainLinks", effect: NOT_FOUND }],
  ["not found after its conflict", { operation: "getCustomDomain", count: 3, effect: NOT_FOUND }],
  ["shown as before by replicas", { operation: "getCustomDomain", count: 3, effect: ACTIVE }],
])("a domain that is being deleted already may be %s", async (_when, fault) => {
  tools.service.setDomainStatus(DOMAIN, "DELETING");
  tools.service.setBehaviour({ listLag: { afterPolls: 4 } });
  tools.service.inject(fault);
  await remove(state);
  expect(tools.service.state.customDomains).toEqual([]);
});

test("the last poll decides why a deletion that takes too long failed", async () => {
  tools.service.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
  tools.service.inject({ operation: "getCustomDomain", effect: { status: 404 } });
  await expect(remove(state)).rejects.toThrow(
    /^Custom domain \S+ \(\S+\) is still DELETING after 10 minutes/,
  );
  expect(requests()).toContain("getCustomDomain 404");
  expect(waitedMs()).toBe(600_000);
});
