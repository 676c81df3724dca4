/** What messages advise leads where it says. */
import { runScenarios } from "../../support/stacks/scenarios";
import { ADVICE, patternOf } from "./advice";

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
