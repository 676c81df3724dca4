/** What happens to a custom domain: until it is active or has failed, and after it is deleted. */
import { Unanswered } from "../gateway/gateway";
import { type Asked, AT_ONCE, type Fields, roundest, STEP_MS } from "./asked";

/** A status: the number of reads that showed it, when the first of them ended, and when the read before was sent. */
interface Stage {
  readonly status: unknown;
  // biome-ignore lint/plugin/readonlyMembers: each read counts.
  reads: number;
  readonly sinceMs: number;
  readonly beforeMs: number;
}

const FINAL: readonly unknown[] = ["ACTIVE", "FAILED", "EXPIRED"];
/** Reads without a CNAME target after which it is not expected. */
const MANY_READS = 12;
/** How long a domain may not advance, also while somebody sets its DNS records. */
const QUIET_MS = 30_000;
const DNS_MS = 600_000;

/** Creates a domain and reads it until it is active or has failed, or does not advance. */
export async function observeDomain({ call, send, newProject, clock, domain, hasDns, ...asked }: Asked) {
  const { id: project_id } = await newProject("domain");
  const hostname = `${asked.prefix}domain.${domain}`;
  const created = await send("createCustomDomain", { project_id }, { hostname });
  const stages: Stage[] = [];
  const startMs = clock.now();
  let [isImmediate, target, reads, readsWithoutTarget, sentMs] = [true, created.cname_target, 0, 0, startMs];
  for (let idle = 0; sentMs - startMs <= (hasDns ? DNS_MS : QUIET_MS); idle++) {
    // Reads that follow each other at once show whether reads alone make it advance.
    if (idle > AT_ONCE) await clock.sleep(STEP_MS);
    const beforeMs = sentMs;
    sentMs = clock.now();
    const { status: code, answer } = await call("getCustomDomain", { custom_domain_id: created.id });
    // A read may lag behind the create.
    if (code !== 200) continue;
    const { lifecycle_status: status, cname_target } = answer as Fields;
    const isNew = cname_target && (reads === 0 || !target);
    if (hasDns && isNew) asked.print(`Set: CNAME ${hostname} -> ${cname_target}`);
    target ||= cname_target;
    reads += 1;
    if (!target) readsWithoutTarget += 1;
    const last = stages.at(-1);
    if (last !== undefined && last.status === status) last.reads += 1;
    else {
      if (last !== undefined && idle > AT_ONCE) isImmediate = false;
      stages.push({ status, reads: 1, sinceMs: clock.now(), beforeMs });
      idle = 0;
    }
    if (FINAL.includes(status) && (target || reads > MANY_READS)) break;
  }
  const whenTarget = created.cname_target ? "atOnce" : { afterPolls: readsWithoutTarget };
  return { project_id, hostname, stages, isImmediate, cnameTarget: target ? whenTarget : "never" };
}

/** What made the domain advance. */
export async function domainAdvance({ once }: Asked) {
  const { stages, isImmediate } = await once(observeDomain);
  const [first, second, third] = stages;
  if (first === undefined || second === undefined) return "manual";
  if (isImmediate && stages.slice(0, -1).every(({ reads }) => reads === first.reads))
    return { pollsPerState: first.reads };
  const [from, to] = third === undefined ? [first, second] : [second, third];
  const [low, high] = [to.beforeMs - from.sinceMs, to.sinceMs - from.beforeMs];
  return { secondsPerState: roundest(low / 1_000, high / 1_000) };
}

/** Its final status. */
export async function domainOutcome({ once }: Asked) {
  const status = (await once(observeDomain)).stages.at(-1)?.status;
  if (status === "ACTIVE" || status === "FAILED") return status.toLowerCase();
  throw new Unanswered(`The domain stayed ${status}. If it needs a DNS record, use --hostname.`);
}

/** Retries a new domain, deletes it, and reads it until it is gone. */
export async function observeDeletion({ callOnExisting, send, once, readsUntil, prefix, domain }: Asked) {
  const { project_id } = await once(observeDomain);
  const hostname = `${prefix}Deleted.${domain}`;
  const { id: custom_domain_id, ...created } = await send("createCustomDomain", { project_id }, { hostname });
  const { status: retryStatus } = await callOnExisting("retryCustomDomain", { custom_domain_id });
  // A read may lag behind the create.
  await readsUntil(200, "getCustomDomain", { custom_domain_id });
  await send("deleteCustomDomain", { custom_domain_id });
  const reads = await readsUntil(404, "getCustomDomain", { custom_domain_id });
  return { retryStatus, isStoredAsGiven: created.hostname === hostname, reads };
}
