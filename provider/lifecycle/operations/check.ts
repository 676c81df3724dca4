import { randomUUID } from "node:crypto";
import { NotFoundError } from "../../client/errors";
import { requireScopes } from "../../session/session";
import { canonicalValues } from "../../values/canonical";
import { withArticle } from "../../values/phrases";
import { checkUuid, isUuid } from "../../values/uuid";
import { checkAdoption, reportUnprotected, requireAdoptable } from "../adoption";
import type { ResourceDescription } from "../description";
import { projectNotFoundError } from "../evidence/absence";
import { ifVisible } from "../evidence/visible";
import { explained } from "../explain";
import { isTaken } from "../ledger/decisions";
import { type Fact, objectKey, UNIDENTIFIED } from "../ledger/facts";
import { type Properties, withoutNulls } from "../properties";
import { callKey } from "../run/checked";
import { contextFor, type ResourceRun } from "../run/runContext";
import type { Declared } from "../state";
import { failuresOf, scopesFor, withEnforcedNulls } from "./inputs";
import { reportInUse } from "./inUse";
import { replacingInputs } from "./replacement";

/** The declared inputs, and the previous ones to compare them with. */
export interface Checked extends Declared {
  /** The previous inputs; empty for a new resource. */
  readonly before?: Properties;
  /** The UUID of the option `import` at the last `up`. */
  readonly adoptBefore?: unknown;
  readonly isNew: boolean;
  /** Whether a preview is known to run, on a host that does not call `create` then. */
  readonly isPreview?: boolean | undefined;
  /** Whether the program sets the option `retainOnDelete`, as far as the host knows. */
  readonly retainOnDelete?: boolean | undefined;
  /** Identifies the resource in this run. Default: its URN. */
  readonly resource?: string | undefined;
  /** Whether messages may show the values of a property. Default: none, because values may be secret. */
  mayShow?(name: string): boolean;
}

/**
 * Validates the inputs and returns them in canonical form, with all violations. Looks up the key, reads the object
 * that a new resource will adopt, and checks replacements; writes nothing.
 */
export async function check(
  run: ResourceRun,
  request: Checked,
): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
  const { checked: existing, checkedNew, ledger } = run.memory;
  const { resource = run.urn, adopt, isNew, mayShow = () => false } = request;
  const checked = { ...request, resource, mayShow };
  // Even if the check fails, this run deletes no object that the program declares with `import`.
  const name = resource ?? `${UNIDENTIFIED}${randomUUID()}`;
  const by = isNew ? name : resource;
  for (const fact of importFacts(run.description, { ...checked, by })) ledger.record(fact);
  const { inputs, before, failures } = await validated(run, checked);
  if (failures.length > 0) return { inputs, failures };
  const uuid = adopt === undefined ? undefined : String(adopt).toLowerCase();
  (isNew ? checkedNew : existing).add(callKey(run, { inputs, adopt: uuid }), name);
  if (isNew) {
    const doubt = run.description.doubtOf?.(inputs);
    if (doubt !== undefined) run.report(doubt, { persistent: true, warning: true });
    for (const fact of replacedFacts(run, resource)) ledger.record(fact);
  }
  const isPreview = request.isPreview && uuid === undefined;
  if (isNew && uuid === undefined) await requireProject(run, inputs);
  if (resource !== undefined)
    await reportInUse(run, { by: resource, inputs, before: isNew ? undefined : before, isPreview });
  if (uuid === undefined) {
    if (!isNew && isUuid(request.adoptBefore)) reportUnprotected(run, request.adoptBefore);
    return { inputs, failures: [] };
  }
  const refusals = by === undefined ? [] : requireAdoptable(run, uuid, { by, isNew });
  if (!isNew || refusals.length > 0) return { inputs, failures: refusals, adopt: uuid };
  return {
    inputs,
    failures: await checkAdoption(run, { inputs, uuid, mayShow }),
    adopt: uuid,
  };
}

