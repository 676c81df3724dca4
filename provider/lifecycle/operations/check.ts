import { NotFoundError } from "../../client/errors";
import { requireScopes } from "../../session/session";
import { canonicalValues } from "../../values/canonical";
import { withArticle } from "../../values/phrases";
import { checkUuid, isUuid } from "../../values/uuid";
import { checkAdoption, reportUnprotected, requireAdoptable } from "../adoption";
import type { OperationContext } from "../description";
import { confirmAbsenceAnywhere, explainProjectNotFound } from "../evidence/absence";
import { readKnown } from "../evidence/known";
import { ifVisible, PROJECT_KIND } from "../evidence/lists";
import { recordYouth } from "../evidence/youth";
import { explained } from "../explain";
import { isTaken } from "../ledger/decisions";
import { type FactKind, identified, objectKey, parentIn, projectKey } from "../ledger/facts";
import type { Properties } from "../properties";
import { resourceKey } from "../run/checkedResources";
import { contextFor, type ResourceRun } from "../run/runContext";
import type { Declared } from "../state";
import { scopesFor, validated } from "./inputs";
import { recordUniqueInput, reportInUse } from "./inUse";
import { replacingInputs } from "./replacement";

/** The declared inputs, and the previous ones to compare them with. */
export interface CheckRequest extends Declared {
  /** The previous inputs; empty for a new resource. */
  readonly before?: Properties;
  /** The UUID of the option `import` at the last `up`. */
  readonly adoptBefore?: unknown;
  readonly isNew: boolean;
  /** Whether a preview is known to run, on a host that does not call `create` then. */
  readonly isPreview?: boolean | undefined;
  /** Whether the program sets the option `retainOnDelete`, as far as the host knows. */
  readonly retainOnDelete?: boolean | undefined;
  /** Whether the program sets the option `deleteBeforeReplace`, as far as the host knows. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Identifies the resource in this run. Default: its URN. */
  readonly resource?: string | undefined;
  /** Whether messages may show the values of a property. Default: none, because values may be secret. */
  mayShow?(name: string): boolean;
}

/** Returns the inputs in canonical form, with all violations. Looks up the key, and reads what is adopted or replaced; writes nothing. */
export async function check(
  run: ResourceRun,
  request: CheckRequest,
): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
  const { checkedExisting, checkedNew } = run.memory;
  const { resource = run.urn, adopt, isNew, mayShow = () => false } = request;
  // Even if the check fails, this run deletes no object that the program declares with `import`.
  const name = identified(resource);
  const by = isNew ? name : resource;
  recordImports(run, { ...request, by });
  const { inputs, before, failures, context } = await checkInputs(run, { ...request, resource });
  if (context === undefined) return { inputs, failures };
  const uuid = adopt === undefined ? undefined : String(adopt).toLowerCase();
  const key = resourceKey(run, { inputs, adopt: uuid });
  (isNew ? checkedNew : checkedExisting).add(key, name);
  const notShown = Object.keys(inputs).filter((each) => !mayShow(each));
  run.memory.notShown.set(key, new Set([...(run.memory.notShown.get(key) ?? []), ...notShown]));
  if (isNew) recordReplaced(run, resource);
  const isPreview = request.isPreview && uuid === undefined;
  if (request.isPreview) run.memory.isPreview = true;
  if (request.deleteBeforeReplace) run.memory.deletedFirst.add(resource);
  if (isNew && uuid === undefined) await requireProject(run, context, inputs);
  if (resource !== undefined) {
    const declaring = { by: resource, inputs, before: isNew ? undefined : before };
    recordUniqueInput(run, context, declaring);
    if (isPreview) await reportInUse(run, context, declaring);
  }
  if (uuid === undefined) {
    if (!isNew && isUuid(request.adoptBefore)) reportUnprotected(run, request.adoptBefore);
    return { inputs, failures: [] };
  }
  const refusals = by === undefined ? [] : requireAdoptable(run, uuid, { by, isNew });
  if (isNew && refusals.length === 0)
    refusals.push(...(await checkAdoption(run, context, { inputs, uuid, mayShow })));
  return { inputs, failures: refusals, adopt: uuid };
}

