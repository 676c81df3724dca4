/** Deletes what runs have created, and nothing else. */
import type { Clock } from "../../provider/client";
import type { OperationId } from "../../testing/emulator";
import type { Gateway } from "./gateway/gateway";
import type { Journal } from "./gateway/journal";
import { objectsIn, type ServiceObject } from "./gateway/serviceObjects";
import { readsUntil } from "./questions/asked";

const ROUNDS = 3;
const WAIT_MS = 1_000;
/** The reads of a domain whose deletion was accepted, and of one that was perhaps deleted before. */
const MAX_READS = 180;
const FEW_READS = 5;

/** In this order, nothing is deleted before what it contains. */
const KINDS = [
  ["/links/", "deleteLink", "link_id"],
  ["/custom-domains/", "deleteCustomDomain", "custom_domain_id"],
  ["/applications/", "deleteApplication", "application_id"],
  ["/projects/", "deleteProject", "project_id"],
] as const;
const CONTENTS = ["listProjectLinks", "listCustomDomains", "listApplications"] as const;

/** Deletes all that the journal has. Returns what is left, each with the reason. */
export async function sweep({ call }: Gateway, journal: Journal, clock: Clock): Promise<string[]> {
  /** All pages of a list. */
  async function listed(list: OperationId, values: Record<string, string> = {}): Promise<ServiceObject[]> {
    const { answer } = await call(list, values);
    const { next_cursor: cursor } = (answer ?? {}) as { readonly next_cursor?: string | null };
    return [...objectsIn(answer), ...(cursor ? await listed(list, { ...values, cursor }) : [])];
  }

  async function isDomainGone(id: string, max: number): Promise<boolean> {
    return (await readsUntil({ call, clock }, 404, ["getCustomDomain", { custom_domain_id: id }], max)) < max;
  }

  const left = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    left.clear();
    // The gateway recognizes in lists what lost its response.
    for (const project of (await listed("listProjects")).filter(({ id }) => journal.isOwn(id))) {
      const contents: ServiceObject[] = [];
      for (const list of CONTENTS) contents.push(...(await listed(list, { project_id: project.id })));
      // A read that lagged may have shown too early that something is deleted.
      for (const created of [project, ...contents]) if (journal.isOwn(created.id)) journal.write({ created });
      const other = contents.find(({ id }) => !journal.isOwn(id));
      // The service may delete the contents of a project with it.
      if (other !== undefined) left.set(project.id, `it contains ${other.path}, which no run has created`);
    }
    for (const [kind, operation, parameter] of KINDS) {
      for (const { id } of journal.rest().filter(({ path }) => path.includes(kind))) {
        if (left.has(id)) continue;
        const { status } = await call(operation, { [parameter]: id });
        let isGone = status === 204 || status === 404;
        if (operation === "deleteCustomDomain")
          isGone = await isDomainGone(id, isGone ? MAX_READS : FEW_READS);
        if (isGone) journal.write({ deleted: id });
        else left.set(id, `its deletion returned ${status}, and is not complete`);
      }
    }
    if (journal.rest().length === 0) return [];
    await clock.sleep(WAIT_MS);
  }
  return journal.rest().map(({ id, path, name = "" }) => `${path} ${name}: ${left.get(id)}`);
}
