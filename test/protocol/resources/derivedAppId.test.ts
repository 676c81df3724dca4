/** The appId that the service derived from prefix and bundle, when an update changes the bundle. */
import { applicationDescription } from "../../../provider/resources/application";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const PREFIX = "ABCDE12345";

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) }, KEY);
beforeEach(() => tools.service.setBehaviour({ deriveAppId: true }));

function ios(bundleId: string) {
  const appleInfo = { appName: "Shop", appScheme: "shop", appIdPrefix: PREFIX, bundleId };
  return { projectId: PROJECT, appType: "IOS", appleInfo };
}

/** A bundle with this number of characters. */
function bundle(length: number): string {
  return `example.${"a".repeat(length - "example.".length)}`;
}

test.each([
  ["of 100 characters is sent", 89, `${PREFIX}.${bundle(89)}`],
  ["of more characters, which the service would refuse, is cleared", 90, null],
])("%s", async (_, length, appId) => {
  const { create, update } = operationsOf(applicationDescription, tools.inProcess);
  const { uuid, state } = await create(ios("example.shop"));
  await update(uuid, state, ios(bundle(length)));
  const sent = tools.service.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  expect(sent).toEqual([
    { apple_info: expect.objectContaining({ bundle_id: bundle(length), app_id: appId }) },
  ]);
});
