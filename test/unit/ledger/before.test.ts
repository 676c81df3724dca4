/** Whether an object was created since a create was sent, by the service's clock and its list. */
import { isNewSince, isProbablyNewSince } from "../../../provider/lifecycle/create/before";
import type { Found, OperationContext } from "../../../provider/lifecycle/description";
import type { Before } from "../../../provider/lifecycle/run/creation";

const SENT = "10:00:05.700";
const NOW = "10:00:09.200";

function at(time: string): string {
  return `2026-01-01T${time}Z`;
}

/** What was listed before. */
const OTHERS = "others";
const IT = "it and others";

test.each<
  [
    createdAt: string,
    sent: string | undefined,
    now: string | undefined,
    listed: string | undefined,
    isNew: boolean | undefined,
    isProbablyNew: boolean,
  ]
>([
  ["10:00:06.000", SENT, NOW, OTHERS, true, true],
  // Dates of responses have no fractions of a second, so the time of the create may be late by one.
  ["10:00:05.000", SENT, NOW, OTHERS, true, true],
  ["10:00:04.999", SENT, NOW, OTHERS, false, false],
  // The clock of the dates is behind that of the creation times.
  ["10:00:10.199", SENT, NOW, OTHERS, true, true],
  ["10:00:10.200", SENT, NOW, OTHERS, undefined, true],
  ["10:00:06.000", undefined, NOW, OTHERS, undefined, true],
  ["10:00:06.000", SENT, undefined, OTHERS, undefined, true],
  // What was listed before the create is older, whatever the clocks say.
  ["10:00:06.000", SENT, NOW, IT, false, false],
  ["10:00:06.000", undefined, undefined, IT, false, false],
  // The list could not be read.
  ["10:00:06.000", SENT, NOW, undefined, true, true],
  ["10:00:04.999", SENT, NOW, undefined, false, false],
  ["10:00:06.000", undefined, NOW, undefined, undefined, false],
])(
  "an object that was created at %s is new since %s, as seen at %s (listed before: %s): %s, for messages %s",
  (createdAt, sent, now, listed, isNew, isProbablyNew) => {
    const found: Found = { uuid: "a", properties: {}, createdAt: at(createdAt) };
    const others: readonly Found[] = [{ ...found, uuid: "b" }];
    const before: Before = {
      time: sent === undefined ? undefined : new Date(at(sent)),
      listed: listed === IT ? [...others, found] : listed === OTHERS ? others : undefined,
    };
    const serviceTime = () => (now === undefined ? undefined : new Date(at(now)));
    const context = { client: { serviceTime } } as unknown as OperationContext;
    expect(isNewSince(before, context)(found)).toBe(isNew);
    expect(isProbablyNewSince(before, context)(found)).toBe(isProbablyNew);
  },
);
