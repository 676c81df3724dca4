/**
 * A stack of things on a real Pulumi CLI, with a temporary backend.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deployment, TestResult, UpdateOptions } from "../../testing/engine";
import { backendIn, backendOf, type PulumiCli, runPulumi } from "../support/processes/pulumiCli";
import { QUICK_START } from "../support/processes/quickStart";
import { callReader, type Declared, programPath, type Rest, type ThingStack } from "./things";

/** The part of a stack that comparisons use, on the engine or on the CLI. */
export interface ComparedStack
  extends Pick<ThingStack, "declare" | "calls" | "close" | "setConfig" | "directory" | "importState"> {
  preview(options?: Parameters<ThingStack["preview"]>[0]): Promise<Outcome>;
  up(options?: Parameters<ThingStack["up"]>[0]): Promise<Outcome>;
  refresh(): Promise<Outcome>;
  destroy(): Promise<Outcome>;
  exportState(options?: { readonly showSecrets?: boolean }): Deployment | Promise<Deployment>;
}

/** The counts in the summary of a command. */
export type Outcome = Pick<TestResult, "changes">;

/** Creates a stack of things on the CLI. */
export async function cliStack(cli: PulumiCli): Promise<ComparedStack> {
  const root = mkdtempSync(join(tmpdir(), "things-cli-"));
  const directory = join(root, "things");
  const project = join(root, "project");
  for (const path of [directory, project, join(root, "backend")]) mkdirSync(path);
  const main = join(programPath("things"), "index.ts");
  writeFileSync(
    join(project, "Pulumi.yaml"),
    `name: things\nmain: ${main}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`,
  );
  let declared = "{}";

  const pulumi = (...args: string[]): Promise<string> =>
    runPulumi(cli, args, {
      directory: project,
      environment: {
        ...cli.environment,
        ...backendIn(join(root, "backend")),
        ...QUICK_START,
        THINGS: directory,
        DECLARED: declared,
      },
    });

  const backend = backendOf(join(root, "backend"), "things");

  /** Runs a command that changes the stack and reads its summary from the history. */
  const change = async (...parameters: string[]): Promise<Outcome> => {
    await pulumi(...parameters, "--yes", "--skip-preview");
    return { changes: backend.lastChanges() };
  };

  await pulumi("stack", "init", "test");
  return {
    directory,
    declare: (resources: Declared[], rest: Rest = {}) => {
      declared = JSON.stringify({ resources, ...rest });
    },
    calls: callReader(directory),
    setConfig: (config) => {
      throw new Error(`Not implemented: ${Object.keys(config)}`);
    },
    preview: async (options) => {
      const { changeSummary = {} } = JSON.parse(await pulumi("preview", "--json", ...flags(options))) as {
        changeSummary?: TestResult["changes"];
      };
      return { changes: changeSummary };
    },
    up: (options) => change("up", ...flags(options)),
    refresh: () => change("refresh"),
    destroy: () => change("destroy"),
    exportState: async () => {
      const deployment = backend.deployment();
      // Only the CLI can decrypt secrets.
      if (!JSON.stringify(deployment).includes("ciphertext")) return { version: 3, deployment };
      return JSON.parse(await pulumi("stack", "export", "--show-secrets")) as Deployment;
    },
    importState: () => {},
    close: async () => rmSync(root, { recursive: true, force: true }),
  };
}

function flags({ refresh, replace = [], target = [], exclude = [] }: UpdateOptions = {}): string[] {
  const listed = Object.entries({ replace, target, exclude });
  return [
    ...(refresh ? ["--refresh"] : []),
    ...listed.flatMap(([name, urns]) => urns.flatMap((urn) => [`--${name}`, urn])),
  ];
}
