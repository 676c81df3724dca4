/** What is read of the Pulumi CLI's output and of a stack's state, and what is not. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { objectsIn, resourcesIn } from "../../cli/pulumi/state";
import { parseUrn } from "../../provider/hosts/urn";
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";
import { newDirectory } from "./directories";
import { SHOP, WEB } from "./objects";
import { withStubbedCli } from "./pulumiClis";
import { failedWith, run } from "./run";
import { DYNAMIC, NATIVE, resourceOf } from "./states";
import { testsWith } from "./testsWith";

function resource(type: string, name: string, id?: string, more: object = {}) {
  return resourceOf(type, name, { id, ...more }, { stack: "dev", project: "shop" });
}

function exported(...resources: object[]) {
  return { version: 3, deployment: { manifest: {}, resources } };
}

const PLACE = "state.json";

test("objects have the types of both hosts, and their UUIDs in lower case", () => {
  const document = exported(
    resource("pulumi:pulumi:Stack", "shop-dev"),
    resource(`${DYNAMIC}Project`, "shop", SHOP.toUpperCase(), { outputs: { __organization: ORGANIZATION } }),
    resource(`${NATIVE}Application`, "web", WEB, { outputs: { __organization: "not a UUID" } }),
  );
  expect(objectsIn(resourcesIn(document, PLACE))).toEqual([
    {
      ...{ kind: "project", uuid: SHOP, name: "shop", isManaged: true, organizationId: ORGANIZATION },
      urn: `urn:pulumi:dev::shop::${DYNAMIC}Project::shop`,
    },
    {
      ...{ kind: "application", uuid: WEB, name: "web", isManaged: true },
      urn: `urn:pulumi:dev::shop::${NATIVE}Application::web`,
    },
  ]);
});

test.each([
  ["that the stack only reads", `${DYNAMIC}Project`, SHOP, { external: true }, [false]],
  ["whose deletion is pending", `${DYNAMIC}Project`, SHOP, { delete: true }, [false]],
  ["that were deleted, not replaced yet", `${DYNAMIC}Project`, SHOP, { pendingReplacement: true }, [false]],
  ["without a UUID", `${NATIVE}Project`, undefined, {}, [false]],
  ["that only wait for an object", `${DYNAMIC}CustomDomainActivation`, SHOP, {}, []],
  ["of other packages", "other:index:Project", SHOP, {}, []],
])("resources %s are not managed", (_, type, id, flags, expected) => {
  const objects = objectsIn(resourcesIn(exported(resource(type, "shop", id, flags)), PLACE));
  expect(objects.map(({ isManaged }) => isManaged)).toEqual(expected);
});

test.each([
  ["a state without resources", { version: 3, deployment: { manifest: {} } }, 0],
  ["a stack that was never deployed", { version: 3, deployment: null }, 0],
  ["a checkpoint", { checkpoint: { latest: { resources: [resource(`${NATIVE}Project`, "a", SHOP)] } } }, 1],
  ["a checkpoint of a stack that was never deployed", { version: 3, checkpoint: { latest: null } }, 0],
])("%s is a state", (_, document, count) => {
  expect(resourcesIn(document, PLACE)).toHaveLength(count);
});

test.each([
  ["a list", []],
  ["an import file", { nameTable: {}, resources: [] }],
  ["a Terraform state", { version: 4, resources: [{ type: "canary" }] }],
  ["a state whose resources are not a list", { deployment: { resources: { canary: 1 } } }],
  ["a state with a resource that has no URN", exported({ type: "canary" })],
])("%s is rejected without being shown", (_, document) => {
  expect(() => resourcesIn(document, PLACE)).toThrow(
    /^state\.json is not the state of a stack\. Write it with `pulumi stack export --file <file>`\.$/,
  );
});

test.each([
  ["urn:pulumi:dev::shop::a:b:C$x:y:Z::name", { stack: "shop/dev", type: "x:y:Z", name: "name" }],
  ["urn:pulumi:dev::shop::x:y:Z::a::b $c", { stack: "shop/dev", type: "x:y:Z", name: "a::b $c" }],
  ["name", { stack: "/name", type: "", name: "" }],
])("the parts of %s", (urn, expected) => {
  expect(parseUrn(urn)).toEqual(expected);
});

testsWith(seedWith()).testOnShell(
  "lines of a wrapper of the CLI are not in a stack's name, and an error shows them",
  async (service) => {
    const stub = withStubbedCli(service, []);
    const directory = newDirectory();
    const script = `#!/bin/sh\necho 'Profile ${KEY}'\necho\nPATH='${stub.PATH}' exec pulumi "$@"\n`;
    writeFileSync(join(directory, "pulumi"), script, { mode: 0o755 });
    expect(await run("whoami", [], { ...stub, PATH: `${directory}:${stub.PATH}` })).toEqual(
      failedWith(
        "The output of `pulumi config --show-secrets --json` for stack test is not JSON. If a wrapper of the CLI prints more, it must use standard error. The first line is: Profile ***",
      ),
    );
  },
);
