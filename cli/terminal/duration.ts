/** Durations on the command line. */
import { InvalidArgumentError } from "commander";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The duration of a text such as `30d`, in milliseconds. @throws InvalidArgumentError */
export function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined)
    throw new InvalidArgumentError("Give a whole number and a unit: 45s, 90m, 12h or 30d.");
  return Number(count) * unitMs;
}
