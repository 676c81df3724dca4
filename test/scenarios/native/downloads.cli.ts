/**
 * The plugin as Pulumi downloads it: from an address in the program's packages, in the SDK, or in the schema. A server on this
 * machine has the archives of a release, as a repository serves them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import packageJson from "../../../package.json";
import { pluginDownloadUrl } from "../../../provider/hosts/pluginDownload";
import { packTarball, unpackInto } from "../../release/package/unpackedProgram";
import { startStubServer } from "../../support/servers/stubServer";
import { writesIn } from "../../support/stacks/scenarios";
import { initialized, type NativeStack, packedPlugin, type Setup, testIn, yamlProgramIn } from "./support";

const { version } = packageJson;

/** The archive for this machine, which has other names for some platforms than Pulumi. */
const PLATFORM = `${process.platform}-${process.arch}`.replace("win32", "windows").replace("x64", "amd64");
const ARCHIVE = `pulumi-resource-dynamiclink-v${version}-${PLATFORM}.tar.gz`;

interface Releases {
  readonly repository: string;
  readonly downloadUrl: string;
  /** The names of the files that were requested since the last call of this function. */
  requested(): string[];
}

function testWithReleases(
  host: string,
  name: string,
  body: (stack: NativeStack, releases: Releases) => Promise<void>,
  setup: Pick<Setup, "example"> = {},
): void {
  async function withReleases(stack: NativeStack): Promise<void> {
    const server = await startStubServer();
    try {
      const repository = `git+${server.url}/links/pulumi-dynamiclink.git`;
      const downloadUrl = pluginDownloadUrl(repository) ?? "";
      const archives = await packedPlugin(stack.directory, "--download-url", downloadUrl);
      const files = new Map(archives.map((file) => [basename(file), readFileSync(file)]));
      server.answer((response, { url }) => {
        const path = `/links/pulumi-dynamiclink/releases/download/v${version}/`;
        const file = url.startsWith(path) ? files.get(url.slice(path.length)) : undefined;
        if (file === undefined) return response.writeHead(404).end();
        // Pulumi refuses an archive that comes in chunks.
        response.writeHead(200, { "content-length": file.byteLength }).end(file);
      });
      await body(stack, {
        repository,
        downloadUrl,
        requested: () => server.requests.splice(0).map(({ url }) => basename(url)),
      });
    } finally {
      await server.close();
    }
  }
  testIn([host], name, withReleases, setup);
}

/** Runs the quickstart, from the first preview to destroy. */
async function quickstart(stack: NativeStack): Promise<void> {
  const { pulumi, service } = stack;
  await initialized(stack);
  await pulumi("preview");
  await pulumi("up", "--yes", "--skip-preview");
  const { projects, applications, customDomains } = service.state;
  expect(applications.map(({ appType }) => appType).sort()).toEqual(["ANDROID", "IOS", "WEB"]);
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toEqual({
    projectId: projects[0]?.id,
    subDomain: projects[0]?.subDomain,
    cnameTarget: customDomains[0]?.cnameTarget,
  });
  service.clearRequests();
  await pulumi("preview", "--expect-no-changes");
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  expect(writesIn(service)).toEqual([]);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(service.state).toMatchObject({ projects: [], applications: [], customDomains: [] });
}

testWithReleases(
  "nodejs",
  "a TypeScript program needs no plugins in Pulumi.yaml: Pulumi downloads the plugin of the package's version",
  async (stack, { repository, requested }) => {
    const { directory } = stack;
    const file = join(directory, "index.ts");
    const program = readFileSync(file, "utf8");
    writeFileSync(file, program.replace('from "pulumi-dynamiclink"', 'from "pulumi-dynamiclink/native"'));
    stack.write({ runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts" }, {});
    const tarball = packTarball();
    unpackInto(directory, tarball);
    tarball.remove();
    writeFileSync(
      join(directory, "node_modules", "pulumi-dynamiclink", "package.json"),
      JSON.stringify({ ...packageJson, repository: { type: "git", url: repository } }),
    );
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
  },
  { example: "quickstart" },
);

testWithReleases(
  "yaml",
  "a program in YAML needs no npm package: Pulumi downloads the plugin to generate the SDK, and later to run it",
  async (stack, { downloadUrl, requested }) => {
    const { pulumi } = stack;
    const { plugins: _plugins, ...program } = yamlProgramIn(stack.directory);
    stack.write(program, {});
    await pulumi("package", "add", `dynamiclink@${version}`, "--server", downloadUrl);
    expect(requested()).toEqual([ARCHIVE]);
    // As on another machine.
    await pulumi("plugin", "rm", "resource", "dynamiclink", "--yes");
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
  },
  { example: "quickstart-yaml" },
);
