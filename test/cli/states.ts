/** States of stacks, as `pulumi stack export` prints them, with secrets that no command may print. */
import { KINDS, type KindName } from "../../cli/objects/kinds";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { ORGANIZATION } from "../support/values/organizations";

/** The part of secrets that is searched for in all output. */
export const CANARY = "canary-in-a-state";

/** A resource of a stack. */
export interface StateEntry {
  readonly kind: KindName;
  readonly uuid: string;
  /** Default: derived from kind and UUID. */
  readonly name?: string;
  /** Default: the dynamic host. */
  readonly native?: boolean;
  /** Default: {@link ORGANIZATION}. */
  readonly organizationId?: string;
  /** Further fields of the resource. */
  readonly fields?: object;
}

/** The URN of an entry of the stack `stack` of the project `estate`. */
export function urnOf(
  stack: string,
  { kind, uuid, name = `${kind}-${uuid}`, native = false }: StateEntry,
): string {
  return `urn:pulumi:${stack}::estate::${typeOf({ kind, native })}::${name}`;
}

/** The state of a stack. */
export function stateOf(stack: string, entries: readonly StateEntry[], outputs: object = {}): object {
  const root = {
    urn: `urn:pulumi:${stack}::estate::pulumi:pulumi:Stack::estate-${stack}`,
    type: "pulumi:pulumi:Stack",
    outputs: { secret: CANARY, ...outputs },
  };
  const provider = {
    urn: `urn:pulumi:${stack}::estate::pulumi:providers:pulumi-nodejs::default`,
    type: "pulumi:providers:pulumi-nodejs",
    id: CANARY,
    inputs: { "dynamiclink:apiKey": CANARY },
  };
  return {
    version: 3,
    deployment: {
      manifest: { magic: CANARY },
      secrets_providers: { type: "passphrase", state: { salt: CANARY } },
      resources: [root, provider, ...entries.map((entry) => resource(stack, entry))],
    },
  };
}

function resource(stack: string, entry: StateEntry): object {
  const { kind, uuid, native = false, organizationId = ORGANIZATION, fields = {} } = entry;
  return {
    urn: urnOf(stack, entry),
    custom: true,
    id: uuid,
    type: typeOf({ kind, native }),
    inputs: { name: CANARY },
    outputs: { name: CANARY, __organization: organizationId },
    ...fields,
  };
}

function typeOf({ kind, native }: { readonly kind: KindName; readonly native: boolean }): string {
  return (native ? NATIVE_HOST : DYNAMIC_HOST).typeToken(KINDS[kind].description);
}
