/** What Pulumi, users' states and import files share with this package: nothing here is ever renamed. */
import type { ResourceDescription } from "../../lifecycle/description";

/** What stands for a value that is not known yet, between engine, program and host. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The type token of a description's resource. */
export function typeToken(description: Pick<ResourceDescription, "type">): string {
  return `pulumi-nodejs:dynamic/dynamiclink:${description.type}`;
}

/** The text by which Pulumi's host finds a description's provider. */
export function providerText(description: Pick<ResourceDescription, "exportName">): string {
  return `exports.handler=()=>require("pulumi-dynamiclink/provider").${description.exportName}`;
}
