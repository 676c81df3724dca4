/** The names in users' programs in other languages. Never change or remove a line after the first release. */

import { schemaNames } from "../../../scripts/release/schemaBreaks";
import { languageOptions } from "../../../scripts/schema/languages";

const { name, types, resources, functions } = schemaNames();

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
  expect(name).toBe("dynamiclink");
});

test("while the address of the repository is a placeholder, so are the names that follow from it", () => {
  expect(languageOptions("git+https://git.example/pulumi-dynamiclink.git")).toMatchObject({
    go: { importBasePath: "example.com/pulumi-dynamiclink/sdk/go/dynamiclink" },
    java: { basePackage: "example.git" },
  });
});

test("resources, functions and types have the names that the SDKs of all languages derive theirs from", () => {
  const names = (table: object) => Object.keys(table).map((token) => token.replace("dynamiclink:index:", ""));
  expect(names(resources)).toEqual(["Project", "Application", "CustomDomain", "CustomDomainActivation"]);
  expect(names(functions)).toEqual(["getProject", "getApplication", "getCustomDomain", "getLink"]);
  expect(names(types)).toEqual([
    ...["AdditionalOptions", "AndroidAdvancedOptions", "AndroidApplicationInfo", "AndroidInfo"],
    ...["AndroidInfoCreate", "AndroidOptions", "AppType", "AppleAdvancedOptions", "AppleApplicationInfo"],
    ...["AppleInfo", "AppleInfoCreate", "AppleOptions", "LinkApplications", "LinkedApplication"],
    ...["LogoImage", "NotInstalledOptions", "OwnershipValidation", "SkinInfo"],
    ...["SslValidationRecord", "SslValidationRecords"],
  ]);
});
