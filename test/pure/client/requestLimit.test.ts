/** How many requests of a client are in flight, and how this depends on the answers. */
import type { HttpOutcome } from "../../../provider/client/connection/http";
import { requestLimit } from "../../../provider/client/connection/requestLimit";

/** A limit with many requests waiting. */
async function busyLimit(maximum: number) {
  const inFlight: ((outcome: HttpOutcome) => void)[] = [];
  const limited = requestLimit(maximum);
  const results = Array.from({ length: 1_000 }, () =>
    limited(() => new Promise((resolve) => inFlight.push(resolve))),
  );
  await new Promise(setImmediate);
  return {
    inFlight,
    results,
    /** Ends the oldest requests, and lets the next ones start. */
    async end(count: number, outcome: HttpOutcome) {
      for (const resolve of inFlight.splice(0, count)) resolve(outcome);
      await new Promise(setImmediate);
    },
  };
}

function answer(status: number): HttpOutcome {
  return { kind: "response", status, header: () => undefined, body: "" };
}

test("as many requests as allowed are in flight, and each answer lets one more start", async () => {
  const { inFlight, end, results } = await busyLimit(16);
  expect(inFlight).toHaveLength(16);
  await end(5, answer(200));
  expect(inFlight).toHaveLength(16);
  expect(await results[4]).toMatchObject({ status: 200 });
});

test("a 429 halves the number once, and later successes let it grow by one at a time", async () => {
  const { inFlight, end } = await busyLimit(16);
  await end(1, answer(429));
  expect(inFlight).toHaveLength(15);
  // These were sent before the first 429, so they neither lower the number again nor raise it.
  await end(8, answer(429));
  expect(inFlight).toHaveLength(8);
  await end(7, answer(200));
  expect(inFlight).toHaveLength(8);
  await end(8, answer(200));
  expect(inFlight).toHaveLength(8);
  await end(2, answer(200));
  expect(inFlight).toHaveLength(9);
  await end(200, answer(200));
  await end(200, answer(200));
  expect(inFlight.length).toBeGreaterThan(9);
});

test("the number never falls below one and never exceeds the maximum", async () => {
  const { inFlight, end } = await busyLimit(2);
  for (let time = 0; time < 10; time += 1) await end(2, answer(429));
  expect(inFlight).toHaveLength(1);
  for (let time = 0; time < 20; time += 1) await end(2, answer(200));
  expect(inFlight).toHaveLength(2);
});

test.each<[string, HttpOutcome, number]>([
  ["a connection that breaks", { kind: "failure", sent: true, reason: "reset" }, 2],
  ["a timeout", { kind: "timeout", sent: true, reason: "late" }, 2],
  ["another error of the service", answer(503), 3],
])("%s does not lower the number, and only a response raises it", async (_, outcome, raised) => {
  const { inFlight, end } = await busyLimit(4);
  await end(4, outcome);
  expect(inFlight).toHaveLength(4);
  await end(4, answer(429));
  expect(inFlight).toHaveLength(2);
  for (let time = 0; time < 2; time += 1) await end(2, outcome);
  expect(inFlight).toHaveLength(raised);
});

test("a request that is not sent after all makes room for the next one", async () => {
  const limited = requestLimit(1);
  const failed = limited(() => Promise.reject(new Error("closed")));
  const next = limited(() => Promise.resolve(answer(200)));
  await expect(failed).rejects.toThrow("closed");
  expect(await next).toMatchObject({ status: 200 });
});