/** Records the objects that a resource declares with `import`, or did at the last `up`. */
function recordImports(
  { description, memory: { ledger } }: ResourceRun,
  { inputs, before = {}, adopt, adoptBefore, by }: CheckRequest & { readonly by: string | undefined },
): void {
  const record = (is: FactKind, uuid: unknown, values: Properties) =>
    isUuid(uuid) &&
    ledger.record({
      is,
      object: objectKey(description.title, uuid),
      by,
      parent: parentIn(description, values),
    });
  record("adoptedBefore", adoptBefore, before);
  // Nothing can tell a resource that is not identified from another one.
  record(by === undefined ? "adoptedBefore" : "adopting", adopt, inputs);
}

/** A resource that is checked as new no longer keeps its objects: see docs/internals/engine.md#replacement-order. */
function recordReplaced({ memory: { ledger } }: ResourceRun, by: string | undefined): void {
  const facts = by === undefined ? [] : ledger.by(by);
  const kept = facts.filter(({ is }) => is === "seen" || is === "declared");
  for (const { object, parent } of kept.filter((fact) => !ledger.has(fact.object, "absent")))
    ledger.record({ is: "replacing", object, by, parent });
}

/** The inputs in canonical form, with a context unless they are invalid. Looks up the key, and checks a replacement. */
async function checkInputs(
  run: ResourceRun,
  { inputs, before = {}, adopt, isNew, resource, retainOnDelete = false }: CheckRequest,
) {
  const { description } = run;
  const { inputs: canonical, failures: violations } = validated(run, inputs, isNew && adopt === undefined);
  const failures = [
    ...violations,
    ...(adopt === undefined ? [] : checkUuid(adopt, run.isUnknown).map((reason) => `import: ${reason}`)),
  ];
  if (failures.length > 0) return { inputs, before, failures };
  const scopes = scopesFor(description, run.session, canonical);
  await explained(() => requireScopes(run.session, scopes, withArticle(description.title)));
  const context = await contextFor(run);
  const compared = {
    before: canonicalValues(description.inputs, before),
    inputs: canonical,
    isUnknown: run.isUnknown,
  };
  if (replacingInputs(description, compared).length > 0) {
    if (description.replacement?.deletesFirst(canonical, compared.before))
      run.memory.deletedFirst.add(resource);
    const project = projectKey(description, canonical);
    const isInNewProject = run.memory.ledger.has(project, "created");
    const replacement = { ...compared, isInNewProject, retainOnDelete };
    await explained(async () => await description.replacement?.check(context, replacement));
    // The engine checks the replacement again, as a new resource.
    if (description.replacement) run.memory.projects.set(project, Promise.resolve());
  }
  return { inputs: canonical, before: compared.before, failures, context };
}

/**
 * Requires that the project of a new object exists. Unless another resource shows that, it is read, once in this process.
 * If the read fails, the create reports the error. @throws UserError if the organization has no such project.
 */
async function requireProject(
  run: ResourceRun,
  context: OperationContext,
  inputs: Properties,
): Promise<void> {
  const { description } = run;
  const { parentId } = description;
  const { ledger, projects } = run.memory;
  if (parentId === undefined || run.isUnknown(inputs[parentId])) return;
  const key = projectKey(description, inputs);
  if (isTaken(ledger, key)) return;
  const projectId = String(inputs[parentId]);
  const { client, organizationId, signal } = context;
  const target = { description: PROJECT_KIND, context, uuid: projectId, state: {} };
  const get = () => client.getProject({ organizationId, projectId }, { signal });
  const absence = () => confirmAbsenceAnywhere(target);
  const read =
    projects.get(key) ??
    ifVisible(context, "projects:read", () => readKnown(target, get, { absence }))
      .then((project) => project && recordYouth(context, key, project.createdAt))
      .catch(async (error: unknown) => {
        if (error instanceof NotFoundError) throw await explainProjectNotFound(context, projectId, error);
      });
  projects.set(key, read);
  await explained(() => read);
}
