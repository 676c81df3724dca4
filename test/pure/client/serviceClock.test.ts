/** The time of the service, as its responses show it. */
import { newServiceClock } from "../../../provider/client/serviceClock";

test("the time of the service is that of the latest date and the time since then", () => {
  let elapsedMs = 1000;
  const { note, nowMs } = newServiceClock({ now: () => elapsedMs });
  const dated = (date: string) => note({ kind: "response", status: 404, body: "", header: () => date });
  expect(nowMs()).toBeUndefined();
  dated("Thu, 02 Jan 2025 03:04:05 GMT");
  elapsedMs = 3500;
  dated("nonsense");
  expect(nowMs()).toBe(Date.UTC(2025, 0, 2, 3, 4, 7, 500));
  // A response that was under way for longer, or a date whose fraction was cut off.
  dated("Thu, 02 Jan 2025 03:04:07 GMT");
  expect(nowMs()).toBe(Date.UTC(2025, 0, 2, 3, 4, 7, 500));
  dated("Thu, 02 Jan 2025 03:04:08 GMT");
  expect(nowMs()).toBe(Date.UTC(2025, 0, 2, 3, 4, 8));
});
