/**
 * Looks before a create. The service's clock alone cannot tell which objects are new: its `Date` header may be behind. And
 * a process that is killed cannot look afterwards. So the list is also read before the first create: no create of this
 * run has created the objects in it, and an earlier run may have left them behind.
 */
import { reasonOf, UserError } from "../../errors";
import type { Found, OperationContext } from "../description";
import { objectKey } from "../ledger/facts";
import { declaredPart } from "../properties";
import type { Before } from "../run/creation";
import type { RunMemory } from "../run/runMemory";
import {
  claimsOf,
  discoverHint,
  IF_RENAMED,
  identityOf,
  importLine,
  linesFor,
  listOf,
  sameAs,
  type Wanted,
} from "./wanted";

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
        `No ${title} was created: the refresh of this run did not find ${object}, but a list contains it now. One of the responses is outdated, and the state no longer has it. If it exists, ${importLine(uuid)} before you run this again: without the option, the next run may create another one.`,
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

/** The listed objects that a declared one may mean, except those of other resources of the program. */
function equalObjects(
  memory: RunMemory,
  { description, inputs }: Wanted,
  { listed, created }: { readonly listed: readonly Found[]; readonly created?: Found | undefined },
): readonly Found[] {
  const forms = created ? [inputs, declaredPart(inputs, created.properties)] : [inputs];
  const areSame = forms.map((form) => sameAs(description, form));
  return listed
    .filter((found) => areSame.some((isSame) => isSame(found)))
    .filter(({ uuid }) => claimsOf(memory, description, uuid).length === 0);
}

/** Says which objects a new resource may mean, and what to do. Undefined if there are none. */
export function describeEqual(
  memory: RunMemory,
  wanted: Wanted,
  {
    resource,
    listed,
    deletesFirst,
  }: { readonly resource: string; readonly listed: readonly Found[]; readonly deletesFirst: boolean },
): string | undefined {
  const equal = wanted.context.client.sanitized(equalObjects(memory, wanted, { listed }));
  if (equal.length === 0) return undefined;
  const [lines, adopt] = deletesFirst
    ? [equal.map(({ uuid }) => `  ${uuid}`), "If `--replace` replaces one of them, it is deleted first."]
    : [linesFor(equal), "If no stack manages one of them, adopt it with that option."];
  return [
    `The service already has ${wanted.description.title}s with the declared ${sharedBy(wanted)} of ${resource}:`,
    ...lines,
    `${IF_RENAMED}, add \`aliases\`. ${adopt} Otherwise, \`pulumi up\` creates another one.`,
  ].join("\n");
}

/**
 * Reports objects that a created one may mean, and that no resource of the run has: the program may have renamed their
 * resource, or an interrupted run may have left them behind. Each of them is reported once. An object with the properties
 * that the service has given the created one counts as well.
 */
export function reportLeftovers(
  wanted: Wanted,
  memory: RunMemory,
  { listed = [], created }: Pick<Before, "listed"> & { readonly created: Found | undefined },
): void {
  const { description, context } = wanted;
  const { title } = description;
  const { noticed } = memory;
  const leftovers = equalObjects(memory, wanted, { listed, created }).filter(
    ({ uuid }) => !noticed.has(objectKey(title, uuid)),
  );
  if (leftovers.length === 0) return;
  for (const { uuid } of leftovers) noticed.add(objectKey(title, uuid));
  context.report(
    [
      `The service already had ${title}s with the declared ${sharedBy(wanted)}, and no resource that this run has processed so far manages them:`,
      ...linesFor(context.client.sanitized(leftovers)),
      `${IF_RENAMED}, and one of them still exists after this run, undo that, run \`pulumi up\`, and rename it with \`aliases\`. If no stack manages one of them, an interrupted run may have left it behind: adopt it as another resource with that option${discoverHint(description, "<uuid>")}, or delete it in the service.`,
    ].join("\n"),
    { persistent: true },
  );
}

/** What equal objects have in common, for messages. */
function sharedBy({ description, inputs }: Wanted): string {
  return identityOf(description, inputs).join(" and ") || "properties";
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
