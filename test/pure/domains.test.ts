/** Custom domains in the command `domains`: which need attention, and their records in a zone file. */
import { attentionOf } from "../../cli/domains/attention";
import { zoneLine } from "../../cli/domains/zoneFile";
import { durationMs } from "../../cli/terminal/duration";
import { redrawing } from "../../cli/terminal/redraw";
import type { CustomDomain } from "../../provider/client";
import { type DomainRecord, recordsOf, recordText } from "../../provider/resources/domainRecords";

const NOW = new Date("2026-03-31T12:00:00Z");
const CREATED = { createdAt: "2026-03-01T00:00:00Z", activatedAt: null, expiresAt: null };
const ACTIVE = { ...CREATED, lifecycleStatus: "ACTIVE", activatedAt: "2026-03-01T00:10:00Z" };
const JUST_CREATED = { ...CREATED, createdAt: "2026-03-30T12:00:00Z" };

describe("attention", () => {
  const limits = { expiresWithinMs: durationMs("14d"), pendingForMs: durationMs("1d"), now: NOW };

  test.each<[string, Parameters<typeof attentionOf>[0], boolean, RegExp | undefined]>([
    ["active, without a date", ACTIVE, true, undefined],
    ["active for exactly two weeks more", { ...ACTIVE, expiresAt: "2026-04-14T12:00:00Z" }, true, undefined],
    [
      "active for less than two weeks more",
      { ...ACTIVE, expiresAt: "2026-04-14T11:59:59Z" },
      true,
      /^expires on 2026-04-14, in 13 days\.$/,
    ],
    ["active after its date", { ...ACTIVE, expiresAt: "2026-03-31T11:59:59Z" }, true, /^was to expire/],
    ["failed", { ...CREATED, lifecycleStatus: "FAILED" }, true, /^has failed\./],
    ["expired", { ...ACTIVE, lifecycleStatus: "EXPIRED" }, true, /^has expired/],
    ["being deleted", { ...ACTIVE, lifecycleStatus: "DELETING" }, false, undefined],
    ["being deleted, in a stack", { ...ACTIVE, lifecycleStatus: "DELETING" }, true, /^is being deleted/],
    ["pending for exactly a day", { ...JUST_CREATED, lifecycleStatus: "PENDING_DNS" }, true, undefined],
    ["pending for longer", { ...CREATED, lifecycleStatus: "PENDING_DNS" }, true, /^is still pending/],
    ["in a new status for longer", { ...CREATED, lifecycleStatus: "QUEUED" }, true, /^is still pending/],
    ["pending again, for a renewal", { ...ACTIVE, lifecycleStatus: "PENDING_DNS" }, true, undefined],
    [
      "pending in a renewal that is late",
      { ...ACTIVE, lifecycleStatus: "PENDING_DNS", expiresAt: "2026-04-02T00:00:00Z" },
      true,
      /^expires on 2026-04-02, in 1 day\.$/,
    ],
    ["with an expiry that is not a date", { ...ACTIVE, expiresAt: "26/11/2026" }, true, /"26\/11\/2026"/],
    [
      "pending since a time that is not a date",
      { ...CREATED, createdAt: "yesterday", lifecycleStatus: "PENDING_DNS" },
      true,
      /^has a date that cannot be read: "yesterday"\.$/,
    ],
    ["not found", undefined, true, /^was not found\./],
  ])("%s", (_, domain, isManaged, expected) => {
    const attention = attentionOf(domain, { ...limits, isManaged });
    if (expected === undefined) expect(attention).toBeUndefined();
    else expect(attention).toMatch(expected);
  });
});

