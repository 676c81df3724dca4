/** Deletes what runs have created, and nothing else. */
import type { Clock } from "../../provider/client";
import type { Call } from "./access";
import type { Journal, OwnObject } from "./journal";
import { objectsIn } from "./objects";

/** What the sweep uses. */
export interface SweepParts {
  readonly call: Call;
  readonly journal: Journal;
  readonly clock: Clock;
}

const ROUNDS = 3;
const WAIT_MS = 2_000;
/** A domain is deleted while its records are removed elsewhere. */
const MAX_POLLS = 90;
const MAX_LAGGING_POLLS = 5;

/** In this order, nothing is deleted before what it contains. */
const KINDS = [
  ["/links/", "deleteLink", "link_id"],
  ["/custom-domains/", "deleteCustomDomain", "custom_domain_id"],
  ["/applications/", "deleteApplication", "application_id"],
  ["/projects/", "deleteProject", "project_id"],
] as const;

/** Deletes all that the journal has. Returns what is left, each with the reason. */
export async function sweep({ call, journal, clock }: SweepParts): Promise<string[]> {
  const left = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    // The gateway recognizes in lists what lost its response.
    const projects = (await allOf(call, "listProjects")).filter(({ id }) => journal.isOwn(id));
    left.clear();
    for (const project of projects) {
      const contents = await contentsOf(call, project.id);
      // A read that lagged may have shown too early that something is deleted.
      for (const each of [project, ...contents]) if (journal.isOwn(each.id)) journal.created(each);
      const others = contents.filter(({ id }) => !journal.isOwn(id));
      if (others.length > 0) left.set(project.id, `it contains ${others.map(({ path }) => path).join(", ")}`);
    }
    for (const [kind, operation, parameter] of KINDS) {
      for (const { id } of journal.rest.filter(({ path }) => path.includes(kind))) {
        // The service may delete the contents of a project with it.
        if (left.has(id)) continue;
        const { status } = await call(operation, { [parameter]: id });
        const isDomain = operation === "deleteCustomDomain" && status !== 404;
        if (isDomain ? await isDomainGone(call, id, clock) : status === 204 || status === 404)
          journal.deleted(id);
        else left.set(id, isDomain ? "it is still being deleted" : `the service responded with ${status}`);
      }
    }
    if (journal.rest.length === 0) return [];
    await clock.sleep(WAIT_MS);
  }
  return journal.rest.map(({ id, path, name = "" }) => `${path} ${name}: ${left.get(id)}`);
}

/** Waits until a domain is deleted. A read may lag behind the deletion, but not for long. */
async function isDomainGone(call: Call, custom_domain_id: string, clock: Clock): Promise<boolean> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { status, answer } = await call("getCustomDomain", { custom_domain_id });
    if (status === 404) return true;
    const { lifecycle_status } = answer as { readonly lifecycle_status?: unknown };
    if (lifecycle_status !== "DELETING" && poll >= MAX_LAGGING_POLLS) return false;
    await clock.sleep(WAIT_MS);
  }
  return false;
}

/** What is in a project. */
async function contentsOf(call: Call, project_id: string): Promise<OwnObject[]> {
  const lists = ["listProjectLinks", "listCustomDomains", "listApplications"] as const;
  const found: OwnObject[] = [];
  for (const list of lists) found.push(...(await allOf(call, list, { project_id })));
  return found;
}

/** All pages of a list. */
async function allOf(
  call: Call,
  list: Parameters<Call>[0],
  values: Readonly<Record<string, string>> = {},
): Promise<OwnObject[]> {
  const found: OwnObject[] = [];
  for (let cursor: unknown; ; ) {
    const { answer } = await call(list, { ...values, ...(typeof cursor === "string" && { cursor }) });
    found.push(...objectsIn(answer));
    cursor = (answer as { readonly next_cursor?: unknown } | undefined)?.next_cursor;
    if (typeof cursor !== "string") return found;
  }
}
