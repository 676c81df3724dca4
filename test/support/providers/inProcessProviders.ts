/** Provider processes in this process, for the test engine: Pulumi's own dynamic-provider host, and plugins. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as grpc from "@grpc/grpc-js";
import type { Clock } from "../../../provider/client";
import { systemClock } from "../../../provider/client/client";
import { dynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { newCalls } from "../../../provider/hosts/plugin/calls";
import { methodsOf } from "../../../provider/hosts/plugin/methods";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import type { Report } from "../../../provider/report";
import { DESCRIPTIONS } from "../../../provider/resources";
import { createSession, type Session } from "../../../provider/session/session";
import type { Settings } from "../../../provider/session/settings";
import type { Processes } from "../../../testing/engine/commands/processes";
import { connectedProvider, type ProviderKind } from "../../../testing/engine/providers/providerClient";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import { inProcessClient, type Methods } from "./inProcessClient";

export interface InProcessOptions {
  /** Default: the system clock. */
  readonly clock?: (killed: AbortSignal) => Clock;
  /** The time limit of a request, in real time. Default: the client's limit. */
  readonly timeoutMs?: () => number;
  /** Random numbers from 0 to below 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Starts provider processes in this process. Each is configured once, and runs until it is killed. */
export function inProcessProviders(
  options: InProcessOptions = {},
): Pick<Processes, "startHost" | "startPlugin"> {
  return {
    startHost: (request) =>
      inProcess(request, options, "dynamic host", (surrogate) => {
        const context = {
          ...surrogate,
          signal: surrogate.killed,
          memory: newRunMemory(),
          report: surrogate.reportTo(""),
        };
        return hostMethods((text) => {
          const description = Object.values(DESCRIPTIONS).find((each) => providerText(each) === text);
          if (description === undefined) throw new Error(`There is no provider with the text ${text}.`);
          return dynamicProvider<never, never>(description as never, context);
        });
      }),
    startPlugin: (_executable, request) =>
      inProcess(request, options, "plugin", ({ kill, ...surrogate }) => {
        const plugin = {
          ...surrogate,
          schema: () => "{}",
          terraformMapping: () => "{}",
          version: "0.0.0",
          attach: () => {},
          end: () => {},
        };
        // After the last response has been received.
        return methodsOf(
          plugin,
          newCalls(() => setImmediate(() => setImmediate(kill))),
        );
      }),
  };
}

/** Starts a dynamic-provider host in this process that gets its providers from a function, by the texts that name them. */
export function inProcessHost(
  request: ProviderProcessRequest,
  providerNamed: (text: string) => object,
): ProviderProcess {
  return inProcess(request, {}, "dynamic host", () => hostMethods(providerNamed));
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
    /** A request without a response does not keep a process that is killed. */
    kill() {
      controller.abort();
      for (const { client } of sessions.values()) void client.close();
      ended.resolve(null);
    },
  };
}

function inProcess(
  request: ProviderProcessRequest,
  options: InProcessOptions,
  kind: ProviderKind,
  methodsFor: (surrogate: Surrogate) => object,
): ProviderProcess {
  const surrogate = surrogateOf(request, options);
  const { exited, kill, killed } = surrogate;
  const client = inProcessClient(methodsFor(surrogate) as Methods, killed);
  return { exited, kill, ...connectedProvider(client, kind, request.trace) };
}

const HOST = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
// As a module, it would be loaded once, but each host has configuration and providers of its own.
const loadHost = new Function("require", "exports", "process", "console", readFileSync(HOST, "utf8"));

/** The methods of a new instance of Pulumi's host, which would serve them in a process of its own. */
function hostMethods(providerNamed: (text: string) => object): object {
  let methods = {};
  const replaced: Readonly<Record<string, unknown>> = {
    "@grpc/grpc-js": {
      ...grpc,
      Server: class {
        addService(_: unknown, service: object): void {
          methods = service;
        }
        bindAsync(): void {}
      },
    },
    "require-from-string": (text: string) => ({ handler: () => providerNamed(text) }),
    "source-map-support/register": {},
  };
  const ignored = () => {};
  loadHost(
    (name: string) => replaced[name] ?? createRequire(HOST)(name),
    {},
    { argv: ["node", HOST, "engine"], on: ignored },
    { error: ignored, log: ignored },
  );
  return methods;
}
