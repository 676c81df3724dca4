/** What hosts report to the engine: on which row, in which order, and whether it stays. */
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { type EngineLog, reportTo } from "../../../provider/hosts/engineLog";
import type { ReportOptions } from "../../../provider/report";

type Delivered = (error: unknown) => void;

function logTo(note: (message: LogRequest.AsObject, delivered: Delivered) => void): EngineLog {
  return {
    client: { log: (request, delivered) => note(request.toObject(), delivered) },
    LogRequest,
    LogSeverity,
  };
}

test.each<[string, ReportOptions | undefined, string | undefined, object]>([
  ["progress of the stack", undefined, undefined, { urn: "", ephemeral: true }],
  ["progress of a resource", {}, "urn:a", { urn: "urn:a", ephemeral: true }],
  ["what stays", { persistent: true }, "urn:a", { urn: "urn:a", ephemeral: false }],
  ["a warning", { warning: true }, "urn:a", { urn: "urn:a", ephemeral: true, severity: LogSeverity.WARNING }],
])("%s", async (_name, options, urn, expected) => {
  const sent = await new Promise((resolve) => {
    const log = logTo((message, delivered) => {
      delivered(null);
      resolve(message);
    });
    reportTo(log, urn)("PENDING_DNS", options);
  });
  expect(sent).toEqual({ severity: LogSeverity.INFO, message: "PENDING_DNS", streamid: 0, ...expected });
});

test("progress is sent when the engine has all earlier messages, and what stays is sent at once", async () => {
  const sent: string[] = [];
  let pending: Delivered[] = [];
  const log = logTo(({ message }, delivered) => {
    sent.push(message);
    pending.push(delivered);
  });
  const report = reportTo(log);
  report("records", { persistent: true });
  report("status 1");
  report("status 2");
  report("more records", { persistent: true });
  const settle = async (error: unknown = null) => {
    for (const delivered of pending) delivered(error);
    pending = [];
    await new Promise(setImmediate);
  };
  await new Promise(setImmediate);
  expect(sent).toEqual(["records", "more records"]);
  // An engine that rejects a message must not hold back the next ones.
  await settle(new Error("rejected"));
  expect(sent).toEqual(["records", "more records", "status 1"]);
  await settle();
  expect(sent).toEqual(["records", "more records", "status 1", "status 2"]);
  await settle();
});

test("without an engine nothing is sent", () => {
  expect(() => reportTo(undefined)("PENDING_DNS")).not.toThrow();
});
