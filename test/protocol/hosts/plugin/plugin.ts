/** The native plugin over its protocol, against an emulator: what its tests share. */
import { once } from "node:events";
import type { Clock } from "../../../../provider/client";
import { createSession, type Session } from "../../../../provider/session/session";
import { type Emulator, startEmulator } from "../../../../testing/emulator";
import { errorOf } from "../../../support/values/errorOf";
import { fakeClock } from "../../../support/values/fakeClock";
import { KEY, seedWith } from "../../../support/values/organizations";
import { CallError, connectPlugin, type InitFailure, type PluginClient, urnOf } from "./pluginClient";

export const URN = {
  project: urnOf("Project"),
  application: urnOf("Application"),
  domain: urnOf("CustomDomain"),
  activation: urnOf("CustomDomainActivation"),
};
export const UUID = "0e0e0e0e-0000-4000-8000-000000000009";
export const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };

type Values = Record<string, unknown>;

export let service: Emulator;
export let plugin: PluginClient;
const sessions: Session[] = [];

beforeAll(async () => {
  service = await startEmulator({ seed: seedWith() });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.reset();
  plugin = await connected();
});
afterEach(() => {
  plugin.close();
  // Lookups of the key are shared, so one that hangs does not end with its call.
  for (const session of sessions.splice(0)) void session.client.close();
  expect(service.violations).toEqual([]);
});

/** Starts a plugin and configures it, unless `args` is null. Its waits take no time, or last until they are stopped. */
export async function connected({
  args = {},
  environment = { DYNAMICLINK_API_KEY: KEY },
  waitsForever = false,
}: {
  args?: Values | null;
  environment?: Record<string, string>;
  waitsForever?: boolean;
} = {}) {
  const fake = fakeClock(service.clock.now().getTime(), service.clock.advance);
  const clock: Clock = {
    ...fake,
    async sleep(milliseconds, signal) {
      if (waitsForever && !signal?.aborted) await once(signal ?? new EventTarget(), "abort");
      await fake.sleep(milliseconds, signal);
    },
  };
  const opened = new Map<string, Session>();
  const client = await connectPlugin({
    environment,
    clock,
    session(settings) {
      const key = JSON.stringify(settings);
      const session = opened.get(key) ?? createSession(settings, { clock, random: () => 0 });
      opened.set(key, session);
      sessions.push(session);
      return session;
    },
  });
  if (args !== null) await client.configure({ apiUrl: service.url, ...args });
  return client;
}

/** Replaces the plugin of a test by one with other settings. */
export async function reconnect(settings?: Parameters<typeof connected>[0]): Promise<void> {
  plugin.close();
  plugin = await connected(settings);
}

/** The requests since the last call of this function, without the lookup of the key. */
export function sent(): string[] {
  const log = service.requests.map(({ operationId }) => String(operationId));
  service.clearRequests();
  return log.filter((operation) => operation !== "getCurrentApiCredential");
}

export function failing(call: Promise<unknown>): Promise<CallError> {
  return errorOf(call, CallError);
}

export async function notReady(call: Promise<unknown>): Promise<InitFailure> {
  const error = await failing(call);
  const { initFailure } = error;
  if (initFailure === undefined) throw error;
  return initFailure;
}

/** Creates an object in an earlier run, whose requests do not count. */
export async function createdBefore(urn: string, inputs: Values) {
  const earlier = await connected();
  const created = await earlier.create(urn, inputs);
  earlier.close();
  service.clearRequests();
  return created;
}

export async function projectInState() {
  const { id, outputs } = await createdBefore(URN.project, { name: "Shop" });
  return { projectId: id, project: outputs };
}
