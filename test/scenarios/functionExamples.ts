/** A call of each function, for the tests that go through all functions. The type requires one for each. */
import type { FunctionName } from "../../provider/resources/functions";
import { ORGANIZATION, seedWith } from "../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const APPLICATION = "0d0d0d0d-0000-4000-8000-000000000004";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000005";
const LINK = "0d0d0d0d-0000-4000-8000-000000000006";

/** The objects that the functions return. */
export const FUNCTION_SEED = seedWith([
  {
    id: PROJECT,
    name: "Existing",
    defaultHookupMsg: "Hello",
    applications: [
      { id: APPLICATION, appType: "IOS", appleInfo: { appName: "Shop", bundleId: "example.shop.app" } },
    ],
    customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" }],
    links: [{ id: LINK, url: "https://shop.example/", name: "Home", suffix: "home" }],
  },
]);

interface FunctionExample {
  readonly args: Readonly<Record<string, string>>;
  /** Some of the fields that it returns. */
  readonly result: object;
}

const project = { id: PROJECT, organizationId: ORGANIZATION, name: "Existing", defaultHookupMsg: "Hello" };
const application = {
  id: APPLICATION,
  projectId: PROJECT,
  appType: "IOS",
  appleInfo: { bundleId: "example.shop.app" },
  androidInfo: null,
};
const customDomain = { id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" };

export const FUNCTION_EXAMPLES: { readonly [Name in FunctionName]: FunctionExample } = {
  getProject: { args: { id: PROJECT }, result: project },
  getProjects: { args: {}, result: { projects: [project] } },
  getApplication: { args: { id: APPLICATION }, result: application },
  getApplications: { args: { projectId: PROJECT }, result: { applications: [application] } },
  getCustomDomain: { args: { id: DOMAIN }, result: customDomain },
  getCustomDomains: { args: { projectId: PROJECT }, result: { customDomains: [customDomain] } },
  getLink: {
    args: { id: LINK },
    result: {
      dynamicLinkUrl: "https://shop.example/",
      suffix: "home",
      applications: { apple: null, android: null },
    },
  },
};
