/** How many requests of a command the service has at a time, and how a rate limit changes that. */
import { join } from "node:path";
import { newDirectory } from "../../commands/directories";
import { requestsFor } from "../../commands/kinds";
import { run } from "../../commands/run";
import { requestCounts, withService } from "../../commands/testsWith";
import { seedWith } from "../../support/values/organizations";

const PROJECTS = 250;
const MAX_IN_FLIGHT = 24;

test("discover has 24 requests in flight, fewer after a 429, then 24 again, and repeats no other request", async () => {
  const projects = Array.from({ length: PROJECTS }, (_, index) => ({ name: `Project ${index}` }));
  await withService(seedWith(projects), async (service) => {
    /** The number of requests in flight at each arrival. */
    const inFlight: number[] = [];
    const limited = 100;
    service.inject({ skip: limited, effect: { status: 429 } });
    service.inject({
      match() {
        inFlight.push(service.requests.filter(({ status }) => status === null).length);
        return true;
      },
      // Longer than it takes to send as many requests as allowed, so that the service has all of them at once.
      effect: { delayMs: 60 },
      count: Number.POSITIVE_INFINITY,
    });
    const { code } = await run("discover", [
      "--out",
      join(newDirectory(), "estate"),
      "--api-url",
      service.url,
    ]);
    expect(code).toBe(0);
    const expected = requestsFor(PROJECTS);
    const total = Object.values(expected).reduce((sum, count) => sum + count, 0);
    expect(inFlight).toHaveLength(total);
    expect(Math.max(...inFlight.slice(0, limited))).toBe(MAX_IN_FLIGHT);
    // Some may be on their way when the 429 arrives. Twelve are allowed then, and one more after twelve answers.
    const afterwards = inFlight.slice(limited + MAX_IN_FLIGHT, limited + 2 * MAX_IN_FLIGHT);
    expect(Math.max(...afterwards)).toBeLessThanOrEqual(MAX_IN_FLIGHT / 2 + 3);
    expect(Math.max(...inFlight.slice(-200))).toBe(MAX_IN_FLIGHT);
    const repeated = Object.entries(requestCounts(service)).filter(([id, count]) => count !== expected[id]);
    expect(repeated).toEqual([[expect.stringMatching(/^(list|get)/), PROJECTS + 1]]);
  });
});
