/** The lists that are evidence for an object that was not found, and what the key may read of them. */
import type { Scope } from "../../client";
import { NotFoundError } from "../../client/errors";
import type { Found, OperationContext, ResourceDescription } from "../description";
import type { Properties } from "../properties";

/** A kind of objects as far as evidence needs its description. */
export interface ListedKind
  extends Pick<ResourceDescription, "title" | "parentId">,
    Partial<Pick<ResourceDescription, "creates">> {
  /** Lists the objects of the project of a state, or of the organization. */
  list?(context: OperationContext, state: object): Promise<readonly Found<object>[]>;
}

/** An object of which it is not known whether it exists, with the context in which it is looked for. */
export interface LookupTarget<Kind extends ListedKind = ListedKind> {
  readonly description: Kind;
  readonly context: OperationContext;
  readonly uuid: string;
  readonly state: Properties;
  /** What to do if it does not exist, as a sentence. */
  readonly advice?: string | undefined;
}

/** The service's response to a list. */
export interface Listing {
  /** The listed objects by UUID; undefined if the service does not find the project that should be listed. */
  readonly objects: ReadonlyMap<string, Found> | undefined;
  /** The id of the request, for the service's support. */
  readonly requestId: string;
}

export interface Lists {
  /** Lists the objects of the same kind in the same project or organization. */
  list(): Promise<Listing>;
  projects(): Promise<Listing>;
}

/** Projects, for modules that do not know the descriptions. Their lists contain no properties. */
export const PROJECT_KIND: ListedKind = { title: "project", list: projectsOf };

export async function projectsOf({ client, organizationId, signal }: OperationContext): Promise<Found[]> {
  const projects = await client.listProjects({ organizationId }, { signal });
  return projects.map(({ id: uuid, createdAt }) => ({ uuid, createdAt, properties: {} }));
}

/** Lists the objects of a kind in the project or organization of one of them. */
export async function listObjects({
  description: { list, parentId },
  context,
  state,
}: Omit<LookupTarget, "uuid">): Promise<Listing> {
  const recorded = recording(context);
  try {
    const found = ((await list?.(recorded.context, state)) ?? []) as readonly Found[];
    const objects = new Map(found.map((one) => [one.uuid, one] as const));
    return { objects, requestId: recorded.requestId() };
  } catch (error) {
    if (parentId === undefined || !(error instanceof NotFoundError)) throw error;
    return { objects: undefined, requestId: recorded.requestId() };
  }
}

/** The same context, and the id of the last request that was sent with it. */
export function recording(context: OperationContext) {
  let requestId = "";
  const onRequest = (id: string) => {
    requestId = id;
  };
  return {
    context: { ...context, client: context.client.withOptions({ onRequest }) },
    requestId: () => requestId,
  };
}

/** Runs a read. Undefined if the key lacks its scope; a refusal despite the scope is an error, because there may be objects. */
export async function ifVisible<Value>(
  { scopes }: OperationContext,
  scope: Scope,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  return scopes.includes(scope) ? await read() : undefined;
}

/** The result of a read. Undefined if the service does not find what it reads. */
export async function ifFound<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}
