/** What happens to a custom domain: until it is active or has failed, and after it is deleted. */
import type { Behaviour } from "../../testing/emulator";
import { type Asked, bodyOf, type Fields, newProject, poll, roundest, Unanswered } from "./asked";

/** A status, and the reads that showed it in a row. */
interface Stage {
  readonly status: string;
  readonly reads: number;
  /** When the first of them was, and when the one before, in milliseconds. */
  readonly sinceMs: number;
  readonly beforeMs: number;
}

const FINAL = ["ACTIVE", "FAILED", "EXPIRED"];
/** Reads without a CNAME target after which it is not expected. */
const MANY_READS = 12;
/** How long a domain may not advance, and how long with DNS records. */
const QUIET_MS = 30_000;
const DNS_MS = 600_000;
const AT_ONCE = 6;
const STEP_MS = 1_000;

/** Creates a domain and reads it until it is active or has failed, or does not advance. */
export async function observeDomain(asked: Asked) {
  const { call, clock, prefix, domain, hasDns, print } = asked;
  const project = await newProject(asked, "domain");
  const hostname = `${prefix}domain.${domain}`;
  const created = bodyOf(await createDomain(asked, project.id, hostname), 201);
  const stages: Stage[] = [];
  const startMs = clock.now();
  let isImmediate = true;
  let readsBeforeTarget = created.cname_target == null ? 0 : -1;
  let hasTarget = readsBeforeTarget < 0;
  let reads = 0;
  let atMs = startMs;
  for (let idle = 0; atMs - startMs <= (hasDns ? DNS_MS : QUIET_MS); idle++) {
    // Reads that follow each other at once show whether reads alone make it advance.
    if (idle > AT_ONCE) await clock.sleep(STEP_MS);
    const { status: code, answer } = await call("getCustomDomain", { custom_domain_id: `${created.id}` });
    const beforeMs = atMs;
    atMs = clock.now();
    // A read may lag behind the create.
    if (code === 404) continue;
    const { lifecycle_status: status, cname_target } = answer as Fields;
    reads += 1;
    if (cname_target == null) readsBeforeTarget += 1;
    else if (hasDns && (!hasTarget || reads === 1)) print(`Set: CNAME ${hostname} -> ${cname_target}`);
    hasTarget ||= cname_target != null;
    const last = stages.at(-1);
    if (last !== undefined && last.status === status)
      stages[stages.length - 1] = { ...last, reads: last.reads + 1 };
    else {
      if (last !== undefined && atMs - beforeMs >= STEP_MS) isImmediate = false;
      stages.push({ status: `${status}`, reads: 1, sinceMs: atMs, beforeMs });
      idle = 0;
    }
    if (FINAL.includes(`${status}`) && (hasTarget || reads > MANY_READS)) break;
  }
  if (!hasTarget) readsBeforeTarget = Infinity;
  return { project, hostname, stages, isImmediate, readsBeforeTarget };
}

/** Creates a domain. @throws Unanswered if the service does not create any. */
export async function createDomain({ call }: Asked, project_id: string, hostname: string) {
  const created = await call("createCustomDomain", { project_id }, { hostname });
  if (created.status === 403) throw new Unanswered("The organization has no entitlement for custom domains.");
  return created;
}

/** When the CNAME target appeared. */
export async function cnameTargetAppears(asked: Asked): Promise<Behaviour["cnameTargetAppears"]> {
  const { readsBeforeTarget } = await asked.once(observeDomain);
  if (readsBeforeTarget < 0) return "atOnce";
  return readsBeforeTarget === Infinity ? "never" : { afterPolls: readsBeforeTarget };
}

/** What made the domain advance. */
export async function domainAdvance(asked: Asked): Promise<Behaviour["domainAdvance"]> {
  const { stages, isImmediate } = await asked.once(observeDomain);
  const [first, second, third] = stages;
  if (first === undefined || second === undefined) return "manual";
  const ended = stages.slice(0, -1);
  if (isImmediate && ended.every(({ reads }) => reads === first.reads)) return { pollsPerState: first.reads };
  const [from, to] = third === undefined ? [first, second] : [second, third];
  const low = to.beforeMs - from.sinceMs;
  const high = to.sinceMs - from.beforeMs;
  return { secondsPerState: roundest(low / 1_000, high / 1_000) };
}

/** Its final status. */
export async function domainOutcome(asked: Asked): Promise<Behaviour["domainOutcome"]> {
  const { stages } = await asked.once(observeDomain);
  const status = stages.at(-1)?.status;
  if (status === "ACTIVE") return "active";
  if (status === "FAILED") return "failed";
  throw new Unanswered(
    `The domain stayed ${status}. It may need its DNS record: use --hostname with a domain that you own.`,
  );
}

/** Retries a new domain, deletes it, and reads it until it is gone. */
export async function observeDeletion(asked: Asked) {
  const { call } = asked;
  const { project } = await asked.once(observeDomain);
  // In another spelling.
  const hostname = `${asked.prefix}Deleted.${asked.domain}`;
  const created = bodyOf(await createDomain(asked, project.id, hostname), 201);
  const id = { custom_domain_id: `${created.id}` };
  const retry = await call("retryCustomDomain", id);
  // A read may lag behind the create.
  await poll(
    asked,
    () => call("getCustomDomain", id),
    ({ status }) => status === 200,
  );
  bodyOf(await call("deleteCustomDomain", id), 204);
  let reads = -1;
  const last = await poll(
    asked,
    () => {
      reads += 1;
      return call("getCustomDomain", id);
    },
    ({ status }) => status === 404,
    { limitMs: 120_000 },
  );
  return {
    retry,
    isStoredAsGiven: created.hostname === hostname,
    reads: last.status === 404 ? reads : Infinity,
  };
}
