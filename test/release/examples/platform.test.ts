/** The example of a platform team's repository: its own tests pass in a copy, with the package as npm packs it. */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { execute } from "../../support/processes/execute";
import { directoryWith, packTarball, ROOT, unpackInto } from "../package/programs";

const EXAMPLE = join(ROOT, "examples", "platform");

test("its tests pass with Jest", async () => {
  using directory = directoryWith({});
  using tarball = packTarball();
  cpSync(EXAMPLE, directory.path, { recursive: true });
  unpackInto(directory.path, tarball);
  // As npm links the packages of a workspace.
  const workspace = join(directory.path, "node_modules", "@acme");
  mkdirSync(workspace);
  symlinkSync(join(directory.path, "packages", "brand"), join(workspace, "brand"), "junction");
  const jest = join(ROOT, "node_modules", "jest", "bin", "jest.js");
  const environment = { ...process.env, DYNAMICLINK_READ_ONLY: "1" };
  await execute(process.execPath, [jest], { directory: directory.path, environment });
});

test("only its root depends on a version, so that an upgrade installs one", () => {
  const versions = globSync("**/package.json", { cwd: EXAMPLE }).flatMap((file) => {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(EXAMPLE, file), "utf8"),
    );
    return { ...dependencies, ...devDependencies, ...peerDependencies }["pulumi-dynamiclink"] ?? [];
  });
  expect(versions.sort()).toEqual(["*", "*", `^${version}`]);
});

test("it stays small enough to be read", () => {
  const entries = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true });
  const texts = entries.flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : [],
  );
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.join("").split("\n").length).toBeLessThanOrEqual(750);
});
