// Tests the program as it is, on the test engine and against the emulator: `node --test`, without a CLI or an account.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Emulator, startEmulator, type TestStack, testStack } from "pulumi-dynamiclink/testing";

const KEY = "quickstart-key-for-the-emulator";

let service: Emulator;
let stack: TestStack;

before(async () => {
  service = await startEmulator({ seed: { organizations: [{ keys: [{ key: KEY }] }] } });
  stack = await testStack({
    program: import.meta.dirname,
    config: { "dynamiclink:apiUrl": service.url },
    environment: { DYNAMICLINK_API_KEY: KEY },
  });
});
beforeEach(() => service.clearRequests());
after(async () => {
  await stack.close();
  await service.close();
});

test("a preview makes nothing", async () => {
  const { changes } = await stack.preview();
  assert.deepEqual(changes, { create: 6 });
  assert.deepEqual(service.state.projects, []);
});

test("up makes the shop with its applications and its host name", async () => {
  const { outputs } = await stack.up();
  const { projects, applications, customDomains } = service.state;
  assert.deepEqual(
    projects.map(({ name }) => name),
    ["Shop"],
  );
  assert.deepEqual(applications.map(({ appType }) => appType).sort(), ["ANDROID", "IOS", "WEB"]);
  assert.equal(customDomains[0]?.hostname, "links.shop.example");
  assert.equal(outputs.cnameTarget, customDomains[0]?.cnameTarget);
});

test("the program settles: a second preview has nothing to do", async () => {
  await stack.preview({ expectNoChanges: true });
});

test("what someone changed in the console is put back", async () => {
  const [project] = service.state.projects;
  assert.ok(project);
  service.updateProject(project.id, { defaultHookupMsg: "Changed in the console" });
  const { changes } = await stack.up({ refresh: true });
  assert.equal(changes.update, 1);
  assert.equal(service.state.projects[0]?.defaultHookupMsg, "Open it in the app");
});

test("a key that may not write fails in preview, and says which scopes it lacks", async () => {
  service.setScopes(KEY, ["projects:read", "applications:read", "domains:read"]);
  await assert.rejects(stack.preview(), /lacks the scope projects:write/);
  service.setScopes(KEY, [
    "projects:read",
    "projects:write",
    "applications:read",
    "applications:write",
    "domains:read",
    "domains:write",
  ]);
});

test("destroy leaves nothing behind", async () => {
  await stack.destroy();
  assert.deepEqual(service.state.projects, []);
});
