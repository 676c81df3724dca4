import { UserError } from "../../errors";
import { requireScopes } from "../../session/session";
import { objectName, withArticle } from "../../values/phrases";
import { checkUuid } from "../../values/uuid";
import { IF_DELETED, readExisting } from "../adoption";
import { existsInService, titleOfId } from "../creates";
import type { Found, ResourceDescription } from "../description";
import { confirmAbsence, requireGone } from "../evidence/absence";
import { readKnown } from "../evidence/known";
import type { LookupTarget } from "../evidence/lists";
import { ORGANIZATION_PROPERTY } from "../hiddenProperties";
import { objectKey } from "../ledger/facts";
import { serviceMs } from "../poll";
import { declaredPart, type Properties } from "../properties";
import { contextFor, type ResourceRun, reportOnce } from "../run/runContext";
import {
  type Declared,
  declaredIn,
  importableInputs,
  importIn,
  type ManagedObject,
  originIn,
  savedCreation,
  stateOf,
} from "../state";
import { changedAt, mayBeOutdated, withSavedTime } from "../version";
import { confirmNotFound } from "./deleted";

export interface Reading extends ManagedObject, Declared {
  /** Why the resource must wait again, as sentences. The next update resumes it. */
  readonly notReady?: string | undefined;
  readonly lifecycle?: string;
}

export interface ReadRequest extends ManagedObject {
  /** Whether Pulumi itself imports the object. */
  readonly isImport?: boolean;
  /** Whether no program has declared the resource since then, so that its inputs are all values of the object. */
  readonly isUndeclared?: boolean;
}

/** Reads the object for a refresh, a program's `get`, or an import by Pulumi itself. Undefined if it was deleted. */
export async function read(
  run: ResourceRun,
  { uuid, state, isImport = false, isUndeclared = false }: ReadRequest,
): Promise<Reading | undefined> {
  const { description } = run;
  const { title, scopes } = description;
  const [failure] = checkUuid(uuid, run.isUnknown);
  if (failure !== undefined) throw new UserError(failure);
  const context = await contextFor(run, { uuid, state });
  const { organizationId } = context;
  await requireScopes(run.session, scopes.read, `reading ${withArticle(title)}`);
  const target = { description, context, uuid, state };
  const get = () => description.read(context, uuid, state);
  // A 404 proves nothing without the organization that owns the object.
  if (state[ORGANIZATION_PROPERTY] === undefined) {
    const advice = isImport ? IF_DELETED : undefined;
    const found = await readExisting({ ...target, advice }, get);
    // The state was edited, but it has what the program declares. Without that, all values of the object are returned.
    if (Object.keys(declaredIn(description, state)).length > 0) return refreshed(target, found, isUndeclared);
    // The engine compares all outputs of a resource that a program only reads.
    const hidden = isImport ? savedCreation(found.createdAt, found.properties, serviceMs(context)) : {};
    return imported(description, organizationId, found, hidden);
  }
  const { reads, ledger } = run.memory;
  try {
    const found = await readKnown(target, (isAgain) => (isAgain ? get() : reads.read(target)), {
      absence: () => confirmAbsence(target, reads.evidenceFor(target)),
      isOutdated: ({ updatedAt }) => mayBeOutdated(updatedAt, state, serviceMs(context)),
    });
    return refreshed(target, found, isUndeclared);
  } catch (error) {
    const absence = await confirmNotFound(run, context, { uuid, state }, error);
    requireGone(target, absence.notFound, absence);
    ledger.record({ is: "absent", object: objectKey(title, uuid), by: run.urn });
    reportOnce(
      run,
      existsInService(description)
        ? `${objectName(title, uuid)} was deleted outside Pulumi. It leaves the state, and is created again if the program declares it.`
        : // What it waits for may be too new for a replica, and its own age is not known.
          `${objectName(titleOfId(description), uuid)} was not found, so its ${title} leaves the state. If the program declares it, the next \`pulumi up\` waits again.`,
    );
    return undefined;
  }
}

/** The state and inputs that a refresh saves. */
function refreshed(
  { description, context, uuid, state }: LookupTarget<ResourceDescription>,
  { updatedAt, ...current }: Found,
  isUndeclared: boolean,
): Reading {
  const { organizationId } = context;
  const rest = { ...current, properties: withSavedTime(current.properties, state) };
  // The engine compares all outputs of a resource that a program only reads. One more would be a change to it.
  const found = changedAt(state) === undefined ? rest : { ...rest, updatedAt };
  const declared = isUndeclared
    ? importableInputs(description, found.properties)
    : declaredIn(description, state);
  const hidden = originIn(state, serviceMs(context));
  const saved = stateOf(description, { organizationId, inputs: declared, hidden }, found);
  return {
    uuid,
    state: saved,
    inputs: declaredPart(declared, found.properties),
    adopt: importIn(state),
    notReady: found.notReady,
  };
}

/** The state and inputs of an object that no program declares yet, as if all its values were declared. */
export function imported(
  description: ResourceDescription,
  organizationId: string,
  found: Found,
  hidden: Properties = {},
): Reading {
  const { uuid, lifecycle } = found;
  const inputs = importableInputs(description, found.properties);
  const state = stateOf(description, { organizationId, inputs, hidden }, found);
  return { uuid, state, inputs, ...(lifecycle !== undefined && { lifecycle }) };
}
