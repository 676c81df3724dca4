/** Provider processes in this process, for the test engine: Pulumi's own dynamic-provider host, and plugins. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as grpc from "@grpc/grpc-js";
import type { Clock } from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import { dynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { startPlugin } from "../../../provider/hosts/plugin/server";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import type { Report } from "../../../provider/report";
import { DESCRIPTIONS } from "../../../provider/resources";
import { createSession, type Session } from "../../../provider/session/session";
import type { Settings } from "../../../provider/session/settings";
import type { Processes } from "../../../testing/engine/commands/processes";
import {
  type ProviderProcessRequest,
  providerProcess,
} from "../../../testing/engine/providers/providerProcess";

export interface InProcessOptions {
  /** Default: the system clock. */
  readonly clock?: (killed: AbortSignal) => Clock;
  /** The time limit of a request, in real time. Default: the client's limit. */
  readonly timeoutMs?: () => number;
  /** Random numbers from 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
  /** Returns the provider of a text that names it. Default: those of this package. */
  readonly providerOf?: (text: string, environment: ProviderProcessRequest["environment"]) => object;
}

/** Starts provider processes in this process. Each is configured once, and runs until it is killed. */
export function inProcessProviders(
  options: InProcessOptions = {},
): Pick<Processes, "startHost" | "startPlugin"> {
  return {
    startHost(request) {
      const surrogate = surrogateOf(request, options);
      const { killed: signal, reportTo } = surrogate;
      const context = { ...surrogate, signal, memory: newRunMemory(), report: reportTo("") };
      return dynamicHost(request, surrogate, (text) => {
        if (options.providerOf !== undefined) return options.providerOf(text, request.environment);
        const description = Object.values(DESCRIPTIONS).find((each) => providerText(each) === text);
        if (description === undefined) throw new Error(`There is no provider with the text ${text}.`);
        return dynamicProvider<never, never>(description as never, context);
      });
    },
    startPlugin(_executable, request) {
      const surrogate = surrogateOf(request, options);
      const plugin = {
        ...surrogate,
        schema: () => "{}",
        terraformMapping: () => "{}",
        version: "0.0.0",
        attach: () => {},
        // As in main.ts: the last responses are sent first.
        end: () => void setTimeout(surrogate.kill, 100),
      };
      return providerProcess(request, "plugin", (onLine) => {
        void startPlugin(plugin).then(({ port, close }) => {
          surrogate.onKill(close);
          onLine(`${port}`, "stdout");
        });
        return surrogate;
      });
    },
  };
}

/** What a provider in this process has in place of a process of its own. */
type Surrogate = ReturnType<typeof surrogateOf>;

function surrogateOf(
  { environment, log }: ProviderProcessRequest,
  { clock: clockOf = () => systemClock, random, timeoutMs }: InProcessOptions,
) {
  const controller = new AbortController();
  const killed = controller.signal;
  const sessions = new Map<string, Session>();
  const clock = clockOf(killed);
  const reportTo =
    (urn: string): Report =>
    (message, { persistent = false, warning = false } = {}) =>
      log({
        severity: warning ? "warning" : "info",
        message,
        ephemeral: !persistent,
        ...(urn !== "" && { urn }),
      });
  const ended = Promise.withResolvers<null>();
  return {
    environment,
    clock,
    reportTo,
    killed,
    /** One session for the same settings, as in a process. */
    session(settings: Settings): Session {
      const key = JSON.stringify(settings);
      const session =
        sessions.get(key) ??
        createSession(settings, {
          clock,
          report: reportTo(""),
          ...(random && { random }),
          ...(timeoutMs && { timeoutMs: timeoutMs() }),
        });
      sessions.set(key, session);
      // A call that began before the process was killed sends nothing afterwards.
      if (killed.aborted) void session.client.close();
      return session;
    },
    exited: ended.promise,
    /** Acts when the process is killed, or at once if it was. */
    onKill(act: () => void) {
      if (killed.aborted) act();
      else killed.addEventListener("abort", act);
    },
    /** A request without a response does not keep a process that is killed. */
    kill() {
      controller.abort();
      for (const { client } of sessions.values()) void client.close();
      ended.resolve(null);
    },
  };
}

const HOST = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
// As a module, it would be loaded once, but each host has configuration and providers of its own.
const loadHost = new Function("require", "exports", "process", "console", readFileSync(HOST, "utf8"));

type Providers = (text: string) => object;

/** Starts a new instance of Pulumi's host in this process. */
function dynamicHost(request: ProviderProcessRequest, surrogate: Surrogate, providerNamed: Providers) {
  const server = new grpc.Server();
  const replaced: Readonly<Record<string, unknown>> = {
    "@grpc/grpc-js": { ...grpc, Server: new Proxy(grpc.Server, { construct: () => server }) },
    "require-from-string": (text: string) => ({ handler: () => providerNamed(text) }),
    "source-map-support/register": {},
  };
  const ignored = () => {};
  return providerProcess(request, "dynamic host", (onLine) => {
    function log(port: string): void {
      surrogate.onKill(() => server.forceShutdown());
      onLine(port, "stdout");
    }
    loadHost(
      (name: string) => replaced[name] ?? createRequire(HOST)(name),
      {},
      { argv: ["node", HOST, "engine"], on: ignored },
      { error: ignored, log },
    );
    return surrogate;
  });
}
