import { appendFileSync, closeSync, constants, openSync } from "node:fs";
import type { Attempt } from "../client";
import { sanitized } from "../client/sanitized";
import type { Report } from "../report";
import { LOG_VARIABLE } from "../service";

/** To wait until somebody reads a named pipe would stop the process, so that is an error. Windows has no such flag. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

/** Appends a line of JSON to a file for each attempt, at once, because processes share it. If that fails, it is reported once. */
export function requestLog(file: string, report: Report = () => {}): (attempt: Attempt) => void {
  let isWritable = true;
  return ({ startMs, operation, method, path, status, reason, durationMs, requestId, attempt, activity }) => {
    if (!isWritable) return;
    const time = new Date(startMs).toISOString();
    const line = { time, operation, method, path, status, reason, durationMs, requestId, attempt, activity };
    try {
      const log = openSync(file, APPEND, 0o600);
      try {
        appendFileSync(log, `${JSON.stringify(line)}\n`);
      } finally {
        closeSync(log);
      }
    } catch (error) {
      isWritable = false;
      report(
        `Requests are not logged, because ${sanitized(file)} cannot be written: ${sanitized((error as Error).message)}. Correct ${LOG_VARIABLE}.`,
        { persistent: true },
      );
    }
  };
}
