/** The providers that components and resources pass on to their children, as far as a state shows them. */
import { HOSTS } from "../../../cli/objects/hosts";
import { inheritedProvider } from "../../../cli/pulumi/inheritedProvider";
import type { StackResource } from "../../../cli/pulumi/stack";

const PROVIDER = HOSTS.dynamic.providerType;
const STACK = "urn:pulumi:test::p::pulumi:pulumi:Stack::p-test";

function urn(name: string, type = "acme:index:Team") {
  return `urn:pulumi:test::p::${type}::${name}`;
}

function resource(name: string, parent: string, provider?: string, providerType = PROVIDER): StackResource {
  const reference = provider === undefined ? {} : { provider: `${urn(provider, providerType)}::an-id` };
  return { urn: urn(name), type: "acme:index:Team", parent, ...reference };
}

const root = { urn: STACK, type: "pulumi:pulumi:Stack" };

test.each([
  [
    "its own provider, not that of its children",
    [resource("team", STACK, "eu"), resource("a", urn("team"), "us")],
    "eu",
  ],
  [
    "the one of its children",
    [resource("team", STACK), resource("a", urn("team"), "eu"), resource("b", urn("team"), "eu")],
    "eu",
  ],
  [
    "the one of the parent's children",
    [resource("org", STACK), resource("team", urn("org")), resource("a", urn("org"), "eu")],
    "eu",
  ],
  [
    "the default provider if the children have it",
    [resource("team", STACK), resource("a", urn("team"), "default")],
    undefined,
  ],
  ["the default provider if there are no children", [resource("team", STACK)], undefined],
  ["not that of resources outside it", [resource("team", STACK), resource("a", STACK, "eu")], undefined],
  [
    "no provider of another package",
    [resource("team", STACK, "eu", "pulumi:providers:dynamiclink")],
    undefined,
  ],
  [
    "nothing if parents form a cycle",
    [resource("team", urn("org")), resource("org", urn("team"))],
    undefined,
  ],
  ["nothing if the state does not have it", [], undefined],
] as const)("a component passes on %s", (_, resources, expected) => {
  const found = inheritedProvider([root, ...resources], urn("team"), HOSTS.dynamic);
  expect(found).toBe(expected && urn(expected, PROVIDER));
});

test("if its children have different providers, one must be specified", () => {
  const children = [resource("a", urn("team"), "eu"), resource("b", urn("team"), "default")];
  expect(() =>
    inheritedProvider([root, resource("team", STACK), ...children], urn("team"), HOSTS.dynamic),
  ).toThrow("The children of team have different providers: eu, default. Specify one with --provider.");
});
