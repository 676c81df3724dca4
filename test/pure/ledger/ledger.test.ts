/** What a process knows of a run: its own facts, each once. */
import type { Fact } from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";

const FACT: Fact = { is: "declared", object: "project a", by: "web" };

test.each<[situation: string, facts: readonly Partial<Fact>[], recorded: number]>([
  ["that is known", [{}, {}], 1],
  ["that is known, after another one", [{}, { is: "adopting" }, {}], 2],
  ["of another kind", [{}, { is: "adopting" }], 2],
  ["that was overruled", [{}, { is: "replacing" }, {}], 3],
  ["with other values", [{ fixed: "one" }, { fixed: "two" }, { fixed: "two" }], 2],
])("a fact is recorded once: one %s", (_situation, facts, recorded) => {
  const ledger = newLedger();
  for (const fact of facts) ledger.record({ ...FACT, ...fact });
  expect(ledger.by("web")).toHaveLength(recorded);
});
