/**
 * Each example is deployed, has no changes afterwards, and is destroyed completely. It is slow because the test of the
 * quickstart runs as users run it: every command starts its program and its provider host as processes. CI also runs its demo.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { programStack } from "../../support/stacks/programStack";
import { seedWith } from "../../support/values/organizations";

const EXAMPLES = join(__dirname, "..", "..", "..", "examples");

test("custom-domain is deployed in order, previewed without changes, and destroyed", async () => {
  await using service = await startEmulator({ seed: seedWith() });
  await using stack = programStack({ service, program: join(EXAMPLES, "custom-domain") });
  const up = await stack.up();
  expect(up.outputs).toMatchObject({ certificates: [], origin: "https://links.shop.example" });
  const order = ["links", "links-records", "links-ownership", "links-active", "shop-ios"];
  expect(up.steps.map(({ name }) => name).filter((name) => order.includes(name))).toEqual(order);
  await stack.preview({ refresh: true, expectNoChanges: true });
  await stack.destroy();
  const { projects, applications, customDomains } = service.state;
  expect([...projects, ...applications, ...customDomains]).toEqual([]);
});

test("the quickstart's own test passes with node --test, also in a shell that allows no writes", () => {
  const printed = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: join(EXAMPLES, "quickstart"),
    // As the page about migrating sets it.
    env: { ...process.env, DYNAMICLINK_READ_ONLY: "1" },
    encoding: "utf8",
  });
  expect(printed).toContain("# fail 0");
  expect(printed).toContain("# pass 6");
});
