/** Valid values that the program probably does not mean: which they are, and what a preview says about them. */
import { DESCRIPTIONS } from "../../../provider/resources";
import { setUp, UNKNOWN } from "./things";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const APPLICATION = { projectId: PROJECT, appType: "IOS" };

interface Declared {
  readonly kind: object;
  readonly inputs: Readonly<Record<string, unknown>>;
}

function domain(hostname: string): Declared {
  return { kind: DESCRIPTIONS.CustomDomain, inputs: { projectId: PROJECT, hostname } };
}
function ios(info: object): Declared {
  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop", ...info };
  return { kind: DESCRIPTIONS.Application, inputs: { ...APPLICATION, appleInfo } };
}
function android(appScheme: string): Declared {
  const androidInfo = { appName: "Shop", appScheme, appPackageName: "example.shop" };
  return { kind: DESCRIPTIONS.Application, inputs: { ...APPLICATION, appType: "ANDROID", androidInfo } };
}

const HOSTNAME =
  "a hostname has two or more parts of letters, digits and hyphens, with a dot between them, and no scheme, port, path or wildcard";
const SCHEME = 'a scheme has no colon and no slash, as in "shop"';
const STORE_ID = 'it is the number in the URL of the store, as in "1234567890"';

async function reportsOf(
  { kind, inputs }: Declared,
  more: Partial<Parameters<ReturnType<typeof setUp>["check"]>[1]> = {},
) {
  // Only the descriptions matter here.
  const { check, run, reports } = setUp({
    kind: { ...kind, uniqueBy: undefined, replacement: undefined, replaceOnChanges: [] },
    scopes: ["domains:read", "domains:write", "applications:read", "applications:write", "projects:read"],
  });
  const { failures } = await check(run, { inputs: { ...inputs }, isNew: true, mayShow: () => true, ...more });
  expect(failures).toEqual([]);
  return reports;
}

test.each<[value: string, Declared, doubt: string | undefined]>([
  ["links.shop.example", domain("links.shop.example"), undefined],
  ["xn--strae-oqa.example", domain("straße.example"), undefined],
  ["an unknown hostname", domain(UNKNOWN), undefined],
  ["a scheme", domain("https://go.example"), `hostname "https://go.example" of {}: ${HOSTNAME}`],
  ["a space", domain("go shop.example"), `hostname "go shop.example" of {}: ${HOSTNAME}`],
  ["a wildcard", domain("*.shop.example"), `hostname "*.shop.example" of {}: ${HOSTNAME}`],
  ["no dot", domain("shop"), `hostname "shop" of {}: ${HOSTNAME}`],
  ["an empty part", domain("go..example"), `hostname "go..example" of {}: ${HOSTNAME}`],
  ["a scheme of iOS", ios({ appScheme: "shop-1.x" }), undefined],
  ["a scheme with a colon", ios({ appScheme: "shop:" }), `appleInfo.appScheme "shop:" of {}: ${SCHEME}`],
  ["a scheme of Android", android("shop://x"), `androidInfo.appScheme "shop://x" of {}: ${SCHEME}`],
  ["an identifier", ios({ appStoreId: "id1234567890" }), undefined],
  [
    "the URL of the store",
    ios({ appStoreId: "https://apps.shop.example/app/id1234567890" }),
    `appleInfo.appStoreId "https://apps.shop.example/app/id1234567890" of {}: ${STORE_ID}`,
  ],
])("a preview warns of %s", async (_value, declared, doubt) => {
  const kind = declared.kind === DESCRIPTIONS.CustomDomain ? "custom domain" : "application";
  const reports = await reportsOf(declared, { resource: `${kind} a` });
  const text = doubt?.replace("of {}:", `of the resource ${kind} a is probably wrong:`);
  expect(reports).toEqual(text === undefined ? [] : [[`The ${text}.`, { persistent: true, warning: true }]]);
});

test.each<[string, Partial<Parameters<ReturnType<typeof setUp>["check"]>[1]>, text: RegExp | undefined]>([
  ["of a value that may be secret", { mayShow: () => false }, /^The hostname of a custom domain is/],
  ["of a new value", { isNew: false, before: domain("go.example").inputs }, /^The hostname "shop"/],
  ["not again of one that the state has", { isNew: false, before: domain("shop").inputs }, undefined],
])("a preview warns %s", async (_name, more, text) => {
  const reports = await reportsOf(domain("shop"), more);
  expect(reports.map(([message]) => message)).toEqual(
    text === undefined ? [] : [expect.stringMatching(text)],
  );
});