/** The objects that a resource declares with `import`, or did at the last `up`. */
function importFacts(
  { title }: ResourceDescription,
  { adopt, adoptBefore, by }: Checked & { readonly by: string | undefined },
): readonly Fact[] {
  const facts: Fact[] = [];
  if (isUuid(adoptBefore)) facts.push({ is: "adoptedBefore", object: objectKey(title, adoptBefore), by });
  // Nothing can tell a resource that is not identified from another one.
  if (isUuid(adopt))
    facts.push({ is: by === undefined ? "adoptedBefore" : "adopting", object: objectKey(title, adopt), by });
  return facts;
}

/** The objects of a resource that is checked as new: the engine replaces them, so the resource no longer keeps them. */
function replacedFacts({ memory }: ResourceRun, by: string | undefined): readonly Fact[] {
  if (by === undefined) return [];
  const objects = memory.ledger
    .by(by)
    .filter(({ is }) => is === "seen" || is === "declared")
    .map(({ object }) => object);
  return [...new Set(objects)].map((object) => ({ is: "replacing", object, by }));
}

/** The inputs in canonical form, or their errors. Also checks a replacement. */
async function validated(
  run: ResourceRun,
  { inputs, before = {}, adopt, isNew, resource, retainOnDelete = false }: Checked,
): Promise<{
  readonly inputs: Properties;
  readonly before: Properties;
  readonly failures: string[];
}> {
  const { description } = run;
  const declared = withoutNulls(inputs);
  const failures = [
    ...failuresOf(run, declared, isNew && adopt === undefined),
    ...(adopt === undefined ? [] : checkUuid(adopt, run.isUnknown).map((reason) => `import: ${reason}`)),
  ];
  if (failures.length > 0) return { inputs, before, failures };
  const { title } = description;
  await explained(() =>
    requireScopes(run.session, scopesFor(description, run.session, declared), withArticle(title)),
  );
  const news = canonicalValues(description.inputs, withEnforcedNulls(description, inputs));
  const compared = {
    before: canonicalValues(description.inputs, before),
    inputs: news,
    isUnknown: run.isUnknown,
  };
  if (replacingInputs(description, compared).length > 0) {
    if (description.replacement?.deletesFirst(news, compared.before)) run.memory.deletedFirst.add(resource);
    const context = await contextFor(run);
    const project = projectKey(description, news);
    const isInNewProject = run.memory.ledger.has(project, "created");
    const replacement = { ...compared, isInNewProject, retainOnDelete };
    await explained(async () => await description.replacement?.check(context, replacement));
    // The engine checks the replacement again, as a new resource.
    if (description.replacement) run.memory.projects.set(project, Promise.resolve());
  }
  return { inputs: news, before: compared.before, failures };
}

/**
 * Requires that the project of a new object exists. Usually another resource of the program shows that. Otherwise the
 * project is read, once in this process. If the read fails or the key lacks the scope, the create reports the error.
 *
 * @throws UserError if the organization has no such project.
 */
async function requireProject(run: ResourceRun, inputs: Properties): Promise<void> {
  const { description } = run;
  const { parentId } = description;
  const { ledger, projects } = run.memory;
  if (parentId === undefined || run.isUnknown(inputs[parentId])) return;
  const key = projectKey(description, inputs);
  if (isTaken(ledger, key)) return;
  const projectId = String(inputs[parentId]);
  const context = await contextFor(run);
  const { client, organizationId, signal } = context;
  const read =
    projects.get(key) ??
    ifVisible(context, "projects:read", () =>
      client.getProject({ organizationId, projectId }, { signal }),
    ).catch(async (error: unknown) => {
      if (error instanceof NotFoundError) throw await projectNotFoundError(context, projectId, error);
    });
  projects.set(key, read);
  await explained(() => read);
}

function projectKey({ parentId = "" }: ResourceDescription, inputs: Properties): string {
  return objectKey("project", String(inputs[parentId]));
}
