/** The quickstart of a language on a real CLI, from the first preview to destroy. */
import { initialized, type NativeStack } from "./support";

export function written({ service }: NativeStack): string[] {
  const writes = service.requests.filter(({ method }) => method !== "GET");
  service.clearRequests();
  return writes.map(({ operationId }) => String(operationId)).sort();
}

export async function quickstart(stack: NativeStack): Promise<void> {
  const { pulumi, service, sent } = stack;
  await initialized(stack);
  await pulumi("preview");
  expect(sent()).toEqual(["getCurrentApiCredential", "listProjects"]);

  await pulumi("up", "--yes", "--skip-preview");
  expect(sent().sort()).toEqual([
    ...Array(3).fill("createApplication"),
    "createCustomDomain",
    "createProject",
    "getCurrentApiCredential",
    "getProject",
    "listProjects",
  ]);
  const [project] = service.state.projects;
  const [domain] = service.state.customDomains;
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toEqual({
    projectId: project?.id,
    subDomain: project?.subDomain,
    cnameTarget: domain?.cnameTarget,
  });
  expect(project).toMatchObject({ name: "Shop", defaultHookupMsg: "Open it in the app" });
  expect(domain).toMatchObject({ hostname: "links.shop.example" });
  const inOrder = service.state.applications.toSorted((one, other) => (one.appType < other.appType ? -1 : 1));
  expect(inOrder).toMatchObject([
    {
      appType: "ANDROID",
      androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" },
    },
    {
      appType: "IOS",
      appleInfo: {
        appName: "Shop",
        appScheme: "shop",
        bundleId: "example.shop.app",
        appIdPrefix: "A1B2C3D4E5",
      },
    },
    { appType: "WEB" },
  ]);

  await pulumi("preview", "--expect-no-changes");
  expect(sent()).toEqual(["getCurrentApiCredential", "getProject"]);
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  expect(written(stack)).toEqual([]);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(written(stack)).toEqual([
    ...Array(3).fill("deleteApplication"),
    "deleteCustomDomain",
    "deleteProject",
  ]);
  const { projects, applications, customDomains } = service.state;
  expect([...projects, ...applications, ...customDomains]).toEqual([]);
}
