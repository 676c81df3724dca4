/**
 * The process of the plugin: what Pulumi starts. Its first argument is the engine's address, and the first line that it
 * prints is the port on which it listens.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { systemClock } from "../../client/client";
import { sharedSession } from "../../session/session";
import { type EngineLog, reportTo } from "../engineLog";
import { sharedMarks } from "../sharedMarks";
import { type RunningPlugin, startPlugin } from "./server";

/** How long the answers of a cancelled run may take to leave the process. */
const LAST_ANSWERS_MS = 100;

/** How often the process looks whether the engine is still there. */
const ENGINE_LOOK_MS = 1_000;

/** Written by the build. */
const SCHEMA_FILE = join(__dirname, "schema.json");

async function main(): Promise<void> {
  let log: EngineLog | undefined;
  let plugin: RunningPlugin | undefined;
  const schema = readFileSync(SCHEMA_FILE, "utf8");
  const { version } = JSON.parse(schema) as { readonly version: string };

  function attach(address: string): void {
    if (address === "") return;
    log = { client: new EngineClient(address, credentials.createInsecure()), LogRequest, LogSeverity };
  }

  const [engineAddress] = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
  attach(engineAddress ?? "");
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (plugin === undefined ? process.exit(0) : plugin.cancel()));
  plugin = await startPlugin({
    environment: process.env,
    clock: systemClock,
    session: sharedSession,
    schema: () => schema,
    version,
    attach,
    // All plugins of a run are started with the address of its engine.
    marks: (kind) => (engineAddress === undefined ? new Set<string>() : sharedMarks(engineAddress, kind)),
    reportTo: (urn) => (message, options) => reportTo(log, urn)(message, options),
    end: () => void setTimeout(() => process.exit(0), LAST_ANSWERS_MS),
  });
  console.log(plugin.port);
  // An engine that is killed sends no Cancel. The system gives its children another parent, except on Windows.
  const engine = process.ppid;
  setInterval(() => process.ppid !== engine && plugin.cancel(), ENGINE_LOOK_MS).unref();
}

void main();
