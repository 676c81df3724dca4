/** The plugin as Pulumi gets it: the folder in the package, and the archive that `plugin install` takes. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { MethodDefinition } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  ConfigureRequest,
  CreateRequest,
  GetMappingRequest,
  GetSchemaRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { list, type ReadEntry, x } from "tar";
import { version } from "../../../package.json";
import { startEmulator } from "../../../testing/emulator";
import { call } from "../../../testing/engine/protocol/grpc";
import { connect } from "../../../testing/engine/providers/providerClient";
import { start } from "../../support/processes/execute";
import { KEY, seedWith } from "../../support/values/organizations";
import { directoryWith, ON_WINDOWS, packPlugin, ROOT } from "./unpackedProgram";

const EXECUTABLE = "pulumi-resource-dynamiclink";
const FOLDER = join(ROOT, "plugin");
const MAX_ARCHIVE_KIBIBYTES = 800;
const PORT = /^[1-9]\d{3,4}\n$/;

/** Outside this checkout, where there is no node_modules. */
const { path: directory, remove } = directoryWith({});
afterAll(remove);

type PluginProcess = Awaited<ReturnType<typeof started>>;

const running: Pick<ReturnType<typeof start>, "child" | "ended">[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});

/** Starts the plugin of a folder as Pulumi does, with this Node.js on PATH. Resolves when it has printed a line. */
async function started(folder: string, environment: Readonly<Record<string, string>> = {}) {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const [command, args] = ON_WINDOWS
    ? // A batch file would need a shell, which would get the signals.
      [process.execPath, [join(folder, "start.js")]]
    : [join(folder, EXECUTABLE), []];
  const { child, printed, ended } = start(command, args, {
    directory,
    environment: { ...process.env, PATH, ...environment },
  });
  running.push({ child, ended });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const [line, ...rest] = printed.stdout.split("\n");
      if (line !== undefined && rest.length > 0) resolve(line);
    });
    void ended.then(({ stderr }) => reject(new Error(`The plugin ended before it listened:\n${stderr}`)));
  });
  const client = connect(port);
  void ended.then(() => client.close());
  return {
    ask: <Request, Response>(method: MethodDefinition<Request, Response>, request: Request) =>
      call(client, method, request),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    ended,
  };
}

/** The checksum of a file: Jest compares buffers byte by byte, which takes seconds. */
function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

async function introduction(plugin: PluginProcess) {
  const info = await plugin.ask(methods.getPluginInfo, new Empty());
  const response = await plugin.ask(methods.getSchema, new GetSchemaRequest());
  const schema = JSON.parse(response.getSchema()) as { version: string; resources: object };
  const request = new GetMappingRequest();
  request.setKey("terraform");
  const mapping = Buffer.from((await plugin.ask(methods.getMapping, request)).getData_asU8()).toString();
  return { version: info.getVersion(), schema, mapping };
}

describe("the archive", () => {
  let archive = "";
  let written: string[];
  beforeAll(async () => {
    written = await packPlugin(join(directory, "first"));
    [archive = ""] = written;
    await x({ file: archive, cwd: directory });
  });

  test("has the names under which Pulumi downloads it on each platform, with the schema and the checksums", () => {
    const names = ["darwin", "linux", "windows"]
      .flatMap((system) => [`${system}-amd64`, `${system}-arm64`])
      .map((platform) => `${EXECUTABLE}-v${version}-${platform}.tar.gz`);
    const files = [...names, "schema.json"];
    expect(written).toEqual([...files, "SHA256SUMS"].map((name) => join(directory, "first", name)));
    const sums = readFileSync(join(directory, "first", "SHA256SUMS"), "utf8");
    expect(sums).toBe(files.map((name, index) => `${sha256(written[index] ?? "")}  ${name}\n`).join(""));
    expect(written.slice(0, -2).map(sha256)).toEqual(names.map(() => sha256(archive)));
  });

  test("contains the executable with its scripts, schema and mapping, and nothing that makes Pulumi run npm", () => {
    const entries: Record<string, number | undefined> = {};
    const onReadEntry = ({ path, mode }: ReadEntry) => Object.assign(entries, { [path]: mode });
    list({ file: archive, sync: true, onReadEntry });
    expect(entries).toEqual({
      LICENSE: 0o644,
      "LICENSES-OF-DEPENDENCIES": 0o644,
      "dynamiclink.json": 0o644,
      "main.js": 0o644,
      "package.json": 0o644,
      [EXECUTABLE]: 0o755,
      [`${EXECUTABLE}.cmd`]: 0o755,
      "schema.json": 0o644,
      "start.js": 0o644,
    });
    const packed = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    expect(packed).not.toHaveProperty("dependencies");
  });

  test("contains the licence of each package in the script", () => {
    const licences = readFileSync(join(directory, "LICENSES-OF-DEPENDENCIES"), "utf8");
    const packages = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+: (.+)$/gm)].map(([, name]) => name);
    const some = ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"];
    expect(packages).toEqual(expect.arrayContaining(some));
    expect(licences.match(/^-{80}$/gm)).toHaveLength(packages.length - 1);
  });

  test("is small", () => {
    const kibibytes = readFileSync(archive).byteLength / 1024;
    expect(kibibytes).toBeGreaterThan(100);
    expect(kibibytes).toBeLessThanOrEqual(MAX_ARCHIVE_KIBIBYTES);
  });

  test("says on an old Node.js which version it needs", () => {
    const versions = '{ value: { ...process.versions, node: "20.20.2" } }';
    const old = `Object.defineProperty(process, "versions", ${versions}); require("./start.js");`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", old], { cwd: directory, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: pulumi-dynamiclink needs Node\.js 22\.19 or newer; this is .*\n$/);
  });

  test("starts where there are no packages, and answers with the schema and the mapping of the build", async () => {
    const plugin = await started(directory);
    const [schema = "", mapping] = ["plugin/schema", "terraform/dynamiclink"].map((path) =>
      readFileSync(join(ROOT, `dist/provider/hosts/${path}.json`), "utf8"),
    );
    expect(await introduction(plugin)).toEqual({ version, schema: JSON.parse(schema), mapping });
    await endsAfter(plugin, () => plugin.kill("SIGTERM"));
  });
});

