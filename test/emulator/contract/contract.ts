/** The API descriptions of the emulator, and random requests and values that they allow. */
import fc from "fast-check";
import { loadContract, type Operation } from "../../../testing/emulator/contract/contract";
import { allowedBy, resolved, type Schema, type Schemas } from "../../support/values/arbitraries";
import { OWN, pathOf } from "../service";

export const contract = loadContract("openapi.yaml");
export const controls = loadContract("controls.yaml");

const NAMED = { ...contract.document.components.schemas, ...controls.document.components.schemas } as Schemas;

/** A schema with everything that it refers to or consists of. */
export function whole(schema: object): Schema {
  return resolved(schema, NAMED);
}

export function named(name: string): Schema {
  return whole({ $ref: name });
}

/** Values of a schema. If they are complete, they have every field, and no null that could be something else. */
export function allowed(schema: object, complete = false): fc.Arbitrary<unknown> {
  return allowedBy(schema, NAMED, complete);
}

export const OPERATIONS_WITH_BODY: readonly (Operation & { readonly variants: readonly Schema[] })[] =
  contract.operations.flatMap((operation) => {
    if (operation.body === undefined) return [];
    const body = whole(operation.body);
    return [{ ...operation, variants: body.oneOf?.map(whole) ?? [body] }];
  });

export function contentOf({ answers }: Operation): object | undefined {
  return [...answers].find(([status]) => status < 300)?.[1];
}

/** Values of a schema with the ids of objects that exist, and with a hostname, which no schema describes. */
export function referring(schema: object, complete = false): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(allowed(schema, complete), fc.domain()).map(([generated, hostname]) => {
    const known: Readonly<Record<string, string>> = {
      project_id: OWN.project,
      custom_domain_id: OWN.domain,
      custom_domain_url: "https://go.shop.example",
      hostname,
      apple_options: OWN.ios,
      android_options: OWN.android,
    };
    function withReference(name: string, value: unknown): unknown {
      if (value === null || !(name in known)) return value;
      if (typeof value !== "object") return known[name];
      const { application_id: id } = value as { readonly application_id?: unknown };
      return { ...value, application_id: typeof id === "string" ? known[name] : id };
    }
    return JSON.parse(JSON.stringify(generated, withReference));
  });
}

export interface GeneratedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly body?: unknown;
}

/** Valid requests on objects of the seed. If they are complete, they have every parameter and field. */
export function requestsOf(operation: Operation, complete = false): fc.Arbitrary<GeneratedRequest> {
  const bodies = operation.body === undefined ? fc.constant(undefined) : referring(operation.body, complete);
  return fc.tuple(referring(operation.parameters.query, complete), bodies).map(([query, body]) => {
    const search = new URLSearchParams(query as Record<string, string>);
    return {
      operation,
      path: search.size === 0 ? pathOf(operation) : `${pathOf(operation)}?${search}`,
      body,
    };
  });
}
