/**
 * The checklists for a new resource and a new function: every place outside its declaration that must mention it. What is
 * missing is reported as a task. The tasks are in order in CONTRIBUTING.md, "Adding a resource" and "Adding a function".
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as providers from "../../provider";
import { exportName, providerText, typeToken } from "../../provider/hosts/dynamicNames";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { EVERY_DESCRIPTION } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { type Fields, fieldsOf } from "../../provider/values/schema";
import { isRecord, valueAt } from "../../provider/values/walk";
import * as sdk from "../../sdk";
import * as native from "../../sdk/native";
import { FUNCTION_EXAMPLES } from "../support/values/functionExamples";
import { type Kind, RESOURCE_EXAMPLES } from "../support/values/resourceExamples";

const ROOT = resolve(__dirname, "..", "..");

function textOf(file: string) {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The tasks for a resource, each with whether it is done. */
function tasksFor(description: ResourceDescription): Record<string, boolean> {
  const { type, idOf, list } = description;
  const provider = exportName(description);
  return {
    [`List the ${type}s in \`list\`: it creates objects, and the response to a create may be lost.`]:
      idOf !== undefined || list !== undefined,
    [`Export the provider ${provider} from provider/index.ts.`]: provider in providers,
    [`Export the class ${type} from sdk/index.ts.`]: type in sdk,
    [`Run \`npm run docs\`, which writes native.${type}, its reference page and the tables.`]: type in native,
    [`Append the type token and the provider text of ${type} to test/pure/frozen.test.ts.`]: [
      `"${typeToken(description)}"`,
      `'${providerText(description)}'`,
    ].every((line) => textOf("test/pure/frozen.test.ts").includes(line)),
    [`Add examples of ${type} to test/support/values/resourceExamples.ts, then run \`npx jest test/scenarios/messages -u\`.`]:
      type in RESOURCE_EXAMPLES,
    [`Mention ${type} in CHANGELOG.md.`]: textOf("CHANGELOG.md").includes(`\`${type}\``),
  };
}

test.each(EVERY_DESCRIPTION)("$type is mentioned everywhere that a resource must be", (description) => {
  const open = Object.entries(tasksFor(description)).filter(([, done]) => !done);
  expect(open.map(([task]) => task)).toEqual([]);
});

function pathsIn(fields: Fields): string[][] {
  return Object.entries(fields).flatMap(([name, field]) =>
    pathsIn(fieldsOf(field) ?? {})
      .map((path) => [name, ...path])
      .concat(fieldsOf(field) === undefined ? [[name]] : []),
  );
}

test.each(EVERY_DESCRIPTION)(
  "every input of $type has a value in an example, and another one in a change",
  (description) => {
    const { valid, changes } = RESOURCE_EXAMPLES[description.type as Kind];
    const open = pathsIn(description.inputs.shape as Fields).flatMap((path) => {
      const valuesIn = (examples: readonly object[]) =>
        examples.map((each) => valueAt(each, path)).filter((value) => value != null);
      const [first] = valuesIn([valid[0]]);
      const changed = valuesIn(changes.map(({ to }) => to)).some(
        (value) => isRecord(value) || value !== first,
      );
      const task = (where: string) =>
        `Give ${path.join(".")} a value in ${where} of test/support/values/resourceExamples.ts.`;
      return [
        ...(valuesIn(valid).length > 0 ? [] : [task("a valid example")]),
        ...(changed ? [] : [task("a change, another than in the first example,")]),
      ];
    });
    expect(open).toEqual([]);
  },
);

test.each(Object.keys(FUNCTIONS))("%s is everywhere that a function must be", (name) => {
  const tasks = {
    [`Run \`npm run docs\`, which writes ${name} and ${name}Output for both hosts, and the pages.`]: [
      sdk,
      native,
    ].every((module) => name in module && `${name}Output` in module),
    [`Append ${name} to test/pure/frozen.test.ts.`]: textOf("test/pure/frozen.test.ts").includes(
      `["${name}"`,
    ),
    [`Add a call of ${name} to test/support/values/functionExamples.ts, which test/scenarios/organizations.test.ts makes.`]:
      name in FUNCTION_EXAMPLES,
  };
  expect(Object.keys(tasks).filter((task) => !tasks[task])).toEqual([]);
});
