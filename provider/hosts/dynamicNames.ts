/** The strings by which Pulumi, users' states and import files refer to this package. They must never change. */
import type { ResourceDescription } from "../lifecycle/description";
import { uncapitalized } from "../values/phrases";

/** Facts that only the program knows about a resource: see docs/internals/dynamic-host.md#no-urn. */
export interface ProgramFacts {
  /** Identifies the resource in a run: its name, after the URN of its parent if it has one. The host gets no URN. */
  readonly resource: string;
  /** The names of the declared properties that are not secret, whose values messages may show. The host gets all in clear. */
  readonly shown: readonly string[];
  /** Whether the program runs in a preview. Pulumi reports that to programs, but not to this host. */
  readonly isPreview: boolean;
  /** These options, also on the native host: see docs/internals/sdk.md#serialized-options. */
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
}

export function typeToken({ type }: Pick<ResourceDescription, "type">): string {
  return `pulumi-nodejs:dynamic/dynamiclink:${type}`;
}

/** The name under which `provider/index.ts` exports the provider of a resource, such as `customDomain`. */
export function exportName({ type }: Pick<ResourceDescription, "type">): string {
  return uncapitalized(type);
}

/** The code that Pulumi's host evaluates to load the provider of a resource: see docs/internals/dynamic-host.md#provider-text. */
export function providerText(description: Pick<ResourceDescription, "type">): string {
  return `exports.handler=()=>require("pulumi-dynamiclink/provider").${exportName(description)}`;
}
