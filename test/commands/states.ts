/** States of stacks, as `pulumi stack export` prints them, with secrets that no command may print. */
import { KINDS, type KindName } from "../../cli/objects/kinds";
import { ORGANIZATION } from "../support/values/organizations";

/** The part of secrets that is searched for in all output. */
export const CANARY = "canary-in-a-state";

/** A resource of a stack; by default, of the dynamic host. */
export interface StateEntry {
  readonly kind: KindName;
  readonly uuid: string;
  readonly name?: string;
  readonly native?: boolean;
  readonly organizationId?: string;
  readonly created?: string;
}

/** What is before the class in the type of a resource of each host. */
export const DYNAMIC = "pulumi-nodejs:dynamic/dynamiclink:";
export const NATIVE = "dynamiclink:index:";

export function resourceOf(
  type: string,
  name: string,
  fields: object = {},
  { stack = "test", project = "estate" }: { readonly stack?: string; readonly project?: string } = {},
) {
  return { urn: `urn:pulumi:${stack}::${project}::${type}::${name}`, type, custom: true, ...fields };
}

/** A provider with these settings in the state of a stack. */
export function providerOf(host: "dynamic" | "native", name: string, settings: object) {
  const [type, prefix] = host === "native" ? ["dynamiclink", ""] : ["pulumi-nodejs", "dynamiclink:"];
  const inputs = Object.fromEntries(Object.entries(settings).map(([key, value]) => [prefix + key, value]));
  return resourceOf(`pulumi:providers:${type}`, name, { id: `${name}-id`, inputs });
}

export function urnOf(stack: string, entry: StateEntry): string {
  return entryOf(stack, entry).urn;
}

export function stateOf(stack: string, entries: readonly StateEntry[]) {
  const root = { outputs: { secret: CANARY } };
  return {
    version: 3,
    deployment: {
      manifest: { magic: CANARY },
      secrets_providers: { type: "passphrase", state: { salt: CANARY } },
      resources: [
        resourceOf("pulumi:pulumi:Stack", `estate-${stack}`, root, { stack }),
        { ...providerOf("dynamic", "default", { apiKey: CANARY }), id: CANARY },
        ...entries.map((entry) => entryOf(stack, entry)),
      ],
    },
  };
}

function entryOf(
  stack: string,
  { kind, uuid, name = `${kind}-${uuid}`, native, organizationId = ORGANIZATION, created }: StateEntry,
) {
  const type = `${native ? NATIVE : DYNAMIC}${KINDS[kind].type}`;
  const outputs = { name: CANARY, __organization: organizationId, __created: created };
  return resourceOf(type, name, { id: uuid, inputs: { name: CANARY }, outputs }, { stack });
}
