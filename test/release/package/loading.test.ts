/** What is loaded, and when: measured in modules instead of time. */
import { execFileSync } from "node:child_process";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { ROOT } from "./programs";

const PACKAGE = "pulumi-dynamiclink";

/** The packages that an entry point loads in a process of its own, and the files of this package, in `dist`. */
function loadedBy(entry: string) {
  // A program has the SDK of Pulumi in any case.
  const isOfProgram = entry === PACKAGE || entry === `${PACKAGE}/native`;
  const report = `
    ${isOfProgram ? 'require("@pulumi/pulumi");' : ""}
    const before = new Set(Object.keys(require.cache));
    require("${entry}");
    console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.has(path))));
  `;
  const environment = { ...process.env, ...compileCache() };
  const options = { cwd: ROOT, encoding: "utf8", env: environment } as const;
  const paths: string[] = JSON.parse(execFileSync(process.execPath, ["-e", report], options));
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const own = paths.filter((path) => path.startsWith(`${ROOT}/dist/`));
  const files = own.map((path) => path.slice(`${ROOT}/dist/`.length));
  return { packages: [...new Set(packages)].sort(), files };
}

const NOT_NATIVE = /^provider\/(client|resources|hosts\/\w+)\/|^sdk\/(functions|resources)/;

// A program loads neither schemas nor an HTTP client nor the other host's classes, and a host no second @pulumi/pulumi.
test.each([
  [PACKAGE, [], "sdk/resources/project.js", /^provider\/(client|resources|hosts\/\w+)\/|^sdk\/native\//],
  [`${PACKAGE}/native`, [], "sdk/native/resources.js", NOT_NATIVE],
  [`${PACKAGE}/provider`, ["undici", "zod"], "provider/index.js", /^provider\/hosts\/plugin\//],
  [`${PACKAGE}/client`, ["undici", "zod"], "provider/client/index.js", /^provider\/hosts\//],
])("%s loads the packages %j and %s, and no file that matches %s", (entry, packages, own, others) => {
  const loaded = loadedBy(entry);
  expect(loaded.packages).toEqual(packages);
  expect(loaded.files).toContain(own);
  expect(loaded.files.filter((file) => others.test(file))).toEqual([]);
});
