/** The version in package.json is the only one: everything else that has a version agrees with it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { version } from "../../package.json";
import { version as lockedVersion, packages } from "../../package-lock.json";
import { documents, ROOT } from "../docs/codeBlocks";
import { startPluginProcess } from "../support/providers/pluginProcess";

test("the command, the plugin, the schema and the lock file have the version of package.json", async () => {
  const command = execFileSync(process.execPath, [join(ROOT, "dist/cli/index.js"), "--version"], {
    encoding: "utf8",
  });
  const plugin = await startPluginProcess(join(ROOT, "plugin", "pulumi-resource-dynamiclink"), ROOT);
  const info = await plugin.ask(methods.getPluginInfo, new Empty());
  plugin.kill("SIGTERM");
  await plugin.ended;
  const schema = JSON.parse(readFileSync(join(ROOT, "dist/provider/hosts/plugin/schema.json"), "utf8"));
  expect({
    command: command.trim(),
    plugin: info.getVersion(),
    schema: schema.version,
    lock: [lockedVersion, packages[""].version],
  }).toEqual({ command: version, plugin: version, schema: version, lock: [version, version] });
});

test("the documents install the version of package.json", () => {
  // The changelog has the commands of earlier versions as well.
  const guides = documents.filter((document) => document !== "CHANGELOG.md");
  const installed = guides.flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/dynamiclink(?:@|-v| )(\d+\.\d+\.\d+)/g)].map(
      ([, found]) => ({ document, found }),
    ),
  );
  expect(installed.length).toBeGreaterThan(2);
  expect(installed.filter(({ found }) => found !== version)).toEqual([]);
});
