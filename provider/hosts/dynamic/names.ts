/** What names a resource in users' states and import files. It stands there for ever, so nothing here is renamed. */
import type { ResourceDescription } from "../../lifecycle/description";

/** The type token of a description's resource. */
export function typeToken(description: Pick<ResourceDescription, "type">): string {
  return `pulumi-nodejs:dynamic/dynamiclink:${description.type}`;
}

/** The text by which Pulumi's host finds a description's provider. */
export function providerText(description: Pick<ResourceDescription, "exportName">): string {
  return `exports.handler=()=>require("pulumi-dynamiclink/provider").${description.exportName}`;
}
