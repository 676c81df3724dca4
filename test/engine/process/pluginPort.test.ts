/** The first line of a provider process, which is its port. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { startPlugin } from "../../../testing/engine/providers/providerProcess";
import { directoryWith } from "../../release/package/unpackedProgram";

/** The error of the first call to a plugin that announces itself with a line. */
async function failureWith(line: string): Promise<unknown> {
  using directory = directoryWith({
    plugin: `#!${process.execPath}\nconsole.log(${JSON.stringify(line)}); setInterval(() => {}, 1000);`,
  });
  chmodSync(join(directory.path, "plugin"), 0o755);
  const plugin = startPlugin(join(directory.path, "plugin"), {
    directory: directory.path,
    environment: process.env,
    project: "shop",
    engineAddress: "127.0.0.1:1",
    log: () => {},
    onLine: () => {},
    trace: () => {},
  });
  try {
    return await plugin
      .check({ urn: "urn:pulumi:test::shop::pulumi:providers:odd::default", olds: {}, news: {} })
      .catch((error: unknown) => error);
  } finally {
    plugin.kill();
    await plugin.exited;
  }
}

test.each(["\u001b[33m1234\u001b[39m", "port 1234", "", "0", "65536"])(
  "a first line that is not a port, such as %j, is an error, as on a CLI",
  async (line) => {
    expect(await failureWith(line)).toEqual(
      new Error(
        `The provider process wrote an invalid port to its standard output: ${JSON.stringify(line)}.`,
      ),
    );
  },
);
