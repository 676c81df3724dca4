/** How many requests of a command the service has at a time, and how a rate limit changes that. */
import { join } from "node:path";
import { newDirectory } from "../cli/directories";
import { run } from "../cli/run";
import { requestCounts, withService } from "../cli/testsWith";
import { seedWith } from "../support/values/organizations";

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
    expect(inFlight).toHaveLength(2 * PROJECTS + 2);
    expect(Math.max(...inFlight.slice(0, limited))).toBe(MAX_IN_FLIGHT);
    // Some may be on their way when the 429 arrives. Twelve are allowed then, and one more after twelve answers.
    const afterwards = inFlight.slice(limited + MAX_IN_FLIGHT, limited + 2 * MAX_IN_FLIGHT);
    expect(Math.max(...afterwards)).toBeLessThanOrEqual(MAX_IN_FLIGHT / 2 + 3);
    expect(Math.max(...inFlight.slice(-200))).toBe(MAX_IN_FLIGHT);
    const { listApplications = 0, listCustomDomains = 0, ...others } = requestCounts(service);
    expect(others).toEqual({ getCurrentApiCredential: 1, listProjects: 1 });
    expect(listApplications + listCustomDomains).toBe(2 * PROJECTS + 1);
  });
});
