/** Whether an object was created since a create was sent, by the service's clock and its list. */
import { isNewSince } from "../../../provider/lifecycle/create/before";
import type { Found, OperationContext } from "../../../provider/lifecycle/description";
import type { Before } from "../../../provider/lifecycle/run/creation";

const SENT = "10:00:05.700";
const NOW = "10:00:09.200";

function at(time: string): string {
  return `2026-01-01T${time}Z`;
}

test.each<
  [
    createdAt: string,
    sent: string | undefined,
    now: string | undefined,
    isListed: boolean,
    boolean | undefined,
  ]
>([
  ["10:00:06.000", SENT, NOW, false, true],
  // Dates of responses have no fractions of a second, so the time of the create may be late by one.
  ["10:00:05.000", SENT, NOW, false, true],
  ["10:00:04.999", SENT, NOW, false, false],
  // The clock of the dates is behind that of the creation times.
  ["10:00:10.199", SENT, NOW, false, true],
  ["10:00:10.200", SENT, NOW, false, undefined],
  ["10:00:06.000", undefined, NOW, false, undefined],
  ["10:00:06.000", SENT, undefined, false, undefined],
  // What was listed before the create is older, whatever the clocks say.
  ["10:00:06.000", SENT, NOW, true, false],
  ["10:00:06.000", undefined, undefined, true, false],
])(
  "an object that was created at %s is new since %s, as seen at %s (listed before: %s): %s",
  (createdAt, sent, now, isListed, isNew) => {
    const found: Found = { uuid: "a", properties: {}, createdAt: at(createdAt) };
    const before: Before = {
      time: sent === undefined ? undefined : new Date(at(sent)),
      listed: isListed ? [{ ...found, createdAt: at("09:00:00.000") }] : [{ ...found, uuid: "b" }],
    };
    const serviceTime = () => (now === undefined ? undefined : new Date(at(now)));
    const context = { client: { serviceTime } } as unknown as OperationContext;
    expect(isNewSince(before, context)(found)).toBe(isNew);
  },
);
