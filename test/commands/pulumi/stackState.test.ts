/** What is read of a stack's state, and what is not. */
import { stackState } from "../../../cli/pulumi/stackState";
import { ORGANIZATION } from "../../support/values/organizations";
import { MARKET, SHOP, WEB } from "../objects";
import { DYNAMIC, NATIVE, resourceOf } from "../states";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary" };

function resource(type: string, name: string, id?: string, more: object = {}) {
  return resourceOf(type, name, { id, ...more }, { stack: "dev", project: "shop" });
}

function exported(...resources: object[]) {
  return { version: 3, deployment: { manifest: {}, resources } };
}

const PLACE = "state.json";

test("objects count as managed with the types of both hosts, by UUID in lower case", () => {
  const state = stackState(
    exported(
      resource("pulumi:pulumi:Stack", "shop-dev"),
      resource(`${DYNAMIC}Project`, "shop", SHOP.toUpperCase(), {
        outputs: { __organization: ORGANIZATION },
      }),
      resource(`${NATIVE}Application`, "web", WEB, { outputs: { __organization: "not a UUID" } }),
    ),
    { place: PLACE },
  );
  expect(state).toEqual({
    name: "shop/dev",
    objects: [
      {
        kind: "project",
        uuid: SHOP,
        urn: `urn:pulumi:dev::shop::${DYNAMIC}Project::shop`,
        organizationId: ORGANIZATION,
      },
      { kind: "application", uuid: WEB, urn: `urn:pulumi:dev::shop::${NATIVE}Application::web` },
    ],
    outputs: new Map(),
  });
});

test.each([
  ["that the stack only reads", `${DYNAMIC}Project`, SHOP, { external: true }],
  ["whose deletion is pending", `${DYNAMIC}Project`, SHOP, { delete: true }],
  ["that were deleted and not replaced yet", `${DYNAMIC}Project`, SHOP, { pendingReplacement: true }],
  ["that only wait for an object", `${DYNAMIC}CustomDomainActivation`, SHOP, {}],
  ["of other packages", "other:index:Project", SHOP, {}],
  ["without a UUID", `${NATIVE}Project`, undefined, {}],
])("resources %s do not count", (_, type, id, flags) => {
  expect(stackState(exported(resource(type, "shop", id, flags)), { place: PLACE }).objects).toEqual([]);
});

test.each([
  ["a state without resources", { version: 3, deployment: { manifest: {} } }, PLACE, 0],
  ["a stack that was never deployed", { version: 3, deployment: null }, PLACE, 0],
  [
    "a checkpoint",
    { version: 3, checkpoint: { latest: { resources: [resource(`${NATIVE}Project`, "a", SHOP)] } } },
    "shop/dev",
    1,
  ],
  ["a checkpoint of a stack that was never deployed", { version: 3, checkpoint: { latest: null } }, PLACE, 0],
])("%s is a state", (_, document, name, count) => {
  const state = stackState(document, { place: PLACE });
  expect([state.name, state.objects.length]).toEqual([name, count]);
});

test.each([
  ["a list", []],
  ["text", "canary"],
  ["null", null],
  ["an import file", { nameTable: {}, resources: [] }],
  ["a Terraform state", { version: 4, resources: [{ type: "canary" }] }],
  ["a state whose resources are not a list", { deployment: { resources: { canary: 1 } } }],
  ["a state with a resource that has no URN", exported({ type: "canary" })],
  ["a deployment that is text", { deployment: "canary" }],
])("%s is rejected without being shown", (_, document) => {
  expect(() => stackState(document, { place: PLACE })).toThrow(
    /^state\.json is not the state of a stack\. Write it with `pulumi stack export --file <file>`\.$/,
  );
});

test("only the requested outputs are read, and of these only UUIDs", () => {
  const outputs = {
    shopId: SHOP,
    byName: { shop: SHOP, market: MARKET.toUpperCase(), note: "canary" },
    list: ["canary", MARKET],
    text: "canary",
    secret: SECRET,
    nested: { shop: SHOP, key: { deep: [SECRET] } },
    other: SHOP,
  };
  const state = stackState(exported(resource("pulumi:pulumi:Stack", "shop-dev", undefined, { outputs })), {
    place: PLACE,
    outputs: ["shopId", "byName", "list", "text", "secret", "nested", "absent"],
  });
  expect(Object.fromEntries(state.outputs)).toEqual({
    shopId: [{ uuid: SHOP }],
    byName: [
      { key: "shop", uuid: SHOP },
      { key: "market", uuid: MARKET },
    ],
    list: [{ key: 1, uuid: MARKET }],
    text: [],
    secret: "secret",
    nested: "secret",
  });
});
