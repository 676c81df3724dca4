/** Pulumi CLIs for the commands: a stub, and a real one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../testing/emulator";
import { backendIn, pulumiCli, runPulumi } from "../support/processes/pulumiCli";
import { KEY } from "../support/values/organizations";
import { newDirectory } from "./directories";
import type { Environment } from "./run";

/** An environment whose Pulumi CLI has only a selected stack with these resources and further settings. */
export function withStubbedCli(service: Emulator, resources: readonly object[], settings = {}): Environment {
  const directory = newDirectory();
  const config = Object.entries({ apiUrl: service.url, ...settings }).map(
    ([name, value]) => [`dynamiclink:${name}`, typeof value === "object" ? value : { value }] as const,
  );
  writeFileSync(join(directory, "config.json"), JSON.stringify(Object.fromEntries(config)));
  writeFileSync(join(directory, "state.json"), JSON.stringify({ deployment: { resources } }));
  const script = [
    'case "$*" in',
    '  "stack --show-name"*) echo test;;',
    // A settings file names another variable.
    `  config*--config-file\\ Pulumi.ci.yaml*) sed s/TEAM_KEY/FILE_KEY/ ${directory}/config.json;;`,
    // In the directory of another project, a stack has no settings.
    "  config*' --stack other '*) echo {};;",
    `  config*) cat ${directory}/config.json;;`,
    `  "stack export"*) cat ${directory}/state.json;;`,
    "  *) exit 1;;",
    "esac",
  ];
  writeFileSync(join(directory, "pulumi"), `#!/bin/sh\n${script.join("\n")}\n`, { mode: 0o755 });
  return { PATH: `${directory}:/usr/bin:/bin`, DYNAMICLINK_API_KEY: KEY };
}

/** An environment with the CLI and a backend in a directory. */
export function withCli(directory: string): Environment {
  return {
    ...pulumiCli().environment,
    DYNAMICLINK_API_KEY: KEY,
    DYNAMICLINK_READ_ONLY: undefined,
    ...backendIn(directory),
  };
}

/** Runs the CLI in a directory. */
export function pulumiIn(directory: string, environment: Environment, args: readonly string[]) {
  return runPulumi(pulumiCli(), args, { directory, environment });
}
