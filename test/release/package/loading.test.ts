/** What is loaded, and when: measured in modules instead of time. */

import { execFileSync } from "node:child_process";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { ROOT } from "./unpackedProgram";

const PACKAGE = "pulumi-dynamiclink";

/** What an entry point loads in a process of its own. */
interface Loaded {
  readonly packages: readonly string[];
  /** The files of this package, in `dist`. */
  readonly files: readonly string[];
}

/** What was found, by entry point: each starts one process. */
const found = new Map<string, Loaded>();

function loadedBy(entry: string): Loaded {
  const loaded = found.get(entry) ?? loadedInProcess(entry);
  found.set(entry, loaded);
  return loaded;
}

function loadedInProcess(entry: string): Loaded {
  // A program has the SDK of Pulumi in any case.
  const isOfProgram = entry === PACKAGE || entry === `${PACKAGE}/native`;
  const report = `
    ${isOfProgram ? 'require("@pulumi/pulumi");' : ""}
    const before = new Set(Object.keys(require.cache));
    require("${entry}");
    console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.has(path))));
  `;
  const paths: string[] = JSON.parse(
    execFileSync(process.execPath, ["-e", report], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, ...compileCache() },
    }),
  );
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const files = paths.flatMap((path) =>
    path.startsWith(`${ROOT}/dist/`) ? [path.slice(ROOT.length + 6)] : [],
  );
  return { packages: [...new Set(packages)].sort(), files: files.sort() };
}

test("a program that imports the package loads neither schemas nor an HTTP client", () => {
  const { packages, files } = loadedBy(PACKAGE);
  expect(packages).toEqual([]);
  expect(files.filter((file) => /provider\/(client|resources)\//.test(file))).toEqual([]);
});

test("the provider loads no second @pulumi/pulumi into the host", () => {
  const { packages } = loadedBy(`${PACKAGE}/provider`);
  expect(packages).toEqual(["undici", "zod"]);
});

test("a program that imports the native classes loads neither schemas nor an HTTP client, and nothing that runs lookups", () => {
  const { packages, files } = loadedBy(`${PACKAGE}/native`);
  expect(packages).toEqual([]);
  expect(files.filter((file) => /provider\/(client|resources)\/|sdk\/functions/.test(file))).toEqual([]);
  expect(files).toContain("sdk/native/resources.js");
});

test.each([PACKAGE, `${PACKAGE}/native`, `${PACKAGE}/provider`])(
  "%s loads nothing of the native plugin",
  (name) => {
    const { files } = loadedBy(name);
    expect(files.filter((file) => file.startsWith("provider/hosts/plugin/"))).toEqual([]);
  },
);

test("the classes of one host load none of the other", () => {
  const dynamic = loadedBy(PACKAGE).files;
  expect(dynamic.filter((file) => file.startsWith("sdk/native/"))).toEqual([]);
  const native = loadedBy(`${PACKAGE}/native`).files;
  expect(native).not.toContain("sdk/project.js");
  expect(native).not.toContain("provider/hosts/dynamic/dynamicProvider.js");
});

test("the client loads HTTP client and validator, so that the tests above can fail", () => {
  const { packages } = loadedBy(`${PACKAGE}/client`);
  expect(packages).toContain("undici");
  expect(packages).toContain("zod");
});
