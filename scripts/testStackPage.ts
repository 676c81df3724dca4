/** Generates the reference of the test engine from its types and their doc comments. */
import { code, page, table, withContents } from "./markdown";
import { commentOf, type DocumentedProperty, propertiesOf } from "./sourceDocs";

/** The types of fields whose own text is too long for a table, or that have a table of their own, by the name of the field. */
const TYPES: Readonly<Record<string, string>> = {
  config: '`Record<string, string>`; a secret is `{ secret: "…" }`',
  environment: "`Record<string, string>`",
  mocks: "[Mocks](#mocks)",
  trace: "`(message) => void`",
  changes: "a number for each [operation](#steps)",
  steps: "list of [steps](#steps)",
  diagnostics: "list of [messages](#messages)",
  resources: "list of [resources](#resources)",
  old: "[resource](#resources)",
  new: "[resource](#resources)",
  inputs: "`Record<string, Value>`",
  outputs: "`Record<string, Value>`",
  resourceHooks: "names by time, such as `BeforeCreate`",
};

/** The page `test-stack.md`. */
export function testStackPage(): string {
  const properties = (module: string, name: string) => propertiesOf(`testing/engine/${module}.ts`, name);
  const { text: unknown } = commentOf("testing/engine/protocol/values.ts", "UNKNOWN_VALUE");
  return page(
    "Test engine reference",
    withContents([
      "`testStack(options)` resolves with a stack under test. For examples, see [testing.md](testing.md#test-engine).",
      "## Options",
      fields(properties("testStack", "TestStackOptions"), true),
      "### Mocks",
      commentOf("testing/engine/providers/mocks.ts", "Mocks").text,
      methods(properties("providers/mocks", "Mocks")),
      "`resource` has:",
      fields(properties("providers/mocks", "MockResourceArguments")),
      "`call` has:",
      fields(properties("providers/mocks", "MockCallArguments")),
      "## Methods",
      commentOf("testing/engine/testStack.ts", "TestStack").text,
      methods(properties("testStack", "TestStack")),
      "### Options of preview and up",
      "`refresh` accepts `expectNoChanges`, and `destroy` accepts `refresh`, with the same meaning.",
      fields(properties("testStack", "UpdateOptions")),
      "## Result",
      "A command resolves with:",
      fields(properties("run/result", "TestResult")),
      `A command that fails rejects with a ${code("StackFailure")}. Its ${code("message")} lists the errors and warnings, ${code("command")} is the name of the command, and ${code("result")} is the result so far.`,
      `The constant ${code("UNKNOWN_VALUE")} of ${code("pulumi-dynamiclink/testing")} s${unknown.slice(1)}`,
      "### Steps",
      fields(properties("run/result", "TestStep")),
      "### Resources",
      fields(properties("run/result", "TestResource")),
      "### Messages",
      fields(properties("protocol/monitor", "Diagnostic")),
    ]),
    "the doc comments in testing/engine/",
  );
}

function fields(properties: readonly DocumentedProperty[], options = false): string {
  return table(
    ["field", "type", "description"],
    properties.map(({ path, type, optional, text }) => {
      const plain = type
        .replaceAll("readonly ", "")
        .replace(/^\{ \[x: string\]: (.*); \}$/, "Record<string, $1>");
      const typed = TYPES[path] ?? code(plain.replaceAll("; }", " }"));
      return [code(path), options && !optional ? `${typed}, required` : typed, text];
    }),
  );
}

function methods(properties: readonly DocumentedProperty[]): string {
  return table(
    ["method", "description"],
    properties.map(({ path, parameters = [], text }) => [code(`${path}(${parameters.join(", ")})`), text]),
  );
}
