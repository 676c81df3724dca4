/**
 * An old Node.js, none, or an override of a dependency with a version that does not work: every entry point says which
 * version is needed, before it needs it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type MethodDefinition, status } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import ts from "typescript";
import { bin, dependencies, engines, exports } from "../../../package.json";
import { OLDEST_NODE } from "../../../provider/nodeVersion";
import { startPluginProcess } from "../../support/providers/pluginProcess";
import { directoryWith, ROOT } from "./unpackedProgram";

const EXECUTABLE = "pulumi-resource-dynamiclink";

const preloads = directoryWith({
  // Pretends to be an old version and, at the end, prints what was loaded from files.
  "oldNode.cjs": `
    Object.defineProperty(process, "version", { value: "v20.20.2" });
    Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
    process.on("exit", () => console.log(JSON.stringify(Object.keys(require.cache))));
  `,
  // The old versions of dependencies, as far as they are used before they fail.
  "zod/package.json": '{ "name": "zod", "version": "3.25.76" }',
  "zod/index.js": "exports.z = { object() {}, string() {} };",
  "undici/package.json": '{ "name": "undici", "version": "6.21.0" }',
  // It requires a handler in an older form.
  "undici/index.js": `exports.Pool = class {
    dispatch(options, handler) {
      if (handler.onError === undefined) throw new TypeError("invalid onError method");
    }
  };`,
  "overridden.cjs": `
    const Module = require("node:module");
    const { join } = require("node:path");
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (request, ...rest) {
      const [, file = "/index.js"] = new RegExp("^" + process.env.OVERRIDDEN + "(/package.json)?$").exec(request) ?? [];
      return request.startsWith(process.env.OVERRIDDEN) ? join(__dirname, process.env.OVERRIDDEN, file) : resolve.call(this, request, ...rest);
    };`,
});
afterAll(() => preloads.remove());

function run(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: environment,
  });
  return { status, stdout, stderr };
}

describe("an old Node.js", () => {
  const MESSAGE = `pulumi-dynamiclink needs Node.js 22.19 or newer; this is v20.20.2 (${process.execPath}). Install a newer version, and put it first on PATH.`;
  const modules = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.default],
  );
  const executables = [bin["pulumi-dynamiclink"], "plugin/start.js"];

  function onOldNode(...args: string[]) {
    const preload = ["--require", join(preloads.path, "oldNode.cjs")];
    const { stdout, ...ended } = run(process.execPath, [...preload, ...args]);
    const loaded = (JSON.parse(stdout) as string[]).map((path) => basename(path));
    return { ...ended, loaded: loaded.filter((name) => name !== "oldNode.cjs") };
  }

  test("the version that the code and the plugin's executables need is the one in package.json", () => {
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
    for (const file of [EXECUTABLE, `${EXECUTABLE}.cmd`])
      expect(readFileSync(join(ROOT, "plugin", file), "utf8")).toContain(`Node.js ${OLDEST_NODE} or newer`);
  });

  test.each(modules)("%s says which Node.js it needs before it loads anything else", (entry) => {
    const print = `try { require("${entry}") } catch (error) { console.error(error.message, error.__pulumiRunError) }`;
    expect(onOldNode("-e", print)).toEqual({
      status: 0,
      stderr: `${MESSAGE} true\n`,
      // The entry point itself failed, so it is not in the cache.
      loaded: ["nodeVersion.js"],
    });
  });

  test.each(executables)(
    "%s says which Node.js it needs before it loads anything else, and exits",
    (entry) => {
      const { loaded, ...ended } = onOldNode(entry);
      expect(ended).toEqual({ status: 1, stderr: `error: ${MESSAGE}\n` });
      expect(loaded.filter((file) => !["index.js", "start.js"].includes(file))).toEqual([
        "requireNodeOrExit.js",
        "nodeVersion.js",
      ]);
    },
  );

  const first = ["nodeVersion", "requireNode", "requireNodeOrExit", "hosts/plugin/start"];
  test.each([...modules, ...executables, ...first.map((name) => `dist/provider/${name}.js`)])(
    "%s has no syntax that is newer than ES2015",
    (file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const [old, unchanged] = [ts.ScriptTarget.ES2015, ts.ScriptTarget.ESNext].map((target) =>
        ts.transpile(text, { target, module: ts.ModuleKind.CommonJS, removeComments: true }),
      );
      expect(old).toBe(unchanged);
    },
  );

  // Windows has no shell scripts.
  (process.platform === "win32" ? test.skip : test)(
    "the plugin's executable says that there is no Node.js on PATH",
    () => {
      expect(run("/bin/sh", [join(ROOT, "plugin", EXECUTABLE)], { PATH: preloads.path })).toEqual({
        status: 1,
        stdout: "",
        stderr:
          "error: pulumi-dynamiclink needs Node.js 22.19 or newer, and there is no node on PATH. Install it, or add its directory to PATH.\n",
      });
    },
  );
});

describe("an override", () => {
  const OVERRIDE = join(preloads.path, "overridden.cjs");

  function withOld(name: string, ...args: string[]) {
    const environment = { ...process.env, OVERRIDDEN: name };
    return run(process.execPath, ["--require", OVERRIDE, ...args], environment);
  }

  function messageFor(name: "zod" | "undici", version: string): string {
    return `pulumi-dynamiclink needs ${name} ${dependencies[name]}, but ${name} ${version} is installed. Remove ${name} from the overrides or resolutions in package.json, and install again.`;
  }

  const ZOD = messageFor("zod", "3.25.76");

  test.each(["pulumi-dynamiclink/provider", "pulumi-dynamiclink/client"])(
    "%s names the version of zod, for Pulumi to print without a stack",
    (entry) => {
      const print = `try { require("${entry}") } catch (error) { console.log(error.message, error.__pulumiRunError, error.stack === error.message) }`;
      expect(withOld("zod", "-e", print)).toEqual({ status: 0, stdout: `${ZOD} true true\n`, stderr: "" });
    },
  );

  test("the command names the version of zod", () => {
    const stderr = `error: ${ZOD}\n`;
    expect(withOld("zod", "dist/cli/index.js", "whoami")).toEqual({ status: 1, stdout: "", stderr });
  });

  // Pulumi reports a plugin that ends before it listens as a bug of the provider.
  test("the plugin starts, and names the version of zod when it is configured", async () => {
    const NODE_OPTIONS = `--require ${OVERRIDE}`;
    const plugin = await startPluginProcess(join(ROOT, "plugin", EXECUTABLE), ROOT, {
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
        await expect(plugin.ask(method as MethodDefinition<unknown, unknown>, request)).rejects.toMatchObject(
          {
            code: status.FAILED_PRECONDITION,
            details: ZOD,
          },
        );
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
    expect(withOld("undici", "-e", request)).toEqual({ status: 0, stdout, stderr: "" });
  });
});
