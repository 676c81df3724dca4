/**
 * The checklist for a new resource: every place outside its description that must mention it. What is missing is
 * reported as a task. The tasks are in order in CONTRIBUTING.md, "Adding a resource".
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as providers from "../../provider";
import { exportName } from "../../provider/hosts/dynamicNames";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { DESCRIPTIONS } from "../../provider/resources";
import { FUNCTIONS } from "../../scripts/referencePages";
import * as sdk from "../../sdk";
import * as native from "../../sdk/native";
import { startEmulator } from "../../testing/emulator";
import { declarationsOf, FAULTED, type Plan } from "../faults/plan";
import { inProcessStack } from "../support/stacks/inProcessStack";
import { KEY, seedWith } from "../support/stacks/scenarios";

const ROOT = resolve(__dirname, "..", "..");

function textOf(file: string) {
  return readFileSync(join(ROOT, file), "utf8");
}

const scenarios = globSync("test/scenarios/*.test.ts", { cwd: ROOT }).map(textOf).join("\n");

/** Programs of the fault campaign that declare everything, one for each variant. */
const plans: readonly Plan[] = [0, 1].map((variant) => ({
  projects: [0, 1, 2].map(() => ({ present: true, variant })),
  applications: [0, 1, 2, 3, 4].map((index) => ({
    present: true,
    variant,
    project: index % 3,
    platform: index % 3,
  })),
  domains: [0, 1, 2].map((project) => ({ present: true, variant, project })),
  activation: true,
}));
const declared = new Set(plans.flatMap(declarationsOf).map(({ kind }) => kind));

/** The tasks for a resource, each with whether it is done. */
function tasksFor(description: ResourceDescription): Record<string, boolean> {
  const { type, creates, idOf, siblings } = description;
  const provider = exportName(description);
  return {
    [`List the ${type}s in \`siblings\`: it creates objects, and the answer to a create may be lost.`]:
      creates !== "object" || siblings !== undefined,
    [`Say in \`idOf\` whose UUID the id of a ${type} is: it creates no object of its own.`]:
      (creates === "object") === (idOf === undefined),
    [`Export the provider ${provider} from provider/index.ts.`]: provider in providers,
    [`Export the class ${type} from sdk/index.ts.`]: type in sdk,
    [`Run \`npm run docs\`, which writes native.${type}, its reference page and the tables.`]: type in native,
    [`Declare a ${type} and a native.${type} in test/unit/programTypes.ts.`]: ["", "native."].every(
      (module) => textOf("test/unit/programTypes.ts").includes(`new ${module}${type}(`),
    ),
    [`Write a scenario that declares a ${type} in test/scenarios.`]: scenarios.includes(`new ${type}(`),
    [`Go through the lifecycle of a ${type} in test/scenarios/undecided.test.ts.`]: textOf(
      "test/scenarios/undecided.test.ts",
    ).includes(`kind: "${type}"`),
    [`Declare a ${type} in declarationsOf of test/faults/plan.ts.`]: declared.has(type as never),
    [`Show what fails with a ${type} in test/messages/cases.ts, then run \`npm run docs:errors\`.`]: textOf(
      "test/messages/cases.ts",
    ).includes(`declare("${type}"`),
    [`Mention ${type} in CHANGELOG.md.`]: textOf("CHANGELOG.md").includes(`\`${type}\``),
  };
}

test.each(Object.values(DESCRIPTIONS) as unknown as ResourceDescription[])(
  "$type is mentioned everywhere that a resource must be",
  (description) => {
    const open = Object.entries(tasksFor(description)).filter(([, done]) => !done);
    expect(open.map(([task]) => task)).toEqual([]);
  },
);

test.each(FUNCTIONS)("%s has its second form, on both hosts", (name) => {
  const tasks = {
    [`Export ${name}Output from sdk/index.ts.`]: `${name}Output` in sdk,
    [`Add ${name} and ${name}Output to sdk/native/functions.ts, and export them from sdk/native/index.ts.`]:
      name in native && `${name}Output` in native,
  };
  expect(Object.keys(tasks).filter((task) => !tasks[task])).toEqual([]);
});

test("the fault campaign injects faults into every operation that its programs send", async () => {
  const service = await startEmulator({ seed: seedWith() });
  const stack = inProcessStack({
    environment: () => ({ DYNAMICLINK_API_KEY: KEY }),
    config: { "dynamiclink:apiUrl": service.url },
    timeoutMs: () => 20_000,
    random: () => 0,
  });
  try {
    for (const plan of plans) expect((await stack.up(declarationsOf(plan))).failed).toBe(false);
    await stack.refresh();
    await stack.destroy();
    const sent = new Set(service.requests.map(({ operationId }) => operationId));
    const missing = [...sent].filter((operation) => operation !== null && !FAULTED.includes(operation));
    expect(missing.map((operation) => `Add ${operation} to the operations of test/faults/plan.ts.`)).toEqual(
      [],
    );
  } finally {
    await service.close();
  }
});
