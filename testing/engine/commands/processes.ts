/**
 * The processes of a command: one for the program, and one for each provider. Tests with many commands run programs and
 * providers in their own process instead.
 */
import type { RunningProcess } from "../process/nodeProcess";
import { type ProgramRequest, startProgram } from "../program/program";
import { type Monitor, type MonitorHandlers, startMonitor } from "../protocol/monitor";
import {
  type ProviderProcess,
  type ProviderProcessRequest,
  startHost,
  startPlugin,
} from "../providers/providerProcess";

/** How programs and hosts are started, and the server that they call. */
export interface Processes {
  startMonitor(handlers: MonitorHandlers, trace: ProviderProcessRequest["trace"]): Promise<Monitor>;
  /** Starts the program. It exits with 0, with 32 if it has reported its error, or with another code. */
  startProgram(request: ProgramRequest): RunningProcess;
  startHost(request: ProviderProcessRequest): ProviderProcess;
  startPlugin(executable: string, request: ProviderProcessRequest): ProviderProcess;
}

/** Separate processes, as in Pulumi. */
export const SEPARATE_PROCESSES: Processes = { startMonitor, startProgram, startHost, startPlugin };
