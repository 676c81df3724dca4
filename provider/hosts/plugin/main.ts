/** The entry point of the plugin process, which prints its port: see docs/internals/native-host.md#port-line. */
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { systemClock } from "../../client/client";
import type { Report } from "../../report";
import { sharedSession } from "../../session/session";
import { ENGINE_CHANNEL_OPTIONS, type EngineLog, reportTo } from "../engineLog";
import { readMapping } from "../terraform/mappingFile";
import { type RunningPlugin, startPlugin } from "./server";

/** How long a cancelled process waits for its last responses to be sent. */
const LAST_RESPONSES_MS = 100;

/** How often the process checks whether the process that has started it is alive. */
const PARENT_CHECK_MS = 1_000;

/** The option with which the executable says that descriptor 3 is its standard output, and 1 is standard error. */
const SAVED_OUTPUT = "--port-to=3";

async function main(): Promise<void> {
  let log: EngineLog | undefined;
  let plugin: RunningPlugin | undefined;
  // The build writes it.
  const schema = readFileSync(join(__dirname, "schema.json"), "utf8");
  const { version } = JSON.parse(schema) as { readonly version: string };

  function attach(address: string): void {
    // A process belongs to one run, so the first address counts.
    if (address === "" || log !== undefined) return;
    const client = new EngineClient(address, credentials.createInsecure(), ENGINE_CHANNEL_OPTIONS);
    log = { client, LogRequest, LogSeverity };
  }

  const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
  attach(engineAddress ?? "");
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (plugin === undefined ? process.exit(0) : plugin.cancel()));
  const report =
    (urn: string): Report =>
    (message, options) =>
      reportTo(log, urn)(message, options);
  plugin = await startPlugin({
    environment: process.env,
    clock: systemClock,
    session: (settings) => sharedSession(settings, { report: report("") }),
    schema: () => schema,
    terraformMapping: readMapping,
    version,
    attach,
    reportTo: report,
    end: () => void setTimeout(() => process.exit(0), LAST_RESPONSES_MS),
  });
  // A console would color the number if FORCE_COLOR is set, and Pulumi could not read it.
  writeSync(process.argv.includes(SAVED_OUTPUT) ? 3 : 1, `${plugin.port}\n`);
  // See docs/internals/native-host.md#killed-engine.
  const { ppid } = process;
  setInterval(() => process.ppid !== ppid && plugin?.cancel(), PARENT_CHECK_MS).unref();
}

void main();
