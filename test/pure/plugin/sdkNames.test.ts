/** The names in users' programs in other languages. Never change or remove a line after the first release. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json";
import { schemaNames } from "../../../scripts/release/schemaBreaks";
import { languageOptions } from "../../../scripts/schema/languages";
import { packageSchema } from "../../../scripts/schema/packageSchema";

const schema = schemaNames();
/** The schemas of the versions, from which the SDKs of all languages derive their names. */
const RECORDED = join(__dirname, "..", "..", "fixtures", "schemas");

test("the packages have the names under which programs add and import them", () => {
  expect(languageOptions("git+https://github.com/Links-Team/pulumi-dynamiclink.git")).toMatchObject({
    nodejs: { packageName: "pulumi-dynamiclink/native" },
    // On PyPI, the same as pulumi-dynamiclink.
    python: { packageName: "pulumi_dynamiclink" },
    go: { importBasePath: "github.com/Links-Team/pulumi-dynamiclink/sdk/go/dynamiclink" },
    // The NuGet package and the namespace Dynamiclink.Infrastructure.
    csharp: { rootNamespace: "Dynamiclink", namespaces: { dynamiclink: "Infrastructure" } },
    // The Maven package io.github.linksteam:dynamiclink, and the Java package io.github.linksteam.dynamiclink.
    java: { basePackage: "io.github.linksteam" },
  });
  expect(languageOptions("https://git.real.test:8443/team/b.git")).toMatchObject({
    go: { importBasePath: "git.real.test/team/b/sdk/go/dynamiclink" },
    java: { basePackage: "test.real.git" },
  });
  // While the address of the repository is a placeholder, so are the names that follow from it.
  expect(languageOptions("git+https://git.example/pulumi-dynamiclink.git")).toMatchObject({
    java: { basePackage: "example.git" },
  });
  expect(schema.name).toBe("dynamiclink");
});

test.each([
  ["git+https://git.example/pulumi-dynamiclink.git", "example.com/pulumi-dynamiclink"],
  ["git+https://github.com/Links-Team/pulumi-dynamiclink.git", "github.com/Links-Team/pulumi-dynamiclink"],
])("the address of the Go module is the one that the CLI derives from the schema of %s", (url, expected) => {
  const { name, repository, meta, language } = packageSchema({ ...packageJson, repository: { url } });
  // Pulumi's `package add` prints the import path from the repository, and the SDK has that of the schema.
  const { host, pathname } = new URL(repository ?? `https://example.com/pulumi-${name}`);
  expect(`${host}${pathname}`).toBe(expected);
  expect(meta).toEqual({ supportPack: true });
  expect(language.go.importBasePath).toBe(`${expected}/sdk/go/${name}`);
});

test.each(readdirSync(RECORDED))("the SDKs still have every name of %s", (file) => {
  const earlier = JSON.parse(readFileSync(join(RECORDED, file), "utf8"));
  for (const part of ["resources", "functions", "types"] as const)
    expect(Object.keys(schema[part])).toEqual(expect.arrayContaining(Object.keys(earlier[part])));
});
