/** Resources of other packages: they return their inputs, or what mocks in the form of Pulumi's return. */
import { nameInUrn, packageOf, parseUrn } from "../protocol/urn";
import { markSecrets, type Properties, unwrapSecrets } from "../protocol/values";
import type { Provider } from "./provider";

/** The resource that a mock receives, in the form of Pulumi's `runtime.MockResourceArgs`. */
export interface MockResourceArguments {
  /** The type, such as `aws:s3/bucket:Bucket`. */
  readonly type: string;
  /** The logical name. */
  readonly name: string;
  /** The inputs, secrets in plain text. */
  readonly inputs: Properties;
  /** Always true, because components are not mocked. */
  readonly custom: boolean;
  /** The id, for a resource that is read or updated. */
  readonly id?: string;
}

/** The function call that a mock receives, in the form of Pulumi's `runtime.MockCallArgs`. */
export interface MockCallArguments {
  /** The function, such as `aws:index/getRegion:getRegion`. */
  readonly token: string;
  /** The arguments, secrets in plain text. */
  readonly inputs: Properties;
}

interface MockResult {
  readonly id: string | undefined;
  readonly state: Record<string, unknown>;
}

/**
 * Mocks the resources and functions of other packages, as `pulumi.runtime.Mocks` does. Without `newResource`, a
 * resource has its inputs as outputs and the id `<name>_id`. Without `call`, a function call fails with an error that
 * names it.
 */
export interface Mocks {
  /** Returns id and outputs of a resource that is created, updated or read. */
  newResource?(resource: MockResourceArguments): MockResult | Promise<MockResult>;
  /** Returns the result of a function call. */
  call?(call: MockCallArguments): Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** A provider of resources that exist only in the state. */
export function echoProvider(mocks: Mocks): Provider {
  const create = async (urn: string, inputs: Properties, id?: string) => {
    const { type } = parseUrn(urn);
    if (!mocks.newResource && packageOf(type) === "pulumi")
      throw new Error(`${type} is not supported by the test engine. Give it a mock (newResource).`);
    const echo = { id: id ?? `${nameInUrn(urn)}_id`, state: unwrapSecrets(inputs) };
    const created = await (mocks.newResource?.({
      type,
      name: nameInUrn(urn),
      inputs: unwrapSecrets(inputs),
      custom: true,
      ...(id !== undefined && { id }),
    }) ?? echo);
    return { id: created.id ?? echo.id, outputs: markSecrets(created.state as Properties, inputs) };
  };
  return {
    known: true,
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff: async () => ({ replaces: [], deleteBeforeReplace: false }),
    create: async ({ urn, inputs, preview }) => (preview ? { id: "", outputs: inputs } : create(urn, inputs)),
    update: async ({ urn, id, news, preview }) => ({
      outputs: preview ? news : (await create(urn, news, id)).outputs,
    }),
    // A refresh, which passes outputs of its own, finds no change.
    read: async ({ urn, id, inputs = {}, state = inputs }) =>
      state === inputs ? create(urn, inputs, id) : { id, inputs, outputs: state },
    delete: async () => {},
  };
}

export async function mockCall(mocks: Mocks, token: string, inputs: Properties): Promise<Properties> {
  if (!mocks.call)
    throw new Error(`The function ${token} is not supported by the test engine. Give it a mock (call).`);
  return (await mocks.call({ token, inputs: unwrapSecrets(inputs) })) as Properties;
}
