/** Finds a Pulumi CLI for the tests that need a real one, and runs it. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type ExecuteOptions, execute } from "./execute";

export interface PulumiCli {
  readonly command: string;
  /** Its environment variables. Its directory, which contains the language plugins, is first in PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Ends the names of all tests that need a CLI. `npm run test:cli` selects them by it. */
const ON_CLI = "on the Pulumi CLI";

/** Whether `npm run test:cli` runs the tests. Its configuration defines the variable. */
const usesCli: boolean = "PULUMI_CLI_TESTS" in globalThis;

/** The executable of a program in the first of these directories that has it. */
function executableIn(directories: readonly string[], program: string): string | undefined {
  const name = process.platform === "win32" ? `${program}.exe` : program;
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

/** The Pulumi CLI of this machine: on PATH, in `$PULUMI_HOME/bin` or in `~/.pulumi/bin`. Undefined if there is none. */
export function findPulumiCli(): PulumiCli | undefined {
  const { PATH = "", PULUMI_HOME = "" } = process.env;
  const homes = [PULUMI_HOME, join(homedir(), ".pulumi")].filter((home) => home !== "");
  const onPath = PATH.split(delimiter).filter((directory) => directory !== "");
  const command = executableIn([...onPath, ...homes.map((home) => join(home, "bin"))], "pulumi");
  if (command === undefined) return undefined;
  return {
    command,
    environment: { ...process.env, PATH: [dirname(command), process.env.PATH].join(delimiter) },
  };
}

/**
 * Registers a test that needs a CLI. `npm test` skips it, so that it is the same quick run on every machine.
 *
 * @param programs what the test needs besides the CLI. Without one of them it says so and tests nothing.
 */
export function testOnCli(name: string, body: () => Promise<void>, programs: readonly string[] = []): void {
  const onCli = async () => {
    const paths = pulumiCli().environment.PATH?.split(delimiter) ?? [];
    const missing = programs.find((program) => executableIn(paths, program) === undefined);
    if (missing === undefined) await body();
    else notRun(name, `there is no ${missing} on PATH or beside the CLI`);
  };
  (usesCli ? test : test.skip)(`${name}, ${ON_CLI}`, onCli);
}

export function notRun(name: string, reason: string): void {
  process.stderr.write(`\n*** "${name}" was NOT run: ${reason}. ***\n\n`);
}

/** The Pulumi CLI of this machine. @throws Error if there is none. */
export function pulumiCli(): PulumiCli {
  const cli = findPulumiCli();
  if (cli !== undefined) return cli;
  throw new Error("There is no Pulumi CLI on PATH, in PULUMI_HOME or in ~/.pulumi. Install it.");
}

/** The environment variables for a backend in a directory. The passphrase is test data. */
export function backendIn(directory: string): Record<string, string> {
  return {
    PULUMI_BACKEND_URL: `file://${directory}`,
    PULUMI_CONFIG_PASSPHRASE: "test states have no secrets of their own",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // For the option --event-log.
    PULUMI_DEBUG_COMMANDS: "true",
  };
}

/** Runs a non-interactive command of the CLI. Resolves with its standard output. @throws Error with all output. */
export async function runPulumi({ command }: PulumiCli, args: readonly string[], options: ExecuteOptions) {
  return await execute(command, [...args, "--non-interactive"], options);
}
