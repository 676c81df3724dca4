/** The plugin as Pulumi gets it: the folder in the package, and the archive that `plugin install` takes. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
import { version as nodeVersion } from "node/package.json";
import { create, list, type ReadEntry, x } from "tar";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { startEmulator } from "../../../testing/emulator";
import { call } from "../../../testing/engine/protocol/grpc";
import { connect } from "../../../testing/engine/providers/providerClient";
import { start } from "../../support/processes/execute";
import { KEY, seedWith } from "../../support/values/organizations";
import { directoryWith, NODE_NAMES, nodePackages, ON_WINDOWS, PLATFORM, packPlugin, ROOT } from "./programs";

const EXECUTABLE = "pulumi-resource-dynamiclink";
const FOLDER = join(ROOT, "plugin");
/** Without Node.js. */
const MAX_ARCHIVE_KIBIBYTES = 1_600;
// The other executable is that of Windows, which has no signals: there they kill the process.
const testOnUnix = ON_WINDOWS ? test.skip : test;
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

/** The files of Node's download site, with contents that show where they come from. */
async function downloads(): Promise<ReturnType<typeof directoryWith>> {
  const directory = directoryWith({});
  const lines: string[] = [];
  for (const name of Object.values(NODE_NAMES)) {
    const root = `node-v${nodeVersion}-${name}`;
    const file = name.startsWith("win") ? `${name}/node.exe` : `${root}.tar.gz`;
    const path = join(directory.path, file);
    using unpacked = directoryWith({
      [`${root}/LICENSE`]: "MIT",
      [`${root}/bin/node`]: name,
      [`${root}/x`]: "",
    });
    mkdirSync(dirname(path), { recursive: true });
    if (name.startsWith("win")) writeFileSync(path, name);
    else await create({ cwd: unpacked.path, file: path, gzip: true }, [root]);
    lines.push(`${sha256(path)}  ${file}\n`);
  }
  writeFileSync(join(directory.path, "SHASUMS256.txt"), lines.join(""));
  return directory;
}

/** The name under which Pulumi downloads the archive of a platform. */
function named(platform: string): string {
  return `${EXECUTABLE}-v${version}-${platform}.tar.gz`;
}

describe("the archives", () => {
  test("contain the downloaded Node.js of each platform, and templates with the address", async () => {
    using directory = await downloads();
    const pluginDownloadURL = "https://mirror.example";
    const options = ["--node-binaries", directory.path, "--download-url", pluginDownloadURL];
    const written = await packPlugin(join(directory.path, "out"), ...options);
    const files = [...Object.keys(NODE_NAMES).map(named), "schema.json"];
    expect(written).toEqual([...files, "SHA256SUMS"].map((name) => join(directory.path, "out", name)));
    const sums = readFileSync(written.at(-1) ?? "", "utf8");
    expect(sums).toBe(files.map((name, index) => `${sha256(written[index] ?? "")}  ${name}\n`).join(""));
    for (const [index, name] of Object.values(NODE_NAMES).entries()) {
      const cwd = join(directory.path, name);
      mkdirSync(cwd, { recursive: true });
      await x({ file: written[index] ?? "", cwd });
      const [node, other] = name.startsWith("win") ? ["node.exe", "node"] : ["node", "node.exe"];
      expect(readFileSync(join(cwd, node), "utf8")).toBe(name);
      expect(existsSync(join(cwd, other))).toBe(false);
      expect(readFileSync(join(cwd, "LICENSE-OF-NODE"), "utf8")).toBe("MIT");
      const project = parse(readFileSync(join(cwd, "templates", "python", "Pulumi.yaml"), "utf8"));
      const dynamiclink = { source: "dynamiclink", version, pluginDownloadURL };
      expect(project.packages).toEqual({ dynamiclink });
    }
  });

  test("are not written if a downloaded Node.js is missing or changed, or a package has another version", async () => {
    using directory = await downloads();
    const pack = (path: string) => packPlugin(join(path, "out"), "--node-binaries", path);
    const archive = join(directory.path, `node-v${nodeVersion}-darwin-x64.tar.gz`);
    const changed = join(directory.path, "win-arm64", "node.exe");
    writeFileSync(changed, "changed");
    const wrong = `The checksum of ${changed} is not in SHASUMS256.txt.`;
    await expect(pack(directory.path)).rejects.toThrow(wrong);
    rmSync(archive);
    await expect(pack(directory.path)).rejects.toThrow(`${archive} is missing.`);
    expect(existsSync(join(directory.path, "out"))).toBe(false);
    using packages = nodePackages("24.0.0");
    const problem = `neither SHASUMS256.txt nor a package with Node.js ${nodeVersion}.`;
    await expect(pack(packages.path)).rejects.toThrow(problem);
  });
});

/** Copies what the site has, so that the step needs no network. The key list is not there. */
const STUBS = {
  curl: `#!/bin/sh\nfile=$4\nurl=$5\nmkdir -p "$(dirname "$file")"\ncp "$SITE/\${url#*/dist/v*/}" "$file" || touch "$file"\n`,
  gpgv: '#!/bin/sh\ncp "$5" "$4"\n',
};

