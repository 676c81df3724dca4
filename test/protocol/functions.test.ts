/** In a first preview, the functions of both hosts know what Pulumi's own invoke knows. */
import { ReadResourceResponse } from "@pulumi/pulumi/proto/resource_pb";
import { startEmulator } from "../../testing/emulator";
import { programWith } from "../release/package/programs";
import { PLUGIN_PROJECT } from "../support/providers/pluginProject";
import { programStack } from "../support/stacks/programStack";
import { seedWith } from "../support/values/organizations";

const APPLICATION = "0c0c0c0c-0000-4000-8000-000000000004";
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";

/** The arguments, as expressions of the program, and whether a first preview knows the results. */
const ARGUMENTS: Readonly<Record<string, boolean>> = {
  'reference.requireOutput("projectId")': true,
  "reference.outputs.apply(({ projectId }) => projectId)": true,
  'referenceByOutput.getOutput("projectId")': true,
  'new Group("group").projectId': true,
  'dynamic.Project.get("read", "PROJECT").id': true,
  'native.Project.get("readNatively", reference.getOutput("projectId")).id': true,
  'native.Application.get("app", "APPLICATION").projectId': true,
  'dynamic.Application.get("application", "APPLICATION").projectId': true,
  'new native.Project("imported", { name: "Shop" }, { import: "PROJECT" }).id': true,
  'new dynamic.Project("created", { name: "Created" }).name.apply(() => "PROJECT")': false,
  'new native.Project("createdNatively", { name: "Natively" }).name.apply(() => "PROJECT")': false,
};

const PROGRAM = `
  import * as pulumi from "@pulumi/pulumi";
  import * as dynamic from "pulumi-dynamiclink";
  import * as native from "pulumi-dynamiclink/native";

  const reference = new pulumi.StackReference("organization/infra/prod");
  const referenceByOutput = new pulumi.StackReference("other", { name: pulumi.output("organization/infra/prod") });
  class Group extends pulumi.ComponentResource {
    constructor(name) {
      super("shop:index:Group", name);
      this.projectId = new pulumi.StackReference("inside", { name: "organization/infra/prod" }, { parent: this }).getOutput("projectId");
      this.registerOutputs({});
    }
  }
  const isKnown = (output) => output.isKnown;
  const known = [${Object.keys(ARGUMENTS).join(", ").replaceAll("PROJECT", PROJECT).replaceAll("APPLICATION", APPLICATION)}].map((id) =>
    Promise.all([
      isKnown(pulumi.runtime.invokeOutput("dynamiclink:index:getProject", { id })),
      isKnown(native.getProjectOutput({ id })),
      isKnown(dynamic.getProjectOutput({ id })),
    ]),
  );
  console.log(JSON.stringify(await Promise.all(known)));
`;

/** What a CLI that returns no ids of what is read, such as 3.260, makes the SDK take for unknown. */
const IDS_OF_READ = /Project\.get\(.*\)\.id$/;

afterEach(() => jest.restoreAllMocks());
test.each([
  ["that returns ids of what is read", true],
  ["that does not", false],
])("functions of stack references, read objects and new ones, with a CLI %s", async (_, returnsIds) => {
  if (!returnsIds) jest.spyOn(ReadResourceResponse.prototype, "setId").mockReturnThis();
  const application = { id: APPLICATION, appType: "WEB" } as const;
  const seed = seedWith([{ id: PROJECT, name: "Shop", applications: [application] }]);
  await using service = await startEmulator({ seed });
  using program = programWith({
    "package.json": JSON.stringify({ name: "functions", type: "module" }),
    "Pulumi.yaml": JSON.stringify({
      name: "functions",
      main: "index.js",
      runtime: "nodejs",
      ...PLUGIN_PROJECT,
    }),
    "index.js": PROGRAM,
  });
  await using stack = programStack({
    service,
    program: program.path,
    mocks: {
      newResource: ({ name, inputs }) => ({
        id: name,
        state: { ...inputs, outputs: { projectId: PROJECT } },
      }),
    },
  });
  const { diagnostics } = await stack.preview();
  const printed = diagnostics.map(({ message }) => message).find((message) => message.startsWith("[["));
  const isKnown: readonly boolean[][] = JSON.parse(printed ?? "[]");
  // The engine decides whether Pulumi's own function waits for what is read. The test engine leaves that to the SDK.
  const functions = returnsIds ? [0, 1, 2] : [1, 2];
  const rows = Object.entries(ARGUMENTS).map(([argument, known], index) => {
    const expected = known && (returnsIds || !IDS_OF_READ.test(argument));
    return [argument, functions.map((each) => isKnown[index]?.[each] === expected)];
  });
  expect(rows).toEqual(rows.map(([argument]) => [argument, functions.map(() => true)]));
});
