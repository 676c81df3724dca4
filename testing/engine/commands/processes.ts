/**
 * The processes of a command: one for the program, and one for each provider. Tests with many commands run programs and
 * providers in their own process instead.
 */
import { startProgram } from "../program/program";
import { startMonitor } from "../protocol/monitor";
import { startHost, startPlugin } from "../providers/providerProcess";

/** Separate processes, as in Pulumi. */
export const SEPARATE_PROCESSES = { startMonitor, startProgram, startHost, startPlugin };

/** How programs and hosts are started, and the server that they call. */
export type Processes = Readonly<typeof SEPARATE_PROCESSES>;
