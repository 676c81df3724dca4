/**
 * The processes of a command: one for the program, and one for each provider. Tests of many commands replace them
 * with programs and providers in their own process.
 */
import { type ProviderProcess, type ProviderProcessRequest, startHost } from "./host";
import type { RunningProcess } from "./nodeProcess";
import { type ProgramRequest, startProgram } from "./program";

/** How programs and hosts are started. */
export interface Processes {
  /** Starts the program. Its exit code is 0, 32 when it has reported its error, or another one. */
  startProgram(request: ProgramRequest): RunningProcess;
  /** Starts a provider host, to be configured once. */
  startHost(request: ProviderProcessRequest): ProviderProcess;
}

/** Processes of their own, as in Pulumi. */
export const SEPARATE_PROCESSES: Processes = { startProgram, startHost };
