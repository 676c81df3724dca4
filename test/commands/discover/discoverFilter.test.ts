/** The command `discover` with `--include`, `--exclude` and `--type`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY, seedWith } from "../../support/values/organizations";
import { importFileIn } from "../generatedProgram";
import { DOMAIN, MARKET, SHOP, SHOP_PROJECT, WEB } from "../objects";
import { withStubbedCli } from "../pulumiClis";
import { discover, discoverFirst, failedWith, run } from "../run";
import { DYNAMIC, resourceOf } from "../states";
import { requestCounts, testsWith } from "../testsWith";

const BROKEN = "0d0d0d0d-0000-4000-8000-000000000002";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000001";

const SEED = seedWith([
  { ...SHOP_PROJECT, name: "Shop / EU" },
  {
    id: MARKET,
    name: "시장",
    createdAt: "2024-01-02T00:00:00.000Z",
    applications: [{ id: BROKEN, appType: "IOS", appleInfo: { appName: "Broken" } }],
  },
]);

const { test, testOnShell } = testsWith(SEED);

test.each<[string[], string, string[]]>([
  [["--include", "시?", "links.*"], "1 project, 0 applications, 1 custom domain", [MARKET, DOMAIN]],
  [["--include", "shop*", "--exclude", "links*"], "1 project, 1 application, 0 custom domains", [SHOP, WEB]],
])("%j writes %s", async (service, args, counts, uuids) => {
  const { out, code, stdout, stderr } = await discoverFirst(service, ...args);
  expect(stdout).toContain(`: ${counts}`);
  expect(importFileIn(out).resources.map(({ id }) => id)).toEqual(uuids);
  // What is wrong with an object is reported only if the object is selected.
  expect([code, stderr]).toEqual(uuids.includes(MARKET) ? [2, expect.stringContaining(BROKEN)] : [0, ""]);
});

test.each([
  [["--exclude", "links*"], 1],
  [["--type", "project"], 2],
  [["--project", MARKET], 3],
])(
  "with %j, a program does not lose what it declared before, not even with --force",
  async (service, args, lost) => {
    const { out } = await discoverFirst(service);
    const program = readFileSync(join(out, "index.ts"), "utf8");
    expect(await discover(service, out, "--force", ...args)).toEqual(
      failedWith(
        new RegExp(
          `import.json has ${lost} objects? that the new program would not declare: .* Choose another`,
        ),
      ),
    );
    expect(readFileSync(join(out, "index.ts"), "utf8")).toBe(program);
  },
);

test("--type project neither lists the content of projects nor needs its scopes", async (service) => {
  service.setScopes(KEY, ["projects:read"]);
  const { code, stdout, stderr } = await discoverFirst(service, "--type", "project");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("2 projects, 0 applications, 0 custom domains");
  expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1, listProjects: 1 });
});

test("patterns that match nothing are an error, and nothing is written", async (service) => {
  const { out, ...ended } = await discoverFirst(service, "--include", "shop");
  expect(ended).toEqual(
    failedWith(
      "No object matches --include. Patterns match whole names: *shop* matches every name that contains shop.",
    ),
  );
  expect(existsSync(out)).toBe(false);
});

testOnShell(
  "a comparison with stacks covers what is selected, and what is missing by its type",
  async (service) => {
    const environment = withStubbedCli(service, [
      resourceOf(`${DYNAMIC}Project`, "shop", { id: SHOP }),
      resourceOf(`${DYNAMIC}Project`, "missing", { id: MISSING }),
      resourceOf(`${DYNAMIC}Application`, "web", { id: WEB }),
    ]);
    const countsWith = async (...args: string[]) => {
      const { stdout, code } = await run("compare", ["--check", "--json", ...args], environment);
      const { objects, managed, unmanaged, missing } = JSON.parse(stdout).counts;
      return [code, { objects, managed, unmanaged, missing }];
    };
    expect(await countsWith()).toEqual([2, { objects: 5, managed: 2, unmanaged: 3, missing: 1 }]);
    expect(await countsWith("--exclude", "시장", "links.*")).toEqual([
      2,
      { objects: 2, managed: 2, unmanaged: 0, missing: 1 },
    ]);
    expect(await countsWith("--exclude", "시장", "links.*", "--type", "application")).toEqual([
      0,
      { objects: 1, managed: 1, unmanaged: 0, missing: 0 },
    ]);
  },
);