describe("the folder", () => {
  const cancel = async (plugin: PluginProcess) => void (await plugin.ask(methods.cancel, new Empty()));

  test.each<[string, Record<string, string>, (plugin: PluginProcess) => void | Promise<void>]>([
    ["SIGINT", {}, (plugin) => plugin.kill("SIGINT")],
    ["SIGTERM", {}, (plugin) => plugin.kill("SIGTERM")],
    ["Cancel, without colors even if they are forced", { FORCE_COLOR: "1" }, cancel],
    // Both are on their way before the plugin ends.
    ["Cancel twice", {}, async (plugin) => void (await Promise.all([cancel(plugin), cancel(plugin)]))],
  ])("starts a plugin that prints the port alone, and ends after %s", async (_, environment, end) => {
    const plugin = await started(FOLDER, environment);
    expect(await introduction(plugin)).toMatchObject({ version, schema: { version } });
    await endsAfter(plugin, () => end(plugin));
  });

  // The other executable is that of Windows, which has no signals: there they kill the process.
  const testOnUnix = ON_WINDOWS ? test.skip : test;

  testOnUnix("prints the port alone, even if a module that NODE_OPTIONS loads prints", async () => {
    using preload = directoryWith({ "prints.cjs": 'console.log("instrumented");' });
    const plugin = await started(FOLDER, { NODE_OPTIONS: `--require=${join(preload.path, "prints.cjs")}` });
    await endsAfter(plugin, () => cancel(plugin), "instrumented\n");
  });

  testOnUnix("answers a create in progress before it ends, however often it is told to end", async () => {
    await using service = await startEmulator({ seed: seedWith() });
    const plugin = await started(FOLDER, { DYNAMICLINK_API_KEY: KEY });
    function match(): boolean {
      for (const signal of ["SIGTERM", "SIGINT", "SIGTERM"] as const) plugin.kill(signal);
      return true;
    }
    // It responds after the plugin has received the signals.
    service.inject({ operation: "createProject", match, effect: { delayMs: 500 } });
    const configure = new ConfigureRequest();
    configure.setArgs(Struct.fromJavaScript({ apiUrl: service.url }));
    await plugin.ask(methods.configure, configure);
    const request = new CreateRequest();
    request.setUrn("urn:pulumi:dev::shop::dynamiclink:index:Project::it");
    request.setProperties(Struct.fromJavaScript({ name: "Shop" }));
    const id = (await plugin.ask(methods.create, request)).getId();
    expect(service.state.projects.map((project) => project.id)).toEqual([id]);
    await endsAfter(plugin, () => {});
  });
});

/** Asks a plugin to end, and waits until it has. It has printed its port, and nothing else. */
async function endsAfter(plugin: PluginProcess, end: () => void | Promise<void>, stderr = ""): Promise<void> {
  await end();
  const { code, ...printed } = await plugin.ended;
  expect(printed).toEqual({ stdout: expect.stringMatching(PORT), stderr });
  // Windows has no signals: there the process is killed.
  if (!ON_WINDOWS) expect(code).toBe(0);
}
