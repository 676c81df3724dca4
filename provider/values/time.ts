/** Reads an ISO 8601 date and time in milliseconds, also in the forms that the platform does not read. NaN for anything else. */
export function timeOf(value: unknown): number {
  if (typeof value !== "string") return Number.NaN;
  const extended = value
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/i, "$1-$2-$3T$4:$5:$6")
    .replace(/(T[^,]*),/i, "$1.")
    .replace(/(T.*[+-]\d\d)(\d\d)?$/i, (_, start: string, minutes = "00") => `${start}:${minutes}`);
  return Date.parse(extended);
}
