/** Finds a Pulumi CLI for the tests that compare with the real thing, and runs it. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type ExecuteOptions, execute } from "./execute";

/** A Pulumi CLI on this machine. */
export interface PulumiCli {
  /** The executable. */
  readonly command: string;
  /** The environment to run it in: its own directory is first in PATH, where its language plugins are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Set to 1, it allows the tests to download the CLI when none is there. */
const INSTALL_VARIABLE = "DYNAMICLINK_TEST_INSTALL_PULUMI";

const EXECUTABLE = process.platform === "win32" ? "pulumi.exe" : "pulumi";

/** Directories of executables, in the order in which they are searched. */
function directories(): string[] {
  const { PATH = "", PULUMI_HOME } = process.env;
  const versions = join(homedir(), ".pulumi", "versions");
  const installed = existsSync(versions) ? readdirSync(versions).sort(byVersion).reverse() : [];
  return [
    ...PATH.split(delimiter).filter((directory) => directory !== ""),
    ...(PULUMI_HOME ? [join(PULUMI_HOME, "bin")] : []),
    join(homedir(), ".pulumi", "bin"),
    ...installed.map((version) => join(versions, version, "bin")),
  ];
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

/**
 * The Pulumi CLI of this machine: on PATH, in `$PULUMI_HOME/bin`, in `~/.pulumi/bin`, or the newest one in
 * `~/.pulumi/versions`; undefined when there is none. It is downloaded only when DYNAMICLINK_TEST_INSTALL_PULUMI is 1.
 *
 * @example
 * ```ts
 * const cli = await findPulumiCli();
 * if (cli) spawnSync(cli.command, ["version"], { env: cli.environment });
 * ```
 */
export async function findPulumiCli(): Promise<PulumiCli | undefined> {
  const found = findInstalledPulumiCli();
  if (found || process.env[INSTALL_VARIABLE] !== "1") return found;
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  return describe((await PulumiCommand.install()).command);
}

/** The Pulumi CLI of this machine, found without waiting; never downloads one. */
export function findInstalledPulumiCli(): PulumiCli | undefined {
  const command = directories()
    .map((directory) => join(directory, EXECUTABLE))
    .find((path) => existsSync(path));
  return command === undefined ? undefined : describe(command);
}

function describe(command: string): PulumiCli {
  return {
    command,
    environment: { ...process.env, PATH: [dirname(command), process.env.PATH].join(delimiter) },
  };
}

/** The variables of a CLI that keeps its states in a directory, with test data as their passphrase. */
export function backendIn(directory: string): Record<string, string> {
  return {
    PULUMI_BACKEND_URL: `file://${directory}`,
    PULUMI_CONFIG_PASSPHRASE: "test states have no secrets of their own",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/** Runs a command of the CLI without interaction. Resolves with its standard output. @throws Error with all it printed */
export async function runPulumi(
  { command }: PulumiCli,
  args: readonly string[],
  options: ExecuteOptions,
): Promise<string> {
  return await execute(command, [...args, "--non-interactive"], options);
}
