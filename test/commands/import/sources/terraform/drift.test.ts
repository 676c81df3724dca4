/** Which attributes of a Terraform state count as different from the service. */

import { driftOf } from "../../../../../cli/import/sources/terraform/drift";
import { KINDS, type KindName } from "../../../../../cli/objects/kinds";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000001";
const UUID = "0d0d0d0d-0000-4000-8000-000000000001";

/** The paths that differ between an object of the service and attributes. */
function drift(kind: KindName, properties: Record<string, unknown>, attributes: Record<string, unknown>) {
  const reading = KINDS[kind].imported("organization", { uuid: UUID, properties, createdAt: "" });
  return driftOf({ kind, reading }, attributes);
}

const domain = { projectId: PROJECT, hostname: "links.example", cnameTarget: "a.edge.example" };
const apple = { appName: "Shop", appScheme: "shop", bundleId: "example.shop", appId: "A.example.shop" };
const ios = { projectId: PROJECT, appType: "IOS", appleInfo: apple, androidInfo: null };
const appleInfo = { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop" };
const application = { project_id: PROJECT, app_type: "IOS", apple_info: appleInfo, android_info: null };

test.each([
  ["equal values in another spelling", { project_id: PROJECT.toUpperCase(), hostname: "LINKS.example." }, []],
  [
    "an output that the service has assigned since",
    { ...{ project_id: PROJECT, hostname: "links.example" }, cname_target: null },
    [],
  ],
  [
    "another output",
    { project_id: PROJECT, hostname: "links.example", cname_target: "b.edge.example" },
    ["cnameTarget"],
  ],
  ["attributes of an unknown name", { project_id: PROJECT, hostname: "links.example", team: "x" }, []],
  ["no attributes", {}, ["hostname", "projectId"]],
])("of a custom domain: %s", (_, attributes, paths) => {
  expect(drift("customDomain", domain, attributes)).toEqual(paths);
});

test.each([
  ["a value that the service fills in by itself", application, []],
  [
    "another one of it",
    { ...application, apple_info: { ...appleInfo, app_id: "B.example.shop" } },
    ["appleInfo.appId"],
  ],
  [
    "a value that the service does not have",
    { ...application, apple_info: { ...appleInfo, app_store_id: "1" } },
    ["appleInfo.appStoreId"],
  ],
  [
    "a value that only the service has",
    { ...application, apple_info: { app_scheme: "shop", bundle_id: "example.shop" } },
    ["appleInfo.appName"],
  ],
  ["another platform", { ...application, android_info: { app_name: "Shop" } }, ["androidInfo"]],
])("of an application: %s", (_, attributes, paths) => {
  expect(drift("application", ios, attributes)).toEqual(paths);
});
