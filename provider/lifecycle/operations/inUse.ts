/** Which resources have and declare a unique input, and what a preview warns of: an object that has it, or that a new one may mean. */
import { listEqual, listedOnce } from "../create/baseline";
import { type Contender, chooseOrAdopt, describeUse, isSimilar, withinLimit } from "../create/conflict";
import { claimsOf, identityOf, remedies, sameAs, type Wanted } from "../create/wanted";
import { addsObject } from "../creates";
import type { OperationContext } from "../description";
import { createKey, type Fact, resourceOf } from "../ledger/facts";
import { type Properties, unknownPaths } from "../properties";
import { type ResourceRun, reportOnce } from "../run/runContext";

interface Declaring extends Contender {
  readonly by: string;
  readonly inputs: Properties;
  /** The object that it has. Absent if it is new, or in a check, which does not know it. */
  readonly uuid?: string;
}

export function recordUniqueInput(
  { description: { title, uniqueBy }, memory: { ledger }, isUnknown }: ResourceRun,
  { organizationId }: OperationContext,
  { by, inputs, before }: Declaring,
): void {
  if (uniqueBy === undefined) return;
  const keyOf = (values: Properties) => createKey(title, [organizationId, values[uniqueBy]]);
  if (before !== undefined) ledger.record({ is: "had", object: keyOf(before), by });
  if (!isUnknown(inputs[uniqueBy])) ledger.record({ is: "declares", object: keyOf(inputs), by });
}

/** Warns in a preview if something in the declared project has the unique input, or equals the new object. The service knows the rest. */
export async function reportInUse(
  run: ResourceRun,
  context: OperationContext,
  declaring: Declaring,
): Promise<void> {
  if (!addsObject(run.description)) return;
  const shared = sharedInput(run, context, declaring);
  const message = shared ?? (await existingObject(run, context, declaring));
  if (message === undefined) return;
  const isNamed = shared !== undefined || isOneOfFirst(run, message);
  const more = `More ${run.description.title}s of this preview exist, or have names in use. To see all objects that the stack does not manage, run \`npx pulumi-dynamiclink discover\`.`;
  reportOnce(run, isNamed ? message : more, { persistent: true, warning: true });
}

/** How many objects of a kind are named. A program that was converted can have very many, all of which it will adopt. */
const MOST_NAMED = 3;

function isOneOfFirst({ description, memory }: ResourceRun, message: string): boolean {
  const named = memory.namedInUse.get(description.title) ?? new Set();
  if (named.size < MOST_NAMED) memory.namedInUse.set(description.title, named.add(message));
  return named.has(message);
}

/** The message if another resource of the run has the unique input, or declares it. */
function sharedInput(run: ResourceRun, context: OperationContext, declaring: Declaring): string | undefined {
  const { description, memory, isUnknown } = run;
  const { uniqueBy, replaceOnChanges } = description;
  const { by, inputs, before } = declaring;
  const { client } = context;
  const own = memory.ledger.by(by);
  const mine = own.findLast(({ is }) => is === "declares");
  const former = before && own.findLast(({ is }) => is === "had");
  if (uniqueBy === undefined || mine === undefined || isUnknown(inputs[uniqueBy])) return undefined;
  // The engine checks a replacement again, as a new resource.
  const isReplaced = before !== undefined && replaceOnChanges.includes(uniqueBy);
  if (isReplaced && inputs[uniqueBy] !== before[uniqueBy]) return undefined;
  const other = (is: Fact["is"], own?: Fact) =>
    own && memory.ledger.about(own.object).find((fact) => fact.is === is && fact.by !== by);
  const named = (fact: Fact) => resourceOf(fact, client.sanitized);
  const same = other("declares", mine);
  if (same)
    return `The ${uniqueBy} of ${named(mine)} is also that of ${named(same)}. Choose another one for one of them.`;
  const earlier = other("had", mine);
  const heir = earlier ? mine : other("declares", former);
  if (heir === undefined) return undefined;
  const owner = named(earlier ?? mine);
  return `The ${uniqueBy} of ${named(heir)} is that of ${owner} until this run changes it. In an earlier \`pulumi up\`, give ${owner} one that nothing uses.`;
}

/** The message if the service has an object that a new resource may mean, or one with the new unique input of a resource. */
async function existingObject(
  { description, memory, isUnknown }: ResourceRun,
  context: OperationContext,
  declaring: Declaring,
): Promise<string | undefined> {
  const { title, uniqueBy, parentId } = description;
  const { by, uuid, inputs, before } = declaring;
  // Its own object may have been renamed in the console as the program renames it now, so it must be known.
  const isRenamed = uuid !== undefined && uniqueBy !== undefined && inputs[uniqueBy] !== before?.[uniqueBy];
  if (before !== undefined && !isRenamed) return undefined;
  const deletesFirst = memory.deletedFirst.has(by);
  const resource = resourceOf({ by }, context.client.sanitized);
  // While the project is not known, it may be one that this run adopts.
  const isPlaced = parentId === undefined || !isUnknown(inputs[parentId]);
  const parents = isPlaced ? [{}] : [...memory.adoptedParents].map((parent) => ({ [parentId]: parent }));
  for (const parent of parents) {
    const wanted: Wanted = { description, context: withinLimit(context), inputs: { ...inputs, ...parent } };
    const identity = identityOf(description, wanted.inputs);
    const isNeeded = (path: string) => identity.length === 0 || identity.includes(path);
    if (unknownPaths(wanted.inputs, isUnknown).some(isNeeded)) continue;
    const listed = (await listedOnce(memory, wanted)) ?? [];
    if (uniqueBy === undefined) {
      const equal = listEqual(memory, wanted, ` of ${resource}`, { listed });
      if (equal === undefined) continue;
      // Others may be left over from a replacement that failed after the deletion.
      const replaced = deletesFirst ? "If Pulumi replaces one of them, it is deleted first. " : "";
      const adopt = `${replaced}If no stack manages one of them, adopt it: set the option \`import\` to its UUID`;
      return `The service already has ${equal}\n${remedies(adopt)}\`pulumi up\` creates another one.`;
    }
    const others = listed.filter((found) => found.uuid !== uuid);
    const user = others.find(sameAs(description, wanted.inputs));
    const isReplaced = user && claimsOf(memory, description, user.uuid).some((fact) => fact.by === by);
    if (user !== undefined && !(isReplaced && deletesFirst))
      return `The ${uniqueBy} of ${resource} ${describeUse(memory, wanted, user, { ...declaring, deletesFirst })}`;
    const similar = others.find((found) => isSimilar(wanted, found));
    if (
      user === undefined &&
      similar !== undefined &&
      claimsOf(memory, description, similar.uuid).length === 0
    )
      return `The ${uniqueBy} of ${resource} differs from that of ${title} ${similar.uuid} only in letter case or spaces, which the service may ignore. ${chooseOrAdopt(uniqueBy, similar.uuid)}`;
  }
  return undefined;
}
