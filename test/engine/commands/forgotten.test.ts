/** Tests that do not close what they start, and tests that close it with `await using`. */
import { startEmulator } from "../../../testing/emulator";
import { testStack } from "../../../testing/engine";
import { programWith } from "../../release/package/programs";
import { execute } from "../../support/processes/execute";
import { programPath } from "../things";

test("node --test ends although a test forgets to close the stack and the emulator", async () => {
  using program = programWith({
    "package.json": JSON.stringify({ name: "forgotten", main: "index.js" }),
    "index.js": 'const { Project } = require("pulumi-dynamiclink"); new Project("shop", { name: "Shop" });',
    "forgotten.test.cjs": `
      const assert = require("node:assert/strict");
      const { test } = require("node:test");
      const { startEmulator, testStack } = require("pulumi-dynamiclink/testing");
      test("the shop is deployed", async () => {
        const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
        const stack = await testStack({
          program: __dirname,
          config: { "dynamiclink:apiUrl": service.url },
          environment: { DYNAMICLINK_API_KEY: "test-key-1" },
        });
        await stack.up();
        // With a client in the same process, whose connection stays open.
        await (await fetch(service.url)).text();
        assert.equal(service.state.projects.length, 1);
      });
    `,
  });
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const stdout = await execute(process.execPath, ["--test", "--test-reporter=tap", "forgotten.test.cjs"], {
    directory: program.path,
    environment,
  });
  expect(stdout).toContain("# pass 1\n");
});

test("await using closes the emulator and the stack", async () => {
  let url = "";
  {
    await using service = await startEmulator();
    await using stack = await testStack({ program: programPath("closure") });
    url = service.url;
    expect((await fetch(url)).status).toBe(404);
    expect(stack.exportState().deployment.resources ?? []).toEqual([]);
  }
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});
