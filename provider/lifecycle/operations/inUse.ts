/** Warns in a preview that the service has an object that a new resource may mean, or that has the unique input of one. */
import { listEqual, listedOnce } from "../create/before";
import { describeUse, type Refused, withinLimit } from "../create/conflict";
import { claimsOf, identityOf, remedies, sameAs, type Wanted } from "../create/wanted";
import { addsObject } from "../creates";
import type { OperationContext } from "../description";
import { createKey, type Fact, resourceOf } from "../ledger/facts";
import { type Properties, unknownPaths } from "../properties";
import { contextFor, type ResourceRun, reportOnce } from "../run/runContext";

interface Declaring extends Refused {
  readonly by: string;
  readonly inputs: Properties;
  /** The object that it has. Absent if it is new, or in a check, which does not know it. */
  readonly uuid?: string;
  readonly isPreview: boolean | undefined;
}

/**
 * Records which resources have and declare a unique input, and warns in a preview of a create or renaming that something
 * has it, or equals the new object. Only the declared project is listed. The rest is left to the service.
 */
export async function reportInUse(run: ResourceRun, declaring: Declaring): Promise<void> {
  if (!addsObject(run.description)) return;
  const context = await contextFor(run);
  const shared = sharedInput(run, context, declaring);
  if (!declaring.isPreview) return;
  const message = shared ?? (await existingObject(run, context, declaring));
  if (message !== undefined) reportOnce(run, message, true);
}

/** The message if another resource of the run has the unique input, or declares it. Records both of this one. */
function sharedInput(
  { description, memory, isUnknown }: ResourceRun,
  { organizationId, client }: OperationContext,
  { by, inputs, before }: Declaring,
): string | undefined {
  const { title, uniqueBy, replaceOnChanges } = description;
  if (uniqueBy === undefined) return undefined;
  const factOf = (is: Fact["is"], values?: Properties): Fact => ({
    is,
    object: createKey(title, [organizationId, values?.[uniqueBy]]),
    by,
  });
  const [mine, former] = [factOf("declares", inputs), factOf("had", before)];
  if (before !== undefined) memory.ledger.record(former);
  if (isUnknown(inputs[uniqueBy])) return undefined;
  memory.ledger.record(mine);
  // The engine checks a replacement again, as a new resource.
  const isReplaced = before !== undefined && replaceOnChanges.includes(uniqueBy);
  if (isReplaced && inputs[uniqueBy] !== before[uniqueBy]) return undefined;
  const other = (is: Fact["is"], { object }: Fact) =>
    memory.ledger.about(object).find((fact) => fact.is === is && fact.by !== by);
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
  const { uniqueBy, parentId } = description;
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
      return `The service already has ${equal}\n${remedies(replaced + ADOPT_ONE)}\`pulumi up\` creates another one.`;
    }
    const user = listed.filter(sameAs(description, wanted.inputs)).find((found) => found.uuid !== uuid);
    const isReplaced = user && claimsOf(memory, description, user.uuid).some((fact) => fact.by === by);
    if (user !== undefined && !(isReplaced && deletesFirst))
      return `The ${uniqueBy} of ${resource} ${describeUse(memory, wanted, user, { ...declaring, deletesFirst })}`;
  }
  return undefined;
}

const ADOPT_ONE = "If no stack manages one of them, adopt it: set the option `import` to its UUID";
