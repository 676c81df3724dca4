/** What a process knows of a run: what it shares with the other processes, what it learns from them, and what if that fails. */
import { UserError } from "../../../provider/errors";
import type { Fact, FactKind } from "../../../provider/lifecycle/ledger/facts";
import {
  newLedger,
  type RunLog,
  recordIfPossible,
  refusing,
} from "../../../provider/lifecycle/ledger/ledger";

const FACT: Fact = { is: "declared", object: "project a", by: "web" };
const FULL = new UserError("The disk is full.");

/** A ledger, the lines that it shares, and those that another process shares. */
function shared() {
  const lines: string[] = [];
  const others: string[] = [];
  const log: RunLog = {
    append: (line) => void lines.push(line),
    read: () => ({ lines: others.splice(0) }),
    requireShared() {},
  };
  return { ledger: newLedger(log), lines, others };
}

function throwing(error: Error): RunLog {
  const fail = () => {
    throw error;
  };
  return { append: fail, read: () => ({ lines: [] }), requireShared: fail };
}

test.each<[is: FactKind, isShared: boolean]>([
  ["seen", false],
  ["listedBefore", false],
  ["adoptedEntry", false],
  ["adopting", true],
  ["adoptedBefore", true],
  ["declared", true],
  ["replacing", true],
  ["creating", true],
  ["created", true],
  ["notCreated", true],
  ["recovered", true],
])("the other processes learn of the fact %s: %s", (is, isShared) => {
  const { ledger, lines } = shared();
  ledger.record({ ...FACT, is });
  expect(lines.map((line) => JSON.parse(line))).toEqual(isShared ? [{ ...FACT, is }] : []);
  expect(ledger.facts().about("project a")).toEqual([{ ...FACT, is }]);
});

test.each<[situation: string, facts: readonly Partial<Fact>[], recorded: number]>([
  ["that is known", [{}, {}], 1],
  ["that is known, after another one", [{}, { is: "adopting" }, {}], 2],
  ["of another kind", [{}, { is: "adopting" }], 2],
  ["of another resource", [{}, { by: "site" }, {}], 2],
  ["about another object", [{}, { object: "project b" }, {}], 2],
  ["that was overruled", [{}, { is: "replacing" }, {}], 3],
  ["that another resource's fact does not overrule", [{}, { is: "replacing", by: "site" }, {}], 2],
  ["with other values", [{ fixed: "one" }, { fixed: "two" }, { fixed: "two" }], 2],
])("a fact is recorded once: one %s", (_situation, facts, recorded) => {
  const { ledger, lines } = shared();
  for (const fact of facts) ledger.record({ ...FACT, ...fact });
  expect(lines).toHaveLength(recorded);
});

test("facts of other processes count like those of this one, except for incomplete lines", () => {
  const { ledger, lines, others } = shared();
  others.push('{"is":"declared","obj', JSON.stringify({ ...FACT, is: "recovered" }), JSON.stringify(FACT));
  expect(
    ledger
      .facts()
      .about("project a")
      .map(({ is }) => is),
  ).toEqual(["recovered", "declared"]);
  expect(ledger.facts().by("web")).toHaveLength(2);
  ledger.record(FACT);
  expect(lines).toEqual([]);
});

test("without other processes, facts are those of this one", () => {
  const ledger = newLedger();
  ledger.requireShared();
  ledger.record(FACT);
  const { about, by, problem } = ledger.facts();
  expect([about("project a"), about("project b"), by("web"), by("site"), problem]).toEqual([
    [FACT],
    [],
    [FACT],
    [],
    undefined,
  ]);
});

describe("if a fact cannot be recorded for the others", () => {
  const DEFECT = new Error("defect");

  test("what depends on it is refused, with the reason", () => {
    const ledger = newLedger(throwing(FULL));
    for (const record of [() => ledger.record(FACT), () => ledger.requireShared()])
      expect(() => refusing("Refused.", record)).toThrow(
        expect.objectContaining({ message: "Refused.\nThe disk is full.", cause: FULL }),
      );
    expect(refusing("Refused.", () => "recorded")).toBe("recorded");
  });

  test("what has happened already still counts in this process", () => {
    const ledger = newLedger(throwing(FULL));
    recordIfPossible(ledger, FACT);
    expect(ledger.facts().about("project a")).toEqual([FACT]);
  });

  test("a defect is not taken for it", () => {
    const ledger = newLedger(throwing(DEFECT));
    expect(() => recordIfPossible(ledger, FACT)).toThrow(DEFECT);
    expect(() => refusing("Refused.", () => ledger.requireShared())).toThrow(
      expect.objectContaining({ message: "defect" }),
    );
  });
});
