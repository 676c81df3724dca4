/**
 * Looks before a create. The service's clock alone cannot tell which objects are new, see docs/internals/service.md#clocks, and a
 * killed process cannot look afterwards. So the list is read before the first create: no create of this run has created the objects in it.
 */
import { reasonOf } from "../../errors";
import { timeOf } from "../../values/time";
import type { Found, OperationContext } from "../description";
import { objectKey, projectKey } from "../ledger/facts";
import { declaredPart } from "../properties";
import type { Baseline } from "../run/creation";
import { reportOnce } from "../run/runContext";
import type { RunMemory } from "../run/runMemory";
import { claimsOf, discoverHint, identityOf, listOf, sameAs, type Wanted } from "./wanted";

const DATE_RESOLUTION_MS = 1_000;

/** Lists the existing objects before a create, and reports if they cannot be listed. */
export async function readBaseline(wanted: Wanted, memory: RunMemory): Promise<Baseline> {
  const { description, context, inputs } = wanted;
  const { title } = description;
  const { ledger } = memory;
  // An earlier run cannot have left anything in it.
  const isInNew = ledger.has(projectKey(description, inputs), "created");
  const doubt = `It could not be checked whether an interrupted run left ${title}s behind`;
  const listed = isInNew
    ? []
    : await listedOnce(memory, wanted, (error) =>
        context.report(`${doubt}: ${reasonOf(error)}`, { persistent: true }),
      );
  for (const { uuid } of listed ?? []) {
    const object = objectKey(title, uuid);
    ledger.record({ is: "listedBefore", object });
  }
  return { time: context.client.serviceTime(), listed, isInNew };
}

/** The objects among which a wanted one would be, listed once in a process, before its creates. Undefined if that fails. */
export async function listedOnce(
  memory: RunMemory,
  wanted: Wanted,
  reportFailure: (error: unknown) => void = () => {},
): Promise<readonly Found[] | undefined> {
  const { description, context, inputs } = wanted;
  const { listsBefore } = memory;
  // A process can have keys of several organizations.
  const key = JSON.stringify([description.title, context.organizationId, inputs[description.parentId ?? ""]]);
  const listed =
    listsBefore.get(key) ??
    listOf(wanted).catch((error: unknown) => {
      if (!context.signal.aborted) return void reportFailure(error);
      listsBefore.delete(key);
      throw error;
    });
  listsBefore.set(key, listed);
  try {
    return await listed;
  } catch {
    context.signal.throwIfAborted();
    // The call that had requested the list was cancelled, and this one was not.
    return await listedOnce(memory, wanted, reportFailure);
  }
}

/** Lists objects that a declared one may mean, for a message. Undefined if resources of the program have all of them. */
export function listEqual(
  memory: RunMemory,
  { description, context, inputs }: Wanted,
  which: string,
  { listed = [], created }: Pick<Baseline, "listed"> & { readonly created?: Found | undefined },
): string | undefined {
  const forms = created ? [inputs, declaredPart(inputs, created.properties)] : [inputs];
  const areSame = forms.map((form) => sameAs(description, form));
  const equal = listed
    .filter((found) => areSame.some((isSame) => isSame(found)))
    .filter(({ uuid }) => !memory.ledger.has(objectKey(description.title, uuid), "absent"))
    .filter(({ uuid }) => claimsOf(memory, description, uuid).length === 0);
  if (equal.length === 0) return undefined;
  const shared = identityOf(description, inputs).join(" and ") || "properties";
  const lines = context.client
    .sanitized(equal)
    .map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}`);
  return [`${description.title}s with the declared ${shared}${which}:`, ...lines].join("\n");
}

/** Reports objects that a created one may mean: its resource was renamed, or an interrupted run has left them behind. */
export function reportLeftovers(
  wanted: Wanted,
  memory: RunMemory,
  objects: Pick<Baseline, "listed"> & { readonly created: Found | undefined },
): void {
  const { description, context } = wanted;
  const which = ", and no resource that this run has processed so far manages them";
  const equal = listEqual(memory, wanted, which, objects);
  if (equal === undefined) return;
  const next = `If this resource was renamed or moved, and one of them still exists after this run, undo that, run \`pulumi up\`, and rename it with \`aliases\`. If no stack manages one of them, an interrupted run may have left it behind: adopt it as another resource with the option \`import\`${discoverHint(description, "<uuid>")}, or delete it in the service.`;
  reportOnce({ memory, report: context.report }, `The service already had ${equal}\n${next}`);
}

/** Whether the dates show that an object was created since then. They cannot show that it was not: clocks differ. */
export function createdSince(
  { time, listed }: Omit<Baseline, "isInNew">,
  { client }: OperationContext,
): (found: Found) => boolean {
  return ({ uuid, createdAt }) => {
    const now = client.serviceTime();
    if (time === undefined || now === undefined || listed?.some((each) => each.uuid === uuid)) return false;
    const createdAtMs = timeOf(createdAt);
    return (
      // The list may have been read long before this create. Dates have no fractions of a second.
      createdAtMs >= Math.floor(time.getTime() / DATE_RESOLUTION_MS) * DATE_RESOLUTION_MS &&
      // A clock that is behind the one of the creation times proves nothing: the list may have lacked an older object.
      createdAtMs < now.getTime() + DATE_RESOLUTION_MS
    );
  };
}
