/** What is loaded, and when: measured in modules instead of time. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(__dirname, "..", "..");

/** The packages and this package's own files that a script loads in addition to those already loaded. */
function loadedBy(script: string, already = ""): { packages: string[]; files: string[] } {
  const report = `
    ${already};
    const before = new Set(Object.keys(require.cache));
    ${script};
    console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.has(path))));
  `;
  const paths: string[] = JSON.parse(
    execFileSync(process.execPath, ["-e", report], { cwd: ROOT, encoding: "utf8" }),
  );
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  const files = paths.flatMap((path) =>
    path.startsWith(`${ROOT}/dist/`) ? [path.slice(ROOT.length + 6)] : [],
  );
  return { packages: [...new Set(packages)].sort(), files: files.sort() };
}

test("a program that imports the package loads neither HTTP client nor validator", () => {
  const { packages, files } = loadedBy('require("pulumi-dynamiclink")', 'require("@pulumi/pulumi")');
  expect(packages).toEqual([]);
  expect(
    files.filter((file) =>
      /shapes\/(answer|check)|client\/(client|http|index)|session\/session|resource\.js/.test(file),
    ),
  ).toEqual(["sdk/resource.js"]);
});

test("the provider loads no second @pulumi/pulumi into the host", () => {
  const { packages } = loadedBy('require("pulumi-dynamiclink/provider")');
  expect(packages).toEqual(["undici", "zod"]);
});

test("a program that imports the native classes loads neither HTTP client nor validator, and nothing that runs lookups", () => {
  const { packages, files } = loadedBy('require("pulumi-dynamiclink/native")', 'require("@pulumi/pulumi")');
  expect(packages).toEqual([]);
  expect(
    files.filter((file) =>
      /shapes\/(answer|check)|client\/(client|http|index)|session\/session|sdk\/functions/.test(file),
    ),
  ).toEqual([]);
  expect(files).toContain("sdk/native/resources.js");
});

test.each(["pulumi-dynamiclink", "pulumi-dynamiclink/native", "pulumi-dynamiclink/provider"])(
  "%s loads nothing of the native plugin",
  (name) => {
    const { files } = loadedBy(`require("${name}")`);
    expect(files.filter((file) => file.startsWith("provider/hosts/plugin/"))).toEqual([]);
  },
);

test("the classes of one host load none of the other", () => {
  const dynamic = loadedBy('require("pulumi-dynamiclink")').files;
  expect(dynamic.filter((file) => file.startsWith("sdk/native/"))).toEqual([]);
  const native = loadedBy('require("pulumi-dynamiclink/native")').files;
  expect(native).not.toContain("sdk/project.js");
  expect(native).not.toContain("provider/hosts/dynamic/provider.js");
});

test("the client loads HTTP client and validator, so that the tests above can fail", () => {
  const { packages } = loadedBy('require("pulumi-dynamiclink/client")');
  expect(packages).toContain("undici");
  expect(packages).toContain("zod");
});
