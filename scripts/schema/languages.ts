/**
 * The names of the SDKs that Pulumi generates from the schema. They are in the programs of users, so they never change
 * after the first release.
 */
import { isPlaceholder, repositoryOnWeb } from "../../provider/hosts/pluginDownload";

/** The Go module that the SDK has while the address of the repository is a placeholder. */
export const PLACEHOLDER_MODULE = "example.com/pulumi-dynamiclink";

/** The options of the code generators. Generated TypeScript imports the classes that this package exports. */
export function languageOptions(repository: string) {
  // Neither Go nor Maven has ports.
  const { hostname, pathname } = repositoryOnWeb(repository) ?? { hostname: "example", pathname: "" };
  const module = isPlaceholder(repository) ? PLACEHOLDER_MODULE : `${hostname}${pathname}`;
  return {
    nodejs: { packageName: "pulumi-dynamiclink/native", respectSchemaVersion: true },
    python: { packageName: "pulumi_dynamiclink", respectSchemaVersion: true, pyproject: { enabled: true } },
    go: {
      importBasePath: `${module}/sdk/go/dynamiclink`,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
    // The prefix Pulumi of the default belongs to Pulumi, on NuGet as well.
    csharp: {
      rootNamespace: "Dynamiclink",
      namespaces: { dynamiclink: "Infrastructure" },
      packageReferences: { Pulumi: "3.*" },
      respectSchemaVersion: true,
    },
    java: { basePackage: mavenGroup(hostname, pathname), buildFiles: "none" },
  };
}

/** The Maven group of a repository, which its owners can prove to own. */
function mavenGroup(hostname: string, pathname: string): string {
  const [, owner = ""] = pathname.split("/");
  const parts = hostname === "github.com" ? ["io", "github", owner] : hostname.split(".").reverse();
  return parts.join(".").toLowerCase().replaceAll("-", "");
}
