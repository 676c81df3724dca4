/** Plugins in this process, for the test engine. It calls them over gRPC, as it calls one in a separate process. */
import { type Clock, systemClock } from "../../provider/client/client";
import { startPlugin } from "../../provider/hosts/plugin/server";
import type { Marks } from "../../provider/lifecycle/runMemory";
import { createSession, type Session } from "../../provider/session/session";
import {
  connectedProvider,
  type ProviderProcess,
  type ProviderProcessRequest,
} from "../../testing/engine/host";
import { connect, PLUGIN_CAPABILITIES } from "../../testing/engine/providerClient";
import type { InProcessHostOptions } from "./inProcessHost";

/** Starts plugins in this process. Each is configured once, has one session, and ends when it is killed. */
export function inProcessPlugins(
  options: InProcessHostOptions = {},
): (executable: string, request: ProviderProcessRequest) => ProviderProcess {
  // What the plugins of a command share through files. Only plugins of one command exist at the same time.
  const running = new Set<AbortController>();
  const marks = new Map<string, Marks>();
  return (_executable, { environment, log, trace }) => {
    const sessions = new Map<string, Session>();
    const killed = new AbortController();
    running.add(killed);
    const clock: Clock = options.clock?.(killed.signal) ?? systemClock;
    const ended = Promise.withResolvers<null>();
    const plugin = startPlugin({
      environment,
      clock,
      session(settings) {
        const key = JSON.stringify(settings);
        const session =
          sessions.get(key) ??
          createSession(settings, {
            clock,
            ...(options.random && { random: options.random }),
            ...(options.timeoutMs && { timeoutMs: options.timeoutMs() }),
          });
        sessions.set(key, session);
        return session;
      },
      schema: () => "{}",
      version: "0.0.0",
      attach: () => {},
      reportTo:
        (urn) =>
        (message, { persistent = false } = {}) =>
          log({ severity: "info", message, ephemeral: !persistent, ...(urn !== "" && { urn }) }),
      marks(kind) {
        const shared = marks.get(kind) ?? new Set<string>();
        marks.set(kind, shared);
        return shared;
      },
      end: () => {},
    });
    const connected = plugin.then(({ port }) => connect(port));
    return {
      exited: ended.promise,
      kill() {
        killed.abort();
        running.delete(killed);
        if (running.size === 0) marks.clear();
        void Promise.all([
          plugin.then(({ close }) => close()),
          connected.then((client) => client.close()),
          ...[...sessions.values()].map(({ client }) => client.close()),
        ]).then(() => ended.resolve(null));
      },
      ...connectedProvider(connected, PLUGIN_CAPABILITIES, trace),
    };
  };
}
