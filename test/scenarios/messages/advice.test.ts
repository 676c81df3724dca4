/** What messages advise leads where it says. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { runScenarios } from "../../support/stacks/scenarios";
import { ADVICE, patternOf } from "./advice";
import { CASES, messageOf, openCase } from "./cases";
import { errorsIn, FOLLOW_UPS } from "./followUps";

runScenarios(
  "advice leads to its end",
  Object.entries(ADVICE).map(([name, { words, situation, follow, ...scenario }]) => ({
    name,
    ...scenario,
    async run(tools) {
      const printed = await situation(tools);
      expect(printed).toMatch(patternOf(words));
      await follow(tools, printed);
      await tools.stack.preview({ expectNoChanges: true });
    },
  })),
);

const ROWS = Object.entries(FOLLOW_UPS).map(([name, row], index) => {
  const { only = index % 2 === 0 ? "dynamic" : "native" } = row;
  return [name, only, row] as const;
});

test.each(ROWS)("advice leads to its end: %s, on the %s host", async (_, host, { words, after, steps }) => {
  await using tools = await openCase(host === "dynamic" ? DYNAMIC_HOST : NATIVE_HOST);
  const message = await messageOf(tools, typeof after === "string" ? (CASES[after] ?? []) : after);
  expect(message).toMatch(patternOf(words));
  for (const step of steps) expect(errorsIn(await step(tools, message))).toEqual([]);
});
