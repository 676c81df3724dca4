/** The address of the plugin's archives, in the schema and in the options of the native classes. */
import packageJson from "../../../package.json";
import { isPlaceholder, pluginDownloadUrl } from "../../../provider/hosts/pluginDownload";
import { builtSchema } from "../../../scripts/release/builtSchema";

test.each([
  ["git+https://github.com/links/dynamiclink.git", "github://api.github.com/links/dynamiclink"],
  ["https://git.real.test/a/b.git", "https://git.real.test/a/b/releases/download/v1.2.3"],
  ["git+http://127.0.0.1:8080/b", "http://127.0.0.1:8080/b/releases/download/v1.2.3"],
  ["https://example.test/b", "https://example.test/b/releases/download/v1.2.3"],
  ["git+https://git.example/b.git", undefined],
  ["https://git.example:8443/b.git", undefined],
  ["git+ssh://git@git.real.test/b.git", undefined],
  ["github:links/dynamiclink", undefined],
  ["https://git.real.test", undefined],
])("the releases of %s are at %s", (repository, expected) => {
  expect(pluginDownloadUrl(repository, "1.2.3")).toBe(expected);
});

test("the schema has the address of the releases, unless the repository's is a placeholder", () => {
  const released = pluginDownloadUrl(packageJson.repository.url, packageJson.version);
  expect(released === undefined).toBe(isPlaceholder(packageJson.repository.url));
  const schema = builtSchema();
  expect(schema.pluginDownloadURL).toBe(released);
  expect("pluginDownloadURL" in schema).toBe(released !== undefined);
  expect(builtSchema("https://mirror.test").pluginDownloadURL).toBe("https://mirror.test");
});

describe("the options of the native classes", () => {
  function optionsFor(url: string): unknown {
    let options: unknown;
    jest.isolateModules(() => {
      jest.doMock("pulumi-dynamiclink/package.json", () => ({ repository: { url }, version: "1.2.3" }));
      options = require("../../../sdk/native/releasedPlugin").RELEASED_PLUGIN;
    });
    return options;
  }

  test("have the version and the address of a release", () => {
    expect(optionsFor("https://git.real.test/b.git")).toEqual({
      version: "1.2.3",
      pluginDownloadURL: "https://git.real.test/b/releases/download/v1.2.3",
    });
  });

  test("are empty for a placeholder, so that Pulumi uses the plugin of the project file, whatever its version", () => {
    expect(optionsFor("https://git.example/b.git")).toEqual({});
  });
});
