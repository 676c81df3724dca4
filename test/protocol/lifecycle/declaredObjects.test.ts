/** When the deletion of an entry keeps the object, because another entry of the state has it: the calls that decide. */
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith, writesIn } from "../../support/stacks/scenarios";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const WEB = "0d0d0d0d-0000-4000-8000-000000000006";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000007";

const tools = inProcessTools(
  {
    seed: seedWith([
      {
        id: SHOP,
        name: "Shop",
        applications: [{ id: WEB, appType: "ANDROID", androidInfo: androidInfo("Shop") }],
        customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "ACTIVE" }],
      },
    ]),
  },
  KEY,
);

function androidInfo(appName: string) {
  return { appName, appScheme: "shop", appPackageName: "example.shop" };
}

function inputsWith(appName: string) {
  return { projectId: SHOP, appType: "ANDROID", androidInfo: androidInfo(appName) };
}

const inputs = inputsWith("Shop");
const state = { ...inputs, createdAt: "2026-01-01T00:00:00.000Z", __organization: ORGANIZATION };
const KEPT = expect.stringContaining(`Application ${WEB} is kept`);

function application() {
  return operationsOf(applicationDescription, tools.inProcess);
}

type Step = () => Promise<unknown>;

/** The engine checks a resource that has the state's inputs, or, with `{}`, a new one. */
function checks(news: object, olds: object = inputs, resource?: string): Step {
  return () => application().check(news, olds, resource);
}

function compares(news: object, uuid = WEB): Step {
  return () => application().diff(uuid, state, news);
}

const MARKET = inputsWith("Market");
const OTHER = "0d0d0d0d-0000-4000-8000-000000000009";
const REORDERED = {
  androidInfo: { appPackageName: "example.shop", appScheme: "shop", appName: "Shop" },
  appType: "ANDROID",
  projectId: SHOP,
};
const MOVED = { ...inputs, projectId: "0d0d0d0d-0000-4000-8000-000000000008" };
/** What the engine creates if `ignoreChanges` replaces a part of the change. */
const PARTLY_CHANGED = { ...MARKET, androidInfo: { ...MARKET.androidInfo, appScheme: "market" } };
/** Two declared resources with the object. */
const BOTH = ["web", "site"].flatMap((resource) => [checks(inputs, inputs, resource), compares(inputs)]);

async function failingUpdate(): Promise<void> {
  tools.service.inject({ operation: "updateApplication", effect: { status: 400 } });
  await expect(application().update(WEB, state, MARKET)).rejects.toThrow("400");
}

test.each<[situation: string, isKept: boolean, calls: readonly Step[]]>([
  [
    "the program declares another entry without a change, in any order of its properties",
    true,
    [checks(inputs), compares(REORDERED)],
  ],
  [
    "the program changes another entry",
    true,
    [checks(MARKET), compares(MARKET), () => application().update(WEB, state, MARKET)],
  ],
  ["the update of the other entry fails", true, [checks(MARKET), compares(MARKET), failingUpdate]],
  [
    "the program declares two other entries and the engine replaces one of them",
    true,
    [...BOTH, checks(inputs, {}, "web")],
  ],
  [
    "a new resource declares the same as the other entry",
    true,
    [
      checks(inputs, inputs, "web"),
      compares(inputs),
      checks(inputs, {}, "new"),
      () => application().create(inputs),
    ],
  ],
  [
    "the host cannot identify resources, whatever it checks afterwards",
    true,
    [checks(inputs), compares(inputs), checks(inputs, {})],
  ],
  [
    "the engine compares equal resources in parallel and replaces one of them, which may be another",
    true,
    [
      checks(inputs, inputs, "web"),
      checks(inputs, inputs, "site"),
      compares(inputs),
      compares(inputs, OTHER),
      checks(inputs, {}, "site"),
    ],
  ],
  ["the program does not declare it", false, []],
  ["only a refresh has compared it", false, [compares(inputs)]],
  [
    "the engine replaces it without a change, as with replaceOnChanges when it is not ready",
    false,
    [checks(inputs, inputs, "web"), compares(inputs), checks(inputs, {}, "web")],
  ],
  [
    "the engine replaces it, although other resources with the same inputs keep their own object",
    false,
    [
      ...[["site", OTHER] as const, ["web", WEB] as const, ["blog", OTHER] as const].flatMap(
        ([resource, uuid]) => [checks(inputs, inputs, resource), compares(inputs, uuid)],
      ),
      checks(inputs, {}, "web"),
    ],
  ],
  [
    "the engine replaces it because of a change, as with replaceOnChanges and ignoreChanges",
    false,
    [
      checks(MARKET, inputs, "web"),
      compares(MARKET),
      checks(PARTLY_CHANGED, {}, "web"),
      () => application().create(PARTLY_CHANGED),
    ],
  ],
  ["a change of the entry replaces it", false, [checks(MOVED), compares(MOVED)]],
])("if %s, the deletion of an entry keeps the object: %s", async (_situation, isKept, calls) => {
  for (const call of calls) await call();
  await application().delete(WEB, state);
  expect(tools.inProcess.reports).toEqual(isKept ? [KEPT] : []);
  expect(writesIn(tools.service).includes("deleteApplication 204")).toBe(!isKept);
});

test.each([
  ["by force", inputs],
  ["for a change, with the option replaceOnChanges", MARKET],
])(
  "on the host that passes URNs, a replacement %s deletes the object, and no other entry does before",
  async (_, news) => {
    const ofEntry = (urn: string) =>
      operationsOf(applicationDescription, { ...tools.inProcess, run: { ...tools.inProcess.run, urn } });
    const replaced = ofEntry("urn:of:the:application");
    await replaced.check(news, inputs);
    await replaced.diff(WEB, state, news);
    await replaced.check(news);
    await ofEntry("urn:of:another:entry").delete(WEB, state);
    expect(writesIn(tools.service)).toEqual([]);
    await replaced.delete(WEB, state);
    expect(writesIn(tools.service)).toEqual(["deleteApplication 204"]);
  },
);

test("the deletion of an activation reports nothing: several can have the UUID of a domain", async () => {
  const activation = operationsOf(customDomainActivationDescription, tools.inProcess);
  const declared = { customDomainId: DOMAIN };
  const saved = { ...declared, hostname: "links.shop.example", __organization: ORGANIZATION };
  await activation.check(declared, declared);
  await activation.diff(DOMAIN, saved, declared);
  await activation.delete(DOMAIN, saved);
  expect(tools.inProcess.reports).toEqual([]);
});
