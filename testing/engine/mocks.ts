/**
 * Resources of packages that have no provider here: echoed, or answered by mocks in the shape of Pulumi's own.
 */
import { nameOf, packageOf, parseUrn } from "./names";
import type { Provider } from "./provider";
import { markSecrets, type Properties, unwrapSecrets } from "./values";

/** What a mock is told about a resource; the shape of Pulumi's `runtime.MockResourceArgs`. */
export interface MockResourceArguments {
  /** The type, such as `aws:s3/bucket:Bucket`. */
  readonly type: string;
  /** The logical name. */
  readonly name: string;
  /** The inputs, secrets in clear. */
  readonly inputs: Properties;
  readonly custom: boolean;
  /** The id, for a resource that is read or updated. */
  readonly id?: string;
}

/** What a mock is told about a function call; the shape of Pulumi's `runtime.MockCallArgs`. */
export interface MockCallArguments {
  /** The function, such as `aws:index/getRegion:getRegion`. */
  readonly token: string;
  /** The arguments, secrets in clear. */
  readonly inputs: Properties;
}

/**
 * Stands in for the providers of other packages, as `pulumi.runtime.Mocks` does. Both members may be left out:
 * a resource then gets its inputs as outputs and `<name>_id` as its id, and a function call fails by name.
 */
export interface Mocks {
  newResource?(
    resource: MockResourceArguments,
  ):
    | { readonly id: string | undefined; readonly state: Record<string, unknown> }
    | Promise<{ readonly id: string | undefined; readonly state: Record<string, unknown> }>;
  call?(call: MockCallArguments): Record<string, unknown> | Promise<Record<string, unknown>>;
}

function plain(properties: Properties): Properties {
  return unwrapSecrets(properties) as Properties;
}

/** A provider of resources that exist only in the state. */
export function echoProvider(mocks: Mocks): Provider {
  const make = async (urn: string, inputs: Properties, id?: string) => {
    const { type } = parseUrn(urn);
    if (!mocks.newResource && packageOf(type) === "pulumi") {
      throw new Error(`${type} is not supported by the test engine. Give it a mock (newResource).`);
    }
    const echo = { id: id ?? `${nameOf(urn)}_id`, state: plain(inputs) };
    const made = await (mocks.newResource?.({
      type,
      name: nameOf(urn),
      inputs: plain(inputs),
      custom: true,
      ...(id !== undefined && { id }),
    }) ?? echo);
    return { id: made.id ?? echo.id, outputs: markSecrets(made.state as Properties, inputs) };
  };
  return {
    known: true,
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff: async () => ({ replaces: [], deleteBeforeReplace: false }),
    create: ({ urn, inputs }) => make(urn, inputs),
    update: async ({ urn, id, news }) => ({ outputs: (await make(urn, news, id)).outputs }),
    // A refresh (which has outputs of its own) finds everything as it was.
    read: async ({ urn, id, inputs, state }) =>
      state === inputs ? make(urn, inputs, id) : { id, inputs, outputs: state },
    delete: async () => {},
  };
}

/** Answers a function call of a program. */
export async function mockCall(mocks: Mocks, token: string, inputs: Properties): Promise<Properties> {
  if (!mocks.call)
    throw new Error(`The function ${token} is not supported by the test engine. Give it a mock (call).`);
  return (await mocks.call({ token, inputs: plain(inputs) })) as Properties;
}
