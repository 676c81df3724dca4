/** The archives of a release, served over HTTP on this machine as a repository serves them. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { version } from "../../../package.json";
import { pluginDownloadUrl } from "../../../provider/hosts/pluginDownload";
import { startStubServer } from "../../support/servers/stubServer";
import { type NativeStack, packedPlugin, type Setup, testIn } from "./support";

export interface Releases {
  readonly repository: string;
  readonly downloadUrl: string;
  /** The names of the files that were requested since the last call of this function. */
  requested(): string[];
}

/** The archive for this machine, which has other names for some platforms than Pulumi. */
const PLATFORM = `${process.platform}-${process.arch}`.replace("win32", "windows").replace("x64", "amd64");
export const ARCHIVE = `pulumi-resource-dynamiclink-v${version}-${PLATFORM}.tar.gz`;

/** Registers a test for which the archives of a release are served over HTTP on this machine. */
export function testWithReleases(
  hosts: readonly string[],
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
  testIn(hosts, name, withReleases, setup);
}