testOnUnix("the release workflow downloads the Node.js that the archives need", async () => {
  const { build } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8")).jobs;
  const steps: string[] = build.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  using site = await downloads();
  renameSync(join(site.path, "SHASUMS256.txt"), join(site.path, "SHASUMS256.txt.asc"));
  using directory = directoryWith({
    ...STUBS,
    "node_modules/node/package.json": JSON.stringify({ version: nodeVersion }),
  });
  for (const name of Object.keys(STUBS)) chmodSync(join(directory.path, name), 0o755);
  const PATH = [directory.path, dirname(process.execPath), process.env.PATH].join(delimiter);
  const script = steps.find((step) => step.includes("curl")) ?? "";
  execFileSync("bash", ["-ec", script], { cwd: directory.path, env: { PATH, SITE: site.path } });
  const [, name = ""] = /plugin:pack.* --node-binaries (\S+)/.exec(steps.join("\n")) ?? [];
  const [out, binaries] = ["out", name].map((each) => join(directory.path, each)) as [string, string];
  const written = await packPlugin(out, "--node-binaries", binaries);
  expect(written).toHaveLength(Object.keys(NODE_NAMES).length + 2);
});

describe("the archive of this machine", () => {
  let archive = "";
  const executable = join(directory, EXECUTABLE);
  beforeAll(async () => {
    const files = [named(PLATFORM), "schema.json", "SHA256SUMS"];
    using packages = nodePackages();
    const pack = (name: string) => packPlugin(join(directory, name), "--node-binaries", packages.path);
    const [first, second] = [await pack("first"), await pack("second")];
    expect(first).toEqual(files.map((name) => join(directory, "first", name)));
    expect(first.map(sha256)).toEqual(second.map(sha256));
    [archive = ""] = first;
    await x({ file: archive, cwd: directory });
  });

  test("contains Node.js, scripts, schema, mapping and templates, and nothing that makes Pulumi run npm", () => {
    const entries: [path: string, mode: number | undefined][] = [];
    const onReadEntry = ({ path, mode }: ReadEntry) => void entries.push([path, mode]);
    list({ file: archive, sync: true, onReadEntry });
    const templates = ["go/main.go", "python/__main__.py", "yaml/Pulumi.yaml"];
    expect(entries).toEqual(expect.arrayContaining(templates.map((path) => [`templates/${path}`, 0o644])));
    expect(Object.fromEntries(entries.filter(([path]) => !path.startsWith("templates/")))).toEqual({
      LICENSE: 0o644,
      "LICENSE-OF-NODE": 0o644,
      "LICENSES-OF-DEPENDENCIES": 0o644,
      "cli.js": 0o644,
      "dynamiclink.json": 0o644,
      [ON_WINDOWS ? "node.exe" : "node"]: 0o755,
      "package.json": 0o644,
      [EXECUTABLE]: 0o755,
      [`${EXECUTABLE}.cmd`]: 0o755,
      "schema.json": 0o644,
      "start.js": 0o644,
    });
    const packed = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    expect(packed).not.toHaveProperty("dependencies");
  });

  test("contains the licence of each package in the scripts", () => {
    const licences = readFileSync(join(directory, "LICENSES-OF-DEPENDENCIES"), "utf8");
    const packages = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+: (.+)$/gm)].map(([, name]) => name);
    const some = ["@grpc/grpc-js", "@pulumi/pulumi", "ajv", "commander", "google-protobuf", "undici", "zod"];
    expect(packages).toEqual(expect.arrayContaining(some));
    expect(licences.match(/^-{80}$/gm)).toHaveLength(packages.length - 1);
  });

  test("is small without Node.js", () => {
    const kibibytes = readFileSync(archive).byteLength / 1024;
    expect(kibibytes).toBeGreaterThan(100);
    expect(kibibytes).toBeLessThanOrEqual(MAX_ARCHIVE_KIBIBYTES);
  });

  test("starts where there are no packages, and answers with the schema and the mapping of the build", async () => {
    const plugin = await started(directory);
    const [schema = "", mapping] = ["plugin/schema", "terraform/dynamiclink"].map((path) =>
      readFileSync(join(ROOT, `dist/provider/hosts/${path}.json`), "utf8"),
    );
    expect(await introduction(plugin)).toEqual({ version, schema: JSON.parse(schema), mapping });
    await endsAfter(plugin, () => plugin.kill("SIGTERM"));
  });

  testOnUnix("starts its own Node.js only, without the options of the shell", () => {
    using elsewhere = directoryWith({ node: "#!/bin/sh\necho the other one\nexit 3\n" });
    chmodSync(join(elsewhere.path, "node"), 0o755);
    const prints = "console.log(JSON.stringify([process.env, process.argv.slice(2)]))";
    writeFileSync(join(directory, "cli.js"), prints);
    const NODE_OPTIONS = "--no-such-option";
    const env = { PATH: elsewhere.path, NODE_OPTIONS, HTTPS_PROXY: "http://proxy.example" };
    const options = { cwd: "/", env, encoding: "utf8", stdio: "pipe" } as const;
    const run = () => execFileSync(executable, ["whoami", "--json"], options);
    const [variables, args] = JSON.parse(run());
    expect(variables).toMatchObject({ STARTED_BY: "archive", HTTPS_PROXY: env.HTTPS_PROXY });
    expect(variables).not.toHaveProperty("NODE_OPTIONS");
    expect(args).toEqual(["whoami", "--json"]);
    // Even one that cannot be started is not replaced by another one.
    chmodSync(join(directory, "node"), 0o644);
    expect(run).toThrow(/ermission denied/);
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
