/** A stack on a real Pulumi CLI, with its state in the directory of its project. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment, TestResult, TestStack, UpdateOptions } from "../../../testing/engine";
import { backendIn, type PulumiCli, runPulumi } from "../processes/pulumiCli";

export const STACK = "test";

/** A salt of the passphrase of test states. */
const SALT = "v1:ddLgSSfGMqk=:v1:pnins22WNJbN/AGT:i15jwpSQWslINWB3ADMEj6XAEr4ECg==";

export type StackCommand = keyof Pick<TestStack, "preview" | "up" | "refresh" | "destroy">;

interface CliProject {
  /** Contains Pulumi.yaml. */
  readonly directory: string;
  readonly name: string;
  /** Returns the additional environment variables. Called before each command. */
  environment(): Readonly<Record<string, string | undefined>>;
}

/** Creates a stack: writes what `pulumi stack init` writes, because each stack would take a command to create. */
export function cliStack(cli: PulumiCli, { directory, name: project, environment }: CliProject) {
  const backend = join(directory, "backend");
  const stacks = join(backend, ".pulumi", "stacks", project);
  const checkpoint = join(stacks, `${STACK}.json`);
  const settings = join(directory, `Pulumi.${STACK}.yaml`);
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(backend, ".pulumi", "meta.yaml"), "version: 1\n");
  const empty = { version: 3, checkpoint: { stack: `organization/${project}/${STACK}` } };
  writeFileSync(checkpoint, JSON.stringify(empty));
  const writeSettings = (config: object) =>
    writeFileSync(settings, JSON.stringify({ encryptionsalt: SALT, config }));
  writeSettings({});

  async function pulumi(...args: readonly string[]): Promise<string> {
    return await runPulumi(cli, [...args, "--stack", STACK], {
      directory,
      environment: { ...cli.environment, ...backendIn(backend), ...environment() },
    });
  }

  /** The deployment, with encrypted secrets. Reading the file is faster than asking the CLI. */
  function deployment(): Deployment["deployment"] {
    return JSON.parse(readFileSync(checkpoint, "utf8")).checkpoint.latest ?? {};
  }

  return {
    pulumi,
    deployment,
    async run(
      command: StackCommand,
      options?: UpdateOptions,
    ): Promise<Pick<TestResult, "changes"> & { readonly printed: string }> {
      const log = join(directory, "events.json");
      rmSync(log, { force: true });
      const printed = await pulumi(...commandLine(command, options), "--event-log", log);
      return { changes: changesIn(readFileSync(log, "utf8")), printed };
    },
    /** The state with plain secrets, which only the CLI can decrypt. */
    async exportState(): Promise<Deployment> {
      const latest = deployment();
      if (!JSON.stringify(latest).includes("ciphertext")) return { version: 3, deployment: latest };
      return JSON.parse(await pulumi("stack", "export", "--show-secrets"));
    },
    async importState(deployment: Deployment): Promise<void> {
      const file = join(directory, "imported.json");
      writeFileSync(file, JSON.stringify(deployment));
      await pulumi("stack", "import", "--file", file);
    },
    /** Sets the configuration. What it had is gone. */
    async configure(config: Readonly<Record<string, string | { readonly secret: string }>>): Promise<void> {
      const plain = Object.entries(config).filter(([, value]) => typeof value === "string");
      writeSettings(Object.fromEntries(plain));
      for (const [key, value] of Object.entries(config))
        if (typeof value !== "string") await pulumi("config", "set", "--secret", key, value.secret);
    },
  };
}

export function commandLine(command: StackCommand, options: UpdateOptions = {}): string[] {
  const { expectNoChanges, refresh, ...lists } = options;
  return [
    command,
    ...(command === "preview" ? [] : ["--yes", "--skip-preview"]),
    ...(expectNoChanges ? ["--expect-no-changes"] : []),
    ...(refresh ? ["--refresh"] : []),
    ...Object.entries(lists).flatMap(([name, urns]) => urns.flatMap((urn) => [`--${name}`, urn])),
  ];
}

/** The number of resources for each operation, from the events of a command. */
function changesIn(events: string): TestResult["changes"] {
  const [summary = {}] = events
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => JSON.parse(line).summaryEvent ?? []);
  return summary.resourceChanges ?? {};
}
