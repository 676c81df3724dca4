/**
 * Refuses a component with several providers of one package, of which Pulumi keeps only the last: see
 * docs/internals/sdk.md#two-providers-of-a-component.
 */
import * as pulumi from "@pulumi/pulumi";
import { typeTokenOf } from "../pulumi/typeToken";
import { runError } from "./runError";

/** The names of the providers of this package. */
const names = new WeakMap<pulumi.ProviderResource, string>();
/** The stacks whose components are checked. A process can run several stacks. */
const checked = new WeakSet<pulumi.Resource>();

/** Checks from now on that no component gets this provider together with another one of the same package. */
export function checkComponentsWith(provider: pulumi.ProviderResource, name: string): void {
  names.set(provider, name);
  const stack = pulumi.runtime.getStackResource();
  // Tests with mocks can have no stack.
  if (stack === undefined || checked.has(stack)) return;
  checked.add(stack);
  // The arguments of a component are visible here only.
  pulumi.runtime.registerStackTransformation(({ name: component, opts }) => {
    requireOnePerPackage(component, opts);
    return undefined;
  });
}

function requireOnePerPackage(component: string, { providers }: pulumi.ComponentResourceOptions): void {
  if (!Array.isArray(providers)) return;
  const byType = Map.groupBy(new Set<pulumi.ProviderResource>(providers), typeTokenOf);
  for (const [type, ofType] of byType) {
    if (ofType.length < 2 || !ofType.some((each) => names.has(each))) continue;
    const given = ofType.map((each) => names.get(each) ?? "one of another module").join(", ");
    throw runError(
      `Component ${component} has ${ofType.length} providers of the type ${type} (${given}), but Pulumi uses only the last one. Pass one in the option providers, and the others as arguments of the component, which sets the option provider of the resources that need them.`,
    );
  }
}
