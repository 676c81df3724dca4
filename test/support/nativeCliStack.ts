/** A stack on a real CLI that may use both hosts: its program imports the classes of either, and the project names the plugin. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compileCache } from "../../testing/engine/compileCache";
import { backendIn, type PulumiCli, runPulumi } from "./pulumiCli";

/** The modules that export the classes. */
export type Module = "pulumi-dynamiclink" | "pulumi-dynamiclink/native";

/** What a command did: how many resources met with what. */
export type Changes = Readonly<Record<string, number>>;

/** A resource in the state. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
}

/** The stack. A command that fails rejects with an Error that holds all that was printed. */
export interface NativeCliStack {
  readonly directory: string;
  /** Sets the program: TypeScript without its imports. */
  program(module: Module, source: string): void;
  /** Runs a command. Resolves with its standard output. */
  pulumi(...args: string[]): Promise<string>;
  preview(...args: string[]): Promise<Changes>;
  up(...args: string[]): Promise<Changes>;
  refresh(): Promise<Changes>;
  destroy(): Promise<Changes>;
  /** All resources in the state but the stack's own. */
  resources(): StoredResource[];
  close(): void;
}

/** Creates a stack, with its program and its state in a directory of its own. */
export async function nativeCliStack(
  cli: PulumiCli,
  { config, environment }: Readonly<Record<"config" | "environment", Readonly<Record<string, string>>>>,
): Promise<NativeCliStack> {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-native-"));
  const state = join(directory, "state");
  const write = (name: string, value: unknown) =>
    writeFileSync(join(directory, name), typeof value === "string" ? value : JSON.stringify(value));
  mkdirSync(state);
  symlinkSync(resolve(__dirname, "..", "..", "node_modules"), join(directory, "node_modules"));
  write("package.json", { name: "moving", type: "module", main: "index.ts" });
  write("Pulumi.yaml", {
    name: "moving",
    runtime: { name: "nodejs", options: { typescript: false } },
    plugins: { providers: [{ name: "dynamiclink", path: "./node_modules/pulumi-dynamiclink/plugin" }] },
  });

  const pulumi = (...args: string[]) =>
    runPulumi(cli, args, {
      directory,
      environment: { ...cli.environment, ...backendIn(state), ...compileCache(), ...environment },
    });
  /** The newest file of the backend: faster than asking the CLI. */
  const stored = (...path: string[]) => JSON.parse(readFileSync(join(state, ".pulumi", ...path), "utf8"));

  async function change(...args: string[]): Promise<Changes> {
    await pulumi(...args, "--yes", "--skip-preview");
    const history = readdirSync(join(state, ".pulumi", "history", "moving", "test"));
    const last = history.filter((name) => name.endsWith(".history.json")).sort();
    return stored("history", "moving", "test", last.at(-1) ?? "").resourceChanges ?? {};
  }

  await pulumi("stack", "init", "test");
  for (const [key, value] of Object.entries(config)) await pulumi("config", "set", key, value);
  return {
    directory,
    pulumi,
    program: (module, source) =>
      write(
        "index.ts",
        `import * as pulumi from "@pulumi/pulumi";\nimport * as dynamiclink from "${module}";\n${source}`,
      ),
    preview: async (...args) => JSON.parse(await pulumi("preview", "--json", ...args)).changeSummary ?? {},
    up: (...args) => change("up", ...args),
    refresh: () => change("refresh"),
    destroy: () => change("destroy"),
    resources: () => {
      const { resources = [] } = stored("stacks", "moving", "test.json").checkpoint.latest ?? {};
      return (resources as StoredResource[]).filter(({ type }) => type !== "pulumi:pulumi:Stack");
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}
