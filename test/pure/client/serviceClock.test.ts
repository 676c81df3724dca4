/** The time of the service, as its responses show it. */
import { newServiceClock } from "../../../provider/client/serviceClock";

test("the time of the service is that of the last date and the time since then", () => {
  let elapsedMs = 1000;
  const { note, nowMs } = newServiceClock({ now: () => elapsedMs });
  const dated = (date: string) => note({ kind: "response", status: 404, body: "", header: () => date });
  expect(nowMs()).toBeUndefined();
  dated("Thu, 02 Jan 2025 03:04:05 GMT");
  elapsedMs = 3500;
  dated("nonsense");
  expect(nowMs()).toBe(Date.UTC(2025, 0, 2, 3, 4, 7, 500));
});
