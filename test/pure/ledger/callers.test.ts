/** Which resource a call is about, on a host that says so only to `check`. */
import { newCallers } from "../../../provider/lifecycle/run/callers";

/** The declared values of resources, as the calls have them. */
const EQUAL = "equal";
const OTHER = "other";

type Values = typeof EQUAL | typeof OTHER;

/** A call: which resource is checked, with which values, or as a new one, and which values of an object are compared. */
type Call = `check ${Values} ${string}` | `check new ${string}` | `compare ${Values} ${"A" | "B"}`;

function after(calls: readonly Call[]) {
  const callers = newCallers();
  for (const call of calls) {
    const [kind, values = "", name = ""] = call.split(" ");
    const resource = name === "?" ? undefined : name;
    if (kind === "compare") callers.compared(values, name);
    else if (values === "new") callers.checkedNew(resource);
    else callers.checked(values, resource);
  }
  return callers;
}

test.each<[situation: string, calls: readonly Call[], owner: string | undefined]>([
  ["of no resource, if none was checked", ["compare equal A"], undefined],
  ["of the one that was checked", ["check equal web", "compare equal A"], "web"],
  ["of none that was checked with other values", ["check other web", "compare equal A"], undefined],
  [
    "of none, if the one that was checked has another object",
    ["check equal web", "compare equal B"],
    undefined,
  ],
  [
    "of none with its values, if the one that has it was checked with other values",
    ["check other web", "compare other A"],
    undefined,
  ],
  [
    "of the one that was checked last, if each is compared before the next is checked",
    ["check equal site", "compare equal B", "check equal web", "compare equal A"],
    "web",
  ],
  [
    "of none of two equal ones that are compared in parallel",
    ["check equal web", "check equal site", "compare equal A"],
    undefined,
  ],
  [
    "of none of two, also when the second is compared",
    ["check equal web", "check equal site", "compare equal B", "compare equal A"],
    undefined,
  ],
  [
    "of the other one, if one of two is checked as new meanwhile",
    ["check equal web", "check equal site", "check new site", "compare equal A"],
    "web",
  ],
  [
    "of none, if something that nothing identifies is checked as new",
    ["check equal web", "check equal ?", "check new ?", "compare equal A"],
    undefined,
  ],
  [
    "of none, after something that nothing identifies",
    ["check equal ?", "compare equal B", "check equal web", "compare equal A"],
    undefined,
  ],
  ["of none that nothing identifies", ["check equal ?", "compare equal A"], undefined],
])("an object is %s: %j", (_situation, calls, owner) => {
  const callers = after(calls);
  expect(callers.ownerOf(EQUAL, "A")).toBe(owner);
  expect(callers.isDeclared(EQUAL)).toBe(calls.some((call) => call.startsWith("check equal")));
});

test("a create is for any of the resources that are checked as new with its values, each once", () => {
  const callers = newCallers();
  expect(callers.creatorsOf(EQUAL)).toEqual([]);
  for (const resource of ["web", "site", "web"]) callers.creates(EQUAL, resource);
  callers.creates(OTHER, "blog");
  expect(callers.creatorsOf(EQUAL)).toEqual(["web", "site"]);
  callers.creates(EQUAL, undefined);
  callers.creates(EQUAL, undefined);
  expect(callers.creatorsOf(EQUAL)).toHaveLength(4);
});
