/** A command, such as preview or up, and what it is given. */
import type { Program } from "../program/program";
import type { Trace } from "../protocol/grpc";
import type { StackIdentity } from "../protocol/urn";
import type { Properties } from "../protocol/values";
import type { Mocks } from "../providers/mocks";
import type { Run } from "../run/run";
import type { Snapshot } from "../state/snapshot";
import type { Processes } from "./processes";

export interface CommandContext {
  readonly program: Program;
  readonly processes: Processes;
  readonly identity: StackIdentity;
  /** The environment variables of program and hosts, added to those of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The stack configuration, with secrets marked. */
  readonly config: Properties;
  readonly mocks: Mocks;
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly trace: Trace;
  /** The state before the command. It is not modified. */
  readonly state: Snapshot;
}

/** Options of preview and up. */
export interface UpdateOptions {
  /** Whether to refresh the state first. Default: no. */
  readonly refresh?: boolean;
  /** URNs of resources to replace, changed or not. Default: none. */
  readonly replace?: readonly string[];
  /** URNs of the only resources to update. Providers are updated as well. Default: all. */
  readonly target?: readonly string[];
  /** URNs of resources not to update. It has no effect with `target`. Default: none. */
  readonly exclude?: readonly string[];
  /** Whether to fail when anything changes. Default: no. */
  readonly expectNoChanges?: boolean;
}

export interface Command extends UpdateOptions {
  readonly name: string;
  /** Whether the command changes nothing. Default: no. */
  readonly dryRun?: boolean;
  /** `runProgram` runs the program until it ends, and then the deletions that follow it. */
  execute(run: Run, runProgram: () => Promise<void>): Promise<void>;
}
