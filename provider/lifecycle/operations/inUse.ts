/** Warns in a preview that the service may refuse a unique input, because something else has its value. */
import { listedOnce } from "../create/before";
import { describeUse, type Refused, withinLimit } from "../create/conflict";
import { createKey, type Fact, resourceOf } from "../ledger/facts";
import type { Properties } from "../properties";
import { contextFor, type ResourceRun } from "../run/runContext";

interface Declaring extends Refused {
  readonly by: string;
  readonly inputs: Properties;
  readonly isPreview: boolean | undefined;
}

/**
 * Records which resources have and declare a unique input, and warns in a preview that something else has it. That is no
 * error: the run may change that first. Only the declared project is listed. The rest is left to the service.
 */
export async function reportInUse(run: ResourceRun, declaring: Declaring): Promise<void> {
  const { description, memory, isUnknown, report } = run;
  const { by, inputs, before, isPreview } = declaring;
  const { title, uniqueBy, parentId = "", replaceOnChanges } = description;
  if (uniqueBy === undefined) return;
  const context = await contextFor(run);
  const factOf = (is: Fact["is"], values?: Properties): Fact => ({
    is,
    object: createKey(title, [context.organizationId, values?.[uniqueBy]]),
    by,
  });
  const [mine, former] = [factOf("declares", inputs), factOf("had", before)];
  if (before !== undefined) memory.ledger.record(former);
  if (isUnknown(inputs[uniqueBy])) return;
  memory.ledger.record(mine);
  const isChanged = inputs[uniqueBy] !== before?.[uniqueBy];
  // The engine checks a replacement again, as a new resource.
  const isReplaced = isChanged && before !== undefined && replaceOnChanges.includes(uniqueBy);
  if (!isPreview || isReplaced || memory.deletedFirst.has(by)) return;
  const other = (is: Fact["is"], { object }: Fact) =>
    memory.ledger.about(object).find((fact) => fact.is === is && fact.by !== by);
  const named = (fact: Fact) => resourceOf(fact, context.client.sanitized);
  const warn = (message: string) =>
    report(`The ${uniqueBy} of ${message}`, { persistent: true, warning: true });
  const same = other("declares", mine);
  if (same) return warn(`${named(mine)} is also that of ${named(same)}. Choose another one for one of them.`);
  const earlier = other("had", mine);
  const heir = earlier ? mine : other("declares", former);
  if (heir) {
    const owner = named(earlier ?? mine);
    return warn(
      `${named(heir)} is that of ${owner} until this run changes it. In an earlier \`pulumi up\`, give ${owner} one that nothing uses.`,
    );
  }
  if (!isChanged || isUnknown(inputs[parentId])) return;
  const wanted = { description, context, inputs };
  const listed = await listedOnce(memory, { ...wanted, context: withinLimit(context) });
  const user = listed?.find((found) => found.properties[uniqueBy] === inputs[uniqueBy]);
  if (user !== undefined) warn(`${named(mine)} ${describeUse(memory, wanted, user, declaring)}`);
}
