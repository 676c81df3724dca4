/** What hosts report to the engine: on which row, and whether it stays. */
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { reportTo } from "../../provider/hosts/engineLog";

test.each<[string, { persistent?: boolean } | undefined, string | undefined, object]>([
  ["progress of the stack", undefined, undefined, { urn: "", ephemeral: true }],
  ["progress of a resource", {}, "urn:a", { urn: "urn:a", ephemeral: true }],
  ["what stays", { persistent: true }, "urn:a", { urn: "urn:a", ephemeral: false }],
])("%s", (_name, options, urn, expected) => {
  const sent: LogRequest.AsObject[] = [];
  const client = { log: (request: unknown) => void sent.push((request as LogRequest).toObject()) };
  reportTo({ client, LogRequest: LogRequest as never, LogSeverity }, urn)("PENDING_DNS", options);
  expect(sent).toEqual([{ severity: LogSeverity.INFO, message: "PENDING_DNS", streamid: 0, ...expected }]);
});

test("without an engine nothing is sent", () => {
  expect(() => reportTo(undefined)("PENDING_DNS")).not.toThrow();
});
