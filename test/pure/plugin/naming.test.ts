/** How messages of the native plugin name an object. */
import { naming } from "../../../provider/hosts/plugin/naming";
import { projectDescription } from "../../../provider/resources/project";

const ID = "0c0c0c0c-0000-4000-8000-000000000003";
const SHOP = { values: { name: "Shop $&" }, secrets: [] };

test.each([
  [[SHOP], `Project ${ID} stays.`, `Project Shop $& (${ID}) stays.`],
  [
    [SHOP],
    `Deleting project ${ID} failed: project ${ID}`,
    `Deleting project Shop $& (${ID}) failed: project ${ID}`,
  ],
  [
    [SHOP, { values: { name: "New" }, secrets: [] }],
    `project ${ID.toUpperCase()}`,
    `project Shop $& (${ID.toUpperCase()})`,
  ],
  [[SHOP], `application ${ID}`, `application ${ID}`],
  [[SHOP, { ...SHOP, secrets: ["name"] }], `project ${ID}`, `project ${ID}`],
  [[{ values: {}, secrets: [] }], `project ${ID}`, `project ${ID}`],
])("the object of %j in %s", (sent, message, expected) => {
  expect(naming(projectDescription as never, ID, sent, (text) => text)(message)).toBe(expected);
});
