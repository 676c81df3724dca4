/**
 * Looks before a create. The service's clock alone cannot tell which objects are new: its `Date` header may be behind. And
 * a process that is killed cannot look afterwards. So the list is also read before the first create: no create of this
 * run has created the objects in it, and an earlier run may have left them behind.
 */
import { reasonOf, UserError } from "../../errors";
import type { Found, OperationContext } from "../description";
import { isTaken } from "../ledger/decisions";
import { objectKey } from "../ledger/facts";
import { declaredPart } from "../properties";
import type { Before } from "../run/creation";
import type { RunMemory } from "../run/runMemory";
import { equals, importLine, linesFor, listOf, type Wanted } from "./wanted";

/** The resolution of `Date` headers. */
const DATE_RESOLUTION_MS = 1_000;

/** Lists the existing objects before a create, and reports if they cannot be listed. */
export async function beforeCreate(wanted: Wanted, memory: RunMemory): Promise<Before> {
  const { description, context, inputs } = wanted;
  const { title, parentId = "" } = description;
  const { ledger } = memory;
  // An earlier run cannot have left anything in it.
  const isInNew = ledger.has(objectKey("project", String(inputs[parentId])), "created");
  const doubt = `It could not be checked whether an interrupted run left ${title}s behind`;
  const listed = isInNew
    ? []
    : await listedOnce(memory, wanted, (error) =>
        context.report(`${doubt}: ${reasonOf(error)}`, { persistent: true }),
      );
  for (const { uuid } of listed ?? []) {
    const object = objectKey(title, uuid);
    if (ledger.has(object, "absent"))
      throw new UserError(
        `No ${title} was created: the refresh of this run did not find ${object}, but a list contains it now. One of the responses is outdated. Run this again: ${importLine(uuid)} if it exists.`,
      );
    ledger.record({ is: "listedBefore", object });
  }
  return { time: context.client.serviceTime(), listed };
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

/**
 * Reports objects that an earlier create of the declared one may have created, and that the run does not know. Each of
 * them is reported once. An object with the same unique input counts, because the program may have changed the others.
 * So does one with the properties that the service has given the created object, if it has changed the declared ones.
 */
export function reportLeftovers(
  { description: { title, uniqueBy }, context: { report, client }, inputs }: Wanted,
  { ledger }: RunMemory,
  { listed = [], created }: Pick<Before, "listed"> & { readonly created: Found | undefined },
): void {
  const forms = created ? [inputs, declaredPart(inputs, created.properties)] : [inputs];
  const isSame = (found: Found) =>
    forms.some((form) =>
      uniqueBy === undefined ? equals(form, found) : found.properties[uniqueBy] === form[uniqueBy],
    );
  const same = listed.filter(isSame);
  const leftovers = same.filter(({ uuid }) => !isTaken(ledger, objectKey(title, uuid)));
  if (leftovers.length === 0) return;
  for (const { uuid } of leftovers) ledger.record({ is: "seen", object: objectKey(title, uuid) });
  report(
    [
      `The service already had ${title}s with the declared ${uniqueBy ?? "properties"}, and no resource that this run has processed so far manages them:`,
      ...linesFor(client.sanitized(leftovers)),
      "An interrupted run may have left them behind. Otherwise another stack manages them, a resource that this run processes later, or one that it replaces by force. Delete in the service what is left over, or adopt it: declare it as another resource with that option.",
    ].join("\n"),
    { persistent: true },
  );
}

/** Whether the dates show that an object was created since then. They cannot show that it was not: clocks differ. */
export function createdSince(
  { time, listed }: Before,
  { client }: OperationContext,
): (found: Found) => boolean {
  return ({ uuid, createdAt }) => {
    const now = client.serviceTime();
    if (time === undefined || now === undefined || listed?.some((each) => each.uuid === uuid)) return false;
    const createdAtMs = Date.parse(createdAt);
    return (
      // The list may have been read long before this create. Dates have no fractions of a second.
      createdAtMs >= Math.floor(time.getTime() / DATE_RESOLUTION_MS) * DATE_RESOLUTION_MS &&
      // A clock that is behind the one of the creation times proves nothing: the list may have lacked an older object.
      createdAtMs < now.getTime() + DATE_RESOLUTION_MS
    );
  };
}
