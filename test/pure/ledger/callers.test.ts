/** Which resource a call is about, on a host that says so only to `check`. */
import { newCallers } from "../../../provider/lifecycle/run/callers";

/** The declared values of resources, as the calls have them. */
const EQUAL = "application equal";
const OTHER = "application other";

type Call =
  | readonly ["checked", key: string, resource: string | undefined]
  | readonly ["new", resource: string | undefined]
  | readonly ["compared", key: string, object: string];

function after(calls: readonly Call[]) {
  const callers = newCallers();
  for (const [call, ...values] of calls) {
    const [first = "", second = ""] = values;
    if (call === "checked") callers.checked(first, values[1]);
    else if (call === "new") callers.checkedNew(values[0]);
    else callers.compared(first, second);
  }
  return callers;
}

test.each<[situation: string, calls: readonly Call[], owner: string | undefined]>([
  ["of no resource, if none was checked", [["compared", EQUAL, "A"]], undefined],
  [
    "of the one that was checked",
    [
      ["checked", EQUAL, "web"],
      ["compared", EQUAL, "A"],
    ],
    "web",
  ],
  [
    "of none that was checked with other values",
    [
      ["checked", OTHER, "web"],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
  [
    "of none, if the one that was checked has another object",
    [
      ["checked", EQUAL, "web"],
      ["compared", EQUAL, "B"],
    ],
    undefined,
  ],
  [
    "of none with its values, if the one that has it was checked with other values",
    [
      ["checked", OTHER, "web"],
      ["compared", OTHER, "A"],
    ],
    undefined,
  ],
  [
    "of the one that was checked last, if each is compared before the next is checked",
    [
      ["checked", EQUAL, "site"],
      ["compared", EQUAL, "B"],
      ["checked", EQUAL, "web"],
      ["compared", EQUAL, "A"],
    ],
    "web",
  ],
  [
    "of none of two equal ones that are compared in parallel",
    [
      ["checked", EQUAL, "web"],
      ["checked", EQUAL, "site"],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
  [
    "of none of two, also when the second is compared",
    [
      ["checked", EQUAL, "web"],
      ["checked", EQUAL, "site"],
      ["compared", EQUAL, "B"],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
  [
    "of the other one, if one of two is checked as new meanwhile",
    [
      ["checked", EQUAL, "web"],
      ["checked", EQUAL, "site"],
      ["new", "site"],
      ["compared", EQUAL, "A"],
    ],
    "web",
  ],
  [
    "of none, if something that nothing identifies is checked as new",
    [
      ["checked", EQUAL, "web"],
      ["checked", EQUAL, undefined],
      ["new", undefined],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
  [
    "of none, after something that nothing identifies",
    [
      ["checked", EQUAL, undefined],
      ["compared", EQUAL, "B"],
      ["checked", EQUAL, "web"],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
  [
    "of none that nothing identifies",
    [
      ["checked", EQUAL, undefined],
      ["compared", EQUAL, "A"],
    ],
    undefined,
  ],
])("an object is %s: %j", (_situation, calls, owner) => {
  const callers = after(calls);
  expect(callers.ownerOf(EQUAL, "A")).toBe(owner);
  expect(callers.isDeclared(EQUAL)).toBe(calls.some(([call, key]) => call === "checked" && key === EQUAL));
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
