/** Whether an object that was not found is absent, by what the lists say. */
import { isAbsent, type ListAnswers } from "../../../provider/lifecycle/evidence/absence";

test.each<[ListAnswers, ReturnType<typeof isAbsent>]>([
  [{ list: "lacks it" }, "yes"],
  [{ list: "has it" }, "no"],
  [{ list: "project not found", project: "lacks it" }, "yes"],
  [{ list: "project not found", project: "has it" }, "no"],
  // The 404 of the project's list is evidence if the key cannot list the projects.
  [{ list: "project not found", project: "not visible" }, "yes"],
  [{ list: "none" }, "unconfirmed"],
])("with %j, it is absent: %s", (answers, absent) => {
  expect(isAbsent(answers)).toBe(absent);
});
