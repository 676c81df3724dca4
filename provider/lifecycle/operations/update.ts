import { UserError } from "../../errors";
import { canonicalValues } from "../../values/canonical";
import type { Change, Found } from "../description";
import { explained } from "../explain";
import { ADOPTED_PROPERTY, IMPORT_PROPERTY } from "../hiddenProperties";
import { objectKey } from "../ledger/facts";
import { serviceMs } from "../poll";
import { changedPaths, differences, type Properties } from "../properties";
import { contextFor, type ResourceRun } from "../run/runContext";
import { type Declared, declaredIn, type ManagedObject, originIn, stateOf } from "../state";
import { showsChanges, versionAfter } from "../version";
import { recordDeclared } from "./diff";
import { requireValid } from "./inputs";
import { applyChange, notApplied, unapplied, whenReady, writing } from "./write";

export async function update(
  run: ResourceRun,
  { uuid, state, inputs, adopt }: ManagedObject & Declared,
): Promise<Properties> {
  const { description } = run;
  requireValid(run, inputs, false);
  recordDeclared(run, { inputs, adopt }, objectKey(description.title, uuid));
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, declaredIn(description, state));
  const change: Change = { inputs, changed: changedPaths(before, inputs), state };
  const found = await explained(() => writing(run, () => applyChange(run, context, { uuid, state }, change)));
  const { changed } = change;
  const sent = { inputs, changed: [...changed, ...(found.alsoSent ?? [])] };
  const differing = unapplied(description, sent, found);
  if (differing.length > 0) throw new UserError(notApplied(run, { inputs, adopt }, uuid, differing));
  // A response to a write does not lag.
  const isCurrent = changed.length > 0 || showsChanges(found, state);
  const drift = isCurrent ? reportDrift(run, inputs, found) : undefined;
  const written = changed.length > 0 ? new Date(serviceMs(context)).toISOString() : undefined;
  // After the option is removed, the state of an adopted object contains "", so that a refresh can tell that it was
  // removed.
  const option = adopt ?? (ADOPTED_PROPERTY in state ? "" : undefined);
  const parts = {
    organizationId: context.organizationId,
    inputs,
    hidden: {
      ...originIn(state, serviceMs(context)),
      ...versionAfter(found, state, drift, written),
      [IMPORT_PROPERTY]: option,
    },
  };
  const current = await explained(() => whenReady(description, context, found, parts, state));
  // A value that was changed outside Pulumi is not saved before a refresh. If it were, the next update would consider
  // it changed by the program and overwrite it.
  return stateOf(description, parts, { properties: { ...current.properties, ...inputs } });
}

/** Reports values that were changed outside Pulumi and that an update left unchanged. Returns their paths. */
function reportDrift(
  { description: { title }, report }: ResourceRun,
  inputs: Properties,
  { uuid, properties }: Found,
): string[] {
  const drift = differences(inputs, properties).map(({ path }) => path);
  if (drift.length === 0) return drift;
  const [were, them] = drift.length === 1 ? ["was", "it"] : ["were", "them"];
  report(
    `${drift.join(", ")} of ${title} ${uuid} ${were} changed outside Pulumi, and this update left ${them} unchanged. Run \`pulumi refresh\` to see the difference.`,
    { persistent: true },
  );
  return drift;
}
