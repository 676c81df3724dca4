/**
 * Each example is deployed, has no changes afterwards, and is destroyed completely. It is slow because the test of the
 * quickstart runs as users run it: every command starts its program and its provider host as processes. CI also runs its demo.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Seed, startEmulator } from "../../../testing/emulator";
import { programStack } from "../../support/stacks/programStack";
import { seedWith } from "../../support/values/organizations";

const EXAMPLES = join(__dirname, "..", "..", "..", "examples");

interface Expected {
  readonly name: string;
  readonly seed?: Seed;
  readonly environment?: Record<string, string | undefined>;
  readonly outputs: Record<string, unknown>;
  readonly inOrder?: readonly string[];
}

const EXPECTATIONS: readonly Expected[] = [
  {
    name: "several-organizations",
    seed: JSON.parse(readFileSync(join(EXAMPLES, "several-organizations", "seed.json"), "utf8")),
    environment: {
      DYNAMICLINK_API_KEY_EUROPE: "europe-key-for-the-emulator",
      DYNAMICLINK_API_KEY_ASIA: "asia-key-for-the-emulator",
      DYNAMICLINK_API_KEY: undefined,
    },
    outputs: {
      organizations: {
        europe: "2b7e4a10-5c1d-4f0a-9b3e-7d6f8a1c2e30",
        asia: "8c5d1f27-3e6a-4b90-a1d4-5f7e9b0c3d82",
      },
    },
  },
  {
    name: "custom-domain",
    outputs: { certificates: [], origin: "https://links.shop.example" },
    inOrder: ["links", "links-records", "links-ownership", "links-active", "shop-ios"],
  },
];

test.each(EXPECTATIONS)(
  "$name is deployed, previewed without changes, and destroyed",
  async ({ name, seed, environment, outputs, inOrder = [] }) => {
    await using service = await startEmulator({ seed: seed ?? seedWith() });
    await using stack = programStack({
      service,
      program: join(EXAMPLES, name),
      ...(environment && { environment }),
    });
    const up = await stack.up();
    expect(up.outputs).toMatchObject(outputs);
    expect(up.steps.map(({ name }) => name).filter((name) => inOrder.includes(name))).toEqual(inOrder);
    await stack.preview({ refresh: true, expectNoChanges: true });
    await stack.destroy();
    const { projects, applications, customDomains } = service.state;
    expect([...projects, ...applications, ...customDomains]).toEqual([]);
  },
);

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
