/** Runs programs in any language that use the plugin, on a real CLI with its own backend, plugins and directories. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, stringify } from "yaml";
import { version } from "../../../package.json";
import { pluginDownloadUrl } from "../../../provider/hosts/pluginDownload";
import { type Behaviour, type Emulator, type Seed, startEmulator } from "../../../testing/emulator";
import { directoryWith, linkPackages, nodePackages, packPlugin, ROOT } from "../../release/package/programs";
import { type ExecuteOptions, start } from "../../support/processes/execute";
import { backendIn, notRun, pulumiCli, runPulumi, testOnCli } from "../../support/processes/pulumiCli";
import { until } from "../../support/processes/until";
import { startStubServer } from "../../support/servers/stubServer";
import { KEY, seedWith } from "../../support/values/organizations";

export const PLUGIN = join(ROOT, "plugin");

const OFFLINE =
  /dial tcp|no such host|Failed to establish a new connection|Name or service not known|Temporary failure in name resolution|NewConnectionError|UnknownHostException|Could not transfer artifact/;

export type YamlProgram = Readonly<Record<string, unknown>>;

export interface NativeStack {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly service: Emulator;
  /** Runs a command without interaction. Resolves with its standard output. @throws Error with everything it printed */
  pulumi(...args: string[]): Promise<string>;
  startUp(): RunningCommand;
  /** Writes the program. By default, it uses the plugin in its folder. */
  write(program: YamlProgram, plugins?: object): void;
}

