/** How many connections operations open, as the HTTP library reports them. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createClient } from "../../../provider/client";
import { applicationDescription } from "../../../provider/resources/application";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun, operationsOf } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000001";
const CONNECTED = "undici:client:connected";

let service: Emulator;
let connections = 0;

function count() {
  connections++;
}

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });
  connections = 0;
  subscribe(CONNECTED, count);
});
afterEach(async () => {
  unsubscribe(CONNECTED, count);
  await service.close();
});

/** Runs operations, `atOnce` at a time. */
async function inParallel(atOnce: number, total: number, operation: (index: number) => Promise<unknown>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < total) await operation(next++);
    }),
  );
}

test.each([
  [1, 2],
  [8, 16],
  [24, 24],
])("%d concurrent creates open at most %d connections", async (atOnce, limit) => {
  const { create } = operationsOf(applicationDescription, inProcessRun(service, KEY));
  const total = 10 * atOnce;
  await inParallel(atOnce, total, (index) =>
    create({
      projectId: PROJECT,
      appType: "ANDROID",
      androidInfo: { appName: `App ${index}`, appScheme: "app", appPackageName: `example.app.a${index}` },
    }),
  );
  expect(service.state.applications).toHaveLength(total);
  expect(connections).toBeGreaterThan(0);
  // A connection is still busy when the next request follows its answer immediately.
  expect(connections).toBeLessThanOrEqual(limit);
});

test("any number of concurrent requests opens at most 24 connections", async () => {
  const client = createClient({ apiUrl: service.url, apiKey: KEY });
  await inParallel(200, 400, () => client.getCurrentApiCredential());
  expect(service.requests).toHaveLength(400);
  expect(connections).toBeLessThanOrEqual(24);
  await client.close();
});
