/** An override of a dependency with a version that does not work: every entry point says which version is needed. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type MethodDefinition, status } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { dependencies } from "../../../package.json";
import { startPluginProcess } from "../../support/providers/pluginProcess";
import { directoryWith, ROOT } from "./unpackedProgram";

/** The old versions, as far as they are used before they fail. */
const overridden = directoryWith({
  "zod/package.json": '{ "name": "zod", "version": "3.25.76" }',
  "zod/index.js": "exports.z = { object() {}, string() {} };",
  "undici/package.json": '{ "name": "undici", "version": "6.21.0" }',
  // It requires a handler in an older form.
  "undici/index.js": `exports.Pool = class {
    dispatch(options, handler) {
      if (handler.onError === undefined) throw new TypeError("invalid onError method");
    }
  };`,
  "preload.cjs": `
    const Module = require("node:module");
    const { join } = require("node:path");
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...rest) {
      const [, file = "/index.js"] = new RegExp("^" + process.env.OVERRIDDEN + "(/package.json)?$").exec(request) ?? [];
      return request.startsWith(process.env.OVERRIDDEN) ? join(__dirname, process.env.OVERRIDDEN, file) : resolve.call(this, request, ...rest);
    };`,
});
afterAll(() => overridden.remove());

function run(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--require", join(overridden.path, "preload.cjs"), ...args],
    { cwd: ROOT, encoding: "utf8", env: { ...process.env, OVERRIDDEN: name } },
  );
  return { status, stdout, stderr };
}

function messageFor(name: "zod" | "undici", version: string): string {
  return `pulumi-dynamiclink needs ${name} ${dependencies[name]}, but ${name} ${version} is installed. Remove ${name} from the overrides or resolutions in package.json, and install again.`;
}

const ZOD = messageFor("zod", "3.25.76");

test.each(["pulumi-dynamiclink/provider", "pulumi-dynamiclink/client"])(
  "%s names the version of zod, for Pulumi to print without a stack",
  (entry) => {
    const print = `try { require("${entry}") } catch (error) { console.log(error.message, error.__pulumiRunError, error.stack === error.message) }`;
    expect(run("zod", "-e", print)).toEqual({ status: 0, stdout: `${ZOD} true true\n`, stderr: "" });
  },
);

test("the command names the version of zod", () => {
  const stderr = `error: ${ZOD}\n`;
  expect(run("zod", "dist/cli/index.js", "whoami")).toEqual({ status: 1, stdout: "", stderr });
});

// Pulumi reports a plugin that ends before it listens as a bug of the provider.
test("the plugin starts, and names the version of zod when it is configured", async () => {
  const NODE_OPTIONS = `--require ${join(overridden.path, "preload.cjs")}`;
  const plugin = await startPluginProcess(join(ROOT, "plugin", "pulumi-resource-dynamiclink"), ROOT, {
    NODE_OPTIONS,
    OVERRIDDEN: "zod",
  });
  try {
    const { version } = (await plugin.ask(methods.getPluginInfo, new Empty())).toObject();
    expect(version).toBe("");
    for (const [method, request] of [
      [methods.checkConfig, new messages.CheckRequest()],
      [methods.configure, new messages.ConfigureRequest()],
      [methods.getSchema, new messages.GetSchemaRequest()],
      [methods.getMapping, new messages.GetMappingRequest()],
    ] as const)
      await expect(plugin.ask(method as MethodDefinition<unknown, unknown>, request)).rejects.toMatchObject({
        code: status.FAILED_PRECONDITION,
        details: ZOD,
      });
  } finally {
    plugin.kill("SIGTERM");
  }
  expect(await plugin.ended).toMatchObject({ code: 0, stderr: "" });
});

test("a request names the version of undici", () => {
  const request = `
    const { createClient } = require("pulumi-dynamiclink/client");
    createClient({ apiKey: "a-key-of-this-test", apiUrl: "http://127.0.0.1:1" })
      .getCurrentApiCredential()
      .catch((error) => console.log(error.name, error.message));`;
  const stdout = `UserError ${messageFor("undici", "6.21.0")}\n`;
  expect(run("undici", "-e", request)).toEqual({ status: 0, stdout, stderr: "" });
});