describe("records", () => {
  const domain = {
    hostname: "Links.Straße.example.",
    cnameTarget: "target.example",
    ownershipValidation: { type: "txt", name: "_proof.links.example", value: "a  b" },
    sslValidationRecords: {
      records: [
        { txtName: "_a.links.example", txtValue: "x", httpUrl: "http://links.example/a", httpBody: "body" },
        { status: "pending" },
      ],
    },
  } as unknown as CustomDomain;
  const client = { sanitized: <Value>(value: Value) => value };
  const listed = (lifecycleStatus: string) => recordsOf(client, { ...domain, lifecycleStatus });

  test("HTTP is preferred, host names are canonical, and a record without a name is left out", () => {
    expect(listed("PENDING_DNS").map(recordText)).toEqual([
      "CNAME links.xn--strae-oqa.example -> target.example",
      'TXT _proof.links.example -> "a  b"',
      'Serve "body" at http://links.example/a',
    ]);
  });

  test.each([
    ["PENDING_CERTIFICATE", ["links", "ownership", "certificate"]],
    ["FAILED", ["links", "ownership", "certificate"]],
    ["ACTIVE", ["links"]],
    ["DELETING", []],
  ])("in %s, those for %j are needed", (status, purposes) => {
    const needed = listed(status).filter((record) => record.needed);
    expect(needed.map(({ purpose }) => purpose)).toEqual(purposes);
  });
});

describe("a zone file", () => {
  const need = { purpose: "ownership", needed: true } as const;
  const record = (type: string, name: string, value: string): DomainRecord => ({
    type,
    name,
    value,
    ...need,
  });
  const long = "ü".repeat(200);
  const bytes = (count: number) => "\\195\\188".repeat(count);

  test.each<[string, DomainRecord, string]>([
    ["a CNAME", record("CNAME", "a.example", "b.example"), "a.example. 300 IN CNAME b.example."],
    [
      "names that are absolute",
      record("CNAME", "A.example.", "b.example."),
      "a.example. 300 IN CNAME b.example.",
    ],
    ["names in Unicode", record("TXT", "_p.straße.example", "x"), '_p.xn--strae-oqa.example. 300 IN TXT "x"'],
    ["quotes", record("TXT", "a.example", 'say "a\\b"; #'), 'a.example. 300 IN TXT "say \\"a\\\\b\\"; #"'],
    ["an empty text", record("TXT", "a.example", ""), 'a.example. 300 IN TXT ""'],
    ["255 bytes", record("TXT", "a.example", "x".repeat(255)), `a.example. 300 IN TXT "${"x".repeat(255)}"`],
    [
      "more than 255 bytes",
      record("TXT", "a.example", long),
      // The 255th byte is the first of a character. Readers join the strings.
      `a.example. 300 IN TXT "${bytes(127)}\\195" "\\188${bytes(72)}"`,
    ],
    ["a name with a blank", record("TXT", "a b.example", "x"), '; TXT a b.example -> "x"'],
    [
      "a label of 64 characters",
      record("TXT", `${"a".repeat(64)}.example`, "x"),
      `; TXT ${"a".repeat(64)}.example -> "x"`,
    ],
    ["a name without a label", record("CNAME", "a.example", ""), '; CNAME a.example -> ""'],
    ["another type", record("CAA", "a.example", "x"), '; CAA a.example -> "x"'],
    [
      "a response",
      { url: "http://a.example/x", body: "proof", ...need },
      '; Serve "proof" at http://a.example/x',
    ],
  ])("with %s", (_, given, line) => {
    expect(zoneLine(given)).toBe(line);
  });
});

test.each([
  ["45s", 45_000],
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["30d", 2_592_000_000],
])("the duration %s has %d milliseconds", (text, expected) => {
  expect(durationMs(text)).toBe(expected);
});

test.each(["", "30", "1.5d", "-1d", "30 d", "1w"])("%j is not a duration", (text) => {
  expect(() => durationMs(text)).toThrow("Give a whole number and a unit");
});

test("a terminal shows a text in place of the one before, which may have wrapped, but not if it was too high", () => {
  const written: unknown[] = [];
  const show = redrawing({ columns: 10, rows: 5, write: (text: unknown) => written.push(text) > 0 });
  show("short\n");
  show(`${"x".repeat(11)}\n\n`);
  show("1\n2\n3\n4\n5\n");
  show("end\n");
  expect(written).toEqual([
    "short\n",
    `\u001b[1A\u001b[J${"x".repeat(11)}\n\n`,
    "\u001b[3A\u001b[J1\n2\n3\n4\n5\n",
    "end\n",
  ]);
});
