/** The names in users' programs in other languages. Never change or remove a line after the first release. */
import { builtSchema } from "../../../scripts/release/builtSchema";
import { languageOptions } from "../../../scripts/schema/languages";

const schema = builtSchema();

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
