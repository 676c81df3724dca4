/** What happens to a custom domain: until it is active or has failed, and after it is deleted. */
import type { Behaviour } from "../../testing/emulator";
import { type Asked, bodyOf, type Fields, newProject, readsUntil, roundest, Unanswered } from "./asked";

/** A status: the number of reads that showed it, when the first of them was, and when the read before was. */
interface Stage {
  readonly status: string;
  readonly reads: number;
  readonly sinceMs: number;
  readonly beforeMs: number;
}

const FINAL = ["ACTIVE", "FAILED", "EXPIRED"];
/** Reads without a CNAME target after which it is not expected. */
const MANY_READS = 12;
/** How long a domain may not advance, also while somebody sets its DNS records. */
const QUIET_MS = 30_000;
const DNS_MS = 600_000;
const AT_ONCE = 6;
const STEP_MS = 1_000;

/** Creates a domain. @throws Unanswered if the service creates none. */
export async function createDomain({ call }: Asked, project_id: string, hostname: string) {
  const created = await call("createCustomDomain", { project_id }, { hostname });
  if (created.status === 403) throw new Unanswered("The organization has no entitlement for custom domains.");
  return created;
}

/** Creates a domain and reads it until it is active or has failed, or does not advance. */
export async function observeDomain(asked: Asked) {
  const { call, clock, domain, hasDns } = asked;
  const project = await newProject(asked, "domain");
  const hostname = `${asked.prefix}domain.${domain}`;
  const { id: custom_domain_id, cname_target } = bodyOf(await createDomain(asked, project.id, hostname), 201);
  const stages: Stage[] = [];
  const startMs = clock.now();
  let [isImmediate, target, reads, readsWithoutTarget, atMs] = [true, cname_target, 0, 0, startMs];
  for (let idle = 0; atMs - startMs <= (hasDns ? DNS_MS : QUIET_MS); idle++) {
    // Reads that follow each other at once show whether reads alone make it advance.
    if (idle > AT_ONCE) await clock.sleep(STEP_MS);
    const { status: code, answer } = await call("getCustomDomain", { custom_domain_id });
    const beforeMs = atMs;
    atMs = clock.now();
    // A read may lag behind the create.
    if (code === 404) continue;
    const { lifecycle_status: status, cname_target: shown } = answer as Fields;
    if (hasDns && shown && (reads === 0 || !target))
      asked.print(`Set the record: CNAME ${hostname} -> ${shown}`);
    target ||= shown;
    reads += 1;
    if (!target) readsWithoutTarget += 1;
    const last = stages.at(-1);
    if (last !== undefined && last.status === status)
      stages.splice(-1, 1, { ...last, reads: last.reads + 1 });
    else {
      if (last !== undefined && atMs - beforeMs >= STEP_MS) isImmediate = false;
      stages.push({ status: `${status}`, reads: 1, sinceMs: atMs, beforeMs });
      idle = 0;
    }
    if (FINAL.includes(`${status}`) && (target || reads > MANY_READS)) break;
  }
  return {
    ...{ project, hostname, stages, isImmediate, isAtOnce: Boolean(cname_target) },
    readsWithoutTarget: target ? readsWithoutTarget : undefined,
  };
}

/** When the CNAME target appeared. */
export async function cnameTargetAppears(asked: Asked): Promise<Behaviour["cnameTargetAppears"]> {
  const { isAtOnce, readsWithoutTarget } = await asked.once(observeDomain);
  if (isAtOnce) return "atOnce";
  return readsWithoutTarget === undefined ? "never" : { afterPolls: readsWithoutTarget };
}

/** What made the domain advance. */
export async function domainAdvance(asked: Asked): Promise<Behaviour["domainAdvance"]> {
  const { stages, isImmediate } = await asked.once(observeDomain);
  const [first, second, third] = stages;
  if (first === undefined || second === undefined) return "manual";
  if (isImmediate && stages.slice(0, -1).every(({ reads }) => reads === first.reads))
    return { pollsPerState: first.reads };
  const [from, to] = third === undefined ? [first, second] : [second, third];
  const [low, high] = [to.beforeMs - from.sinceMs, to.sinceMs - from.beforeMs];
  return { secondsPerState: roundest(low / 1_000, high / 1_000) };
}

/** Its final status. */
export async function domainOutcome(asked: Asked): Promise<Behaviour["domainOutcome"]> {
  const status = (await asked.once(observeDomain)).stages.at(-1)?.status;
  if (status === "ACTIVE") return "active";
  if (status === "FAILED") return "failed";
  throw new Unanswered(
    `The domain stayed ${status}. It may need a DNS record: use --hostname with your own domain.`,
  );
}

/** Retries a new domain, deletes it, and reads it until it is gone. */
export async function observeDeletion(asked: Asked) {
  const { call, prefix, domain } = asked;
  const { project } = await asked.once(observeDomain);
  const hostname = `${prefix}Deleted.${domain}`;
  const { id: custom_domain_id, ...created } = bodyOf(await createDomain(asked, project.id, hostname), 201);
  const retry = await call("retryCustomDomain", { custom_domain_id });
  const read = () => call("getCustomDomain", { custom_domain_id });
  // A read may lag behind the create.
  await readsUntil(asked, 200, read);
  bodyOf(await call("deleteCustomDomain", { custom_domain_id }), 204);
  return { retry, isStoredAsGiven: created.hostname === hostname, reads: await readsUntil(asked, 404, read) };
}
