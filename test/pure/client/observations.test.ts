/** What a client learns from the responses of the service. */
import { newObservations } from "../../../provider/client/observations";

const SENT = "99999999-9999-4999-8999-999999999999";
const OTHER = "66666666-6666-4666-8666-666666666666";

function response(status: number, headers: Readonly<Record<string, string>>) {
  return { kind: "response", status, header: (name: string) => headers[name], body: "" } as const;
}

test.each([
  [404, SENT, true],
  [400, SENT, true],
  [404, OTHER, false],
  // What adds the id to a success may not be what responds with an error.
  [201, SENT, false],
])(
  "after a response with status %i and the id %s, errors have the id that was sent: %s",
  (status, id, expected) => {
    const observations = newObservations();
    observations.add(response(status, { "x-request-id": id }), SENT);
    expect(observations.isEchoing()).toBe(expected);
    observations.add(response(404, { "x-request-id": OTHER }), SENT);
    expect(observations.isEchoing()).toBe(expected);
  },
);

test("the time of the service is that of the last date and the time since then", () => {
  const elapsed = jest.spyOn(performance, "now").mockReturnValue(1000);
  const observations = newObservations();
  expect(observations.serviceTimeMs()).toBeUndefined();
  observations.add(response(404, { date: "Thu, 02 Jan 2025 03:04:05 GMT" }), SENT);
  elapsed.mockReturnValue(3500);
  observations.add(response(200, { date: "nonsense" }), SENT);
  expect(observations.serviceTimeMs()).toBe(Date.UTC(2025, 0, 2, 3, 4, 7, 500));
  elapsed.mockRestore();
});
