/** Every operation of the client against the emulator. The two share no code. */
import { type Client, createClient, NotFoundError, type OperationId } from "../../../provider/client";
import { operations } from "../../../provider/client/operations";
import { type Emulator, startEmulator } from "../../../testing/emulator";

const KEY = "canary-key-of-all-operations";
const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";

let service: Emulator;
let client: Client;

beforeAll(async () => {
  service = await startEmulator({ seed: { organizations: [{ id: ORGANIZATION, keys: [{ key: KEY }] }] } });
  client = createClient({ apiUrl: service.url, apiKey: KEY });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

test("all 30 operations send and receive what the emulator accepts and answers", async () => {
  const organizationId = ORGANIZATION;
  expect(await client.getCurrentApiCredential()).toMatchObject({
    organizationId,
    keyPrefix: KEY.slice(0, 6),
  });

  const { isAvailable } = await client.checkProjectNameAvailability({ organizationId, projectName: "Shop" });
  expect(isAvailable).toBe(true);
  const { id: projectId } = await client.createProject({ organizationId, body: { projectName: "Shop" } });
  const at = { organizationId, projectId };
  expect(await client.listProjects({ organizationId })).toHaveLength(1);
  const renamed = await client.updateProject({ ...at, body: { defaultHookupMsg: "Hello" } });
  expect(await client.getProject(at)).toEqual(renamed);

  await expect(client.getProjectSkin(at)).rejects.toThrow(NotFoundError);
  const skin = await client.saveProjectSkin({
    ...at,
    body: { themeType: "basic", themeChoiceType: "dark_blur" },
  });
  expect(await client.getProjectSkin(at)).toEqual(skin);

  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
  const application = await client.createApplication({ ...at, body: { appType: "IOS", appleInfo } });
  const applicationId = application.id;
  expect(await client.listApplications(at)).toEqual([application]);
  const updated = await client.updateApplication({
    applicationId,
    body: { appleInfo: { ...appleInfo, appStoreId: "1" } },
  });
  expect(await client.getApplication({ applicationId })).toEqual(updated);

  const { id: customDomainId } = await client.createCustomDomain({
    ...at,
    body: { hostname: "links.shop.example" },
  });
  expect(await client.listCustomDomains(at)).toHaveLength(1);
  service.setDomainStatus(customDomainId, "FAILED");
  expect(await client.retryCustomDomain({ customDomainId })).toMatchObject({
    lifecycleStatus: "PENDING_PROVIDER",
  });
  service.setDomainStatus(customDomainId, "ACTIVE");
  expect(await client.getCustomDomain({ customDomainId })).toMatchObject({ lifecycleStatus: "ACTIVE" });

  const body = { dynamicLinkUrl: "https://shop.example/", dynamicLinkName: "Home" };
  const link = await client.createProjectLink({ ...at, body: { ...body, dynamicLinkSuffix: "home" } });
  const core = await client.createCoreLinkV2({ body: { ...body, projectId } });
  const unified = await client.createUnifiedLink({ body: { ...body, projectId } });
  const custom = await client.createCustomDomainLink({ customDomainId, body });
  expect((await client.listProjectLinks({ ...at, limit: 1 })).nextCursor).not.toBeNull();
  expect((await client.listCustomDomainLinks({ customDomainId })).links).toEqual([custom]);
  expect((await client.checkCoreLinkAvailability({ projectId, dynamicLinkSuffix: "home" })).available).toBe(
    false,
  );
  expect(await client.resolveLinkByUrl({ url: link.shortUrl ?? "" })).toEqual(link);
  const linkId = link.id;
  const relinked = await client.updateLink({ linkId, body: { dynamicLinkName: "Start" } });
  expect(await client.getLink({ linkId })).toEqual(relinked);

  for (const { id } of [link, core, unified, custom]) await client.deleteLink({ linkId: id });
  await client.deleteApplication({ applicationId });
  await client.deleteCustomDomain({ customDomainId });
  await client.getCustomDomain({ customDomainId });
  await client.deleteProject(at);

  const asked = new Set(service.requests.map(({ operationId }) => operationId));
  expect([...asked].sort()).toEqual((Object.keys(operations) as OperationId[]).sort());
  expect(asked.size).toBe(30);
  // The emulator also accepts the names of the client.
  const sent = service.requests.flatMap(({ body }) => Object.keys(Object(body)));
  expect(sent.filter((name) => /[A-Z]/.test(name))).toEqual([]);
  expect(service.violations).toEqual([]);
});
