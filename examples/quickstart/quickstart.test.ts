// Tests the unchanged program on the test engine, against the emulator. Run it with `node --test`; it needs no Pulumi CLI
// and no account.
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
    environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: undefined },
  });
});
beforeEach(() => service.clearRequests());
after(async () => {
  await stack.close();
  await service.close();
});

test("a preview creates nothing", async () => {
  const { changes } = await stack.preview();
  assert.deepEqual(changes, { create: 6 });
  assert.deepEqual(service.state.projects, []);
});

test("up creates the shop with its applications and its hostname", async () => {
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

test("a second preview has no changes", async () => {
  await stack.preview({ expectNoChanges: true });
});

test("up restores what someone changed in the console", async () => {
  const [project] = service.state.projects;
  assert.ok(project);
  service.updateProject(project.id, { defaultHookupMsg: "Changed in the console" });
  const { changes } = await stack.up({ refresh: true });
  assert.equal(changes.update, 1);
  assert.equal(service.state.projects[0]?.defaultHookupMsg, "Open it in the app");
});

test("a key without write scopes fails in preview, and the error names the missing scopes", async () => {
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
  // A custom domain that is seconds old takes half a minute to delete.
  service.clock.advance(60_000);
  await stack.destroy();
  assert.deepEqual(service.state.projects, []);
});