export interface RunningCommand {
  /** Presses Ctrl-C, which signals all processes of the terminal, including the plugin. */
  interrupt(): void;
  hasPrinted(text: string): Promise<void>;
  /** Resolves with the exit code and everything that was printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
}

export interface Setup {
  readonly seed?: Seed;
  readonly behaviour?: Partial<Behaviour>;
  /** A directory of `examples/` to copy. */
  readonly example?: string;
  readonly programs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Registers a test that needs the CLI and these language hosts. Without one of them it says so and tests nothing. */
export function testIn(
  hosts: readonly string[],
  name: string,
  body: (stack: NativeStack) => Promise<void>,
  setup: Setup = {},
): void {
  testOnCli(name, async () => {
    try {
      await onCli(setup, body);
    } catch (error) {
      if (!OFFLINE.test(String(error))) throw error;
      notRun(name, "a package registry cannot be reached");
    }
  }, [...hosts.map((language) => `pulumi-language-${language}`), ...(setup.programs ?? [])]);
}

async function onCli(
  { seed = seedWith(), behaviour = {}, example, environment: variables = {} }: Setup,
  body: (stack: NativeStack) => Promise<void>,
): Promise<void> {
  const cli = pulumiCli();
  // Go keeps its read-only cache elsewhere, so everything here can be removed.
  using root = directoryWith({});
  const directory = join(root.path, "program");
  const backend = join(root.path, "backend");
  for (const path of [directory, backend]) mkdirSync(path);
  if (example !== undefined) cpSync(join(ROOT, "examples", example), directory, { recursive: true });
  await using service = await startEmulator({ seed, behaviour });
  const environment = {
    ...cli.environment,
    ...backendIn(backend),
    // Hides the plugins that are installed on this machine.
    PULUMI_HOME: join(root.path, "home"),
    DYNAMICLINK_API_KEY: KEY,
    DYNAMICLINK_READ_ONLY: undefined,
    ...variables,
  };
  await body({
    directory,
    environment,
    service,
    pulumi: (...args) => runPulumi(cli, args, { directory, environment }),
    startUp: () => startedUp(cli.command, { directory, environment }),
    write(program, plugins = { providers: [{ name: "dynamiclink", path: PLUGIN }] }) {
      const whole = { name: "shop", runtime: "yaml", ...program, plugins };
      writeFileSync(join(directory, "Pulumi.yaml"), stringify(whole));
    },
  });
  expect(service.violations).toEqual([]);
}

function startedUp(command: string, options: ExecuteOptions): RunningCommand {
  const args = ["up", "--yes", "--skip-preview", "--non-interactive"];
  // As in a terminal.
  const { child, printed, ended } = start(command, args, { ...options, ownGroup: true });
  return {
    interrupt() {
      if (child.pid === undefined) throw new Error("The CLI is not running.");
      process.kill(-child.pid, "SIGINT");
    },
    async hasPrinted(text) {
      await until(
        () => printed.stdout.includes(text) || printed.stderr.includes(text),
        () => `The CLI has not printed ${text}.`,
      );
    },
    ended: ended.then(({ code, stdout, stderr }) => ({ code, printed: stdout + stderr })),
  };
}

export function writeNodeProgram({ directory, write }: NativeStack, main: string, text: string): void {
  if (!existsSync(join(directory, "node_modules"))) linkPackages(directory);
  write({ runtime: { name: "nodejs", options: { typescript: false } }, main });
  writeFileSync(join(directory, main), text);
}

export async function initialized({ pulumi, service }: NativeStack): Promise<void> {
  await pulumi("stack", "init", "test");
  await pulumi("config", "set", "dynamiclink:apiUrl", service.url);
}

export async function requested({ service }: NativeStack, operation: string): Promise<void> {
  await until(
    () => service.requests.some(({ operationId }) => operationId === operation),
    () => `The service has not received ${operation}.`,
  );
}

/** A server on this machine with the archives of a release, as a repository serves them. */
export interface Releases extends AsyncDisposable {
  readonly repository: string;
  readonly downloadUrl: string;
  /** The names of the files that were requested since the last call of this function. */
  requested(): string[];
}

/** Packs the plugin and serves its archives. By default, they start the Node.js of this process, as packing a real one takes long. */
export async function startReleases({ directory }: NativeStack, realNode = false): Promise<Releases> {
  const server = await startStubServer();
  const repository = `git+${server.url}/links/pulumi-dynamiclink.git`;
  const downloadUrl = pluginDownloadUrl(repository, version) ?? "";
  using packages = nodePackages();
  const node = realNode ? [] : ["--node-binaries", packages.path];
  const out = join(directory, "..", "archives");
  const archives = await packPlugin(out, "--download-url", downloadUrl, ...node);
  const files = new Map(archives.map((file) => [basename(file), readFileSync(file)]));
  server.answer((response, { url }) => {
    const path = `/links/pulumi-dynamiclink/releases/download/v${version}/`;
    const file = url.startsWith(path) ? files.get(url.slice(path.length)) : undefined;
    if (file === undefined) return response.writeHead(404).end();
    // Pulumi refuses an archive that comes in chunks.
    response.writeHead(200, { "content-length": file.byteLength }).end(file);
  });
  return {
    repository,
    downloadUrl,
    requested: () => server.requests.splice(0).map(({ url }) => basename(url)),
    [Symbol.asyncDispose]: server.close,
  };
}

export async function installPlugin(stack: NativeStack): Promise<void> {
  await using releases = await startReleases(stack);
  const install = ["plugin", "install", "resource", "dynamiclink", version];
  await stack.pulumi(...install, "--server", releases.downloadUrl);
}

export async function exported({ pulumi }: NativeStack): Promise<{
  readonly resources: readonly { readonly type: string }[];
  readonly pending_operations?: readonly { readonly resource: { readonly type: string } }[];
}> {
  return JSON.parse(await pulumi("stack", "export")).deployment;
}

export function yamlProgramIn(directory: string): YamlProgram {
  return parse(readFileSync(join(directory, "Pulumi.yaml"), "utf8"));
}

export function commandsUnder(heading: string, page: string): string {
  const [, section = ""] = readFileSync(join(ROOT, "docs", page), "utf8").split(`\n${heading}\n`);
  return (/```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? "").trim();
}

/** Presses Ctrl-C during an `up` when the service has received an operation. Resolves with what was printed. */
export async function interruptedAt(stack: NativeStack, operation: string): Promise<string> {
  const running = stack.startUp();
  await requested(stack, operation);
  running.interrupt();
  const { code, printed } = await running.ended;
  expect(code).not.toBe(0);
  return printed;
}
