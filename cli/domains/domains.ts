/** Runs `domains`: reads the custom domains of an organization, and shows what to do for them. */
import type { CustomDomain } from "../../provider/client";
import { ifFound } from "../../provider/lifecycle/evidence/lists";
import { type DomainRecord, recordsOf } from "../../provider/resources/domainRecords";
import { requireScopes } from "../../provider/session/session";
import { counted } from "../../provider/values/phrases";
import { onceBy } from "../objects/identity";
import { KINDS } from "../objects/kinds";
import { noteIfNew } from "../service/inventory";
import { type Organization, type SourceOptions, withOrganization } from "../service/organization";
import { type Console, EXIT_CODES, type ExitCode } from "../terminal/console";
import { jsonDocument } from "../terminal/json";
import { tableSection, tableText } from "../terminal/tableText";
import { attentionOf } from "./attention";

export async function showDomains(options: SourceOptions, console: Console): Promise<ExitCode> {
  return await withOrganization(options, console, async (organization) => {
    const { organizationId, client } = organization;
    const { read, notes } = await readDomains(organization);
    for (const note of notes) console.message("warning", note);
    // The clock of the service, if a response had it.
    const now = client.serviceTime() ?? new Date();
    const domains = read.map((domain) => valuesOf(domain, { organization, now }));
    console.print(options.json ? jsonDocument({ organizationId, domains }) : textOf(organizationId, domains));
    const needsReview = notes.length > 0 || domains.some(({ attention }) => attention !== null);
    return needsReview ? EXIT_CODES.review : EXIT_CODES.all;
  });
}

async function readDomains(organization: Organization) {
  const { client, organizationId, session, signal } = organization;
  const scopes = [KINDS.project, KINDS.customDomain].flatMap(({ scopes: { read } }) => read);
  await requireScopes(session, scopes, "listing the custom domains of an organization");
  const projects = await client.listProjects({ organizationId }, { signal });
  // A project that is not found was deleted meanwhile, or is new.
  const lists = projects.map(
    async ({ id: projectId }) =>
      (await ifFound(client.listCustomDomains({ organizationId, projectId }, { signal }))) ?? [],
  );
  const domains = onceBy((await Promise.all(lists)).flat(), ({ id }) => id);
  return {
    read: domains.toSorted((one, other) => (one.hostname < other.hostname ? -1 : 1)),
    notes: projects.flatMap(({ id: uuid, createdAt }) => noteIfNew(organization, { uuid, createdAt }) ?? []),
  };
}

/** What users see of a domain. Scripts depend on the names. */
type DomainValues = ReturnType<typeof valuesOf>;

function valuesOf(
  domain: CustomDomain,
  { organization, now }: { readonly organization: Organization; readonly now: Date },
) {
  const { id, projectId, hostname, lifecycleStatus, lastError, nextRetryAt, activatedAt, expiresAt } = domain;
  const records = recordsOf(organization.client, domain);
  return {
    customDomainId: id,
    projectId,
    hostname,
    lifecycleStatus,
    lastError: lastError ?? null,
    nextRetryAt: nextRetryAt ?? null,
    activatedAt: activatedAt ?? null,
    expiresAt: expiresAt ?? null,
    attention: attentionOf(domain, { now, hasRecords: records.some(({ needed }) => needed) }) ?? null,
    records,
  };
}

/** The domains in tables: their states, what needs attention, and the records. */
function textOf(organizationId: string, domains: readonly DomainValues[]): string {
  const attention = domains.flatMap(({ hostname, attention: reason }) =>
    reason === null ? [] : [`  ${hostname} ${reason}\n`],
  );
  const states = domains.map((domain) => [
    domain.hostname,
    domain.lifecycleStatus,
    domain.expiresAt ?? "",
    domain.nextRetryAt ?? "",
    domain.lastError ?? "",
    domain.customDomainId,
  ]);
  const { active = [], others = [] } = Object.groupBy(domains, ({ lifecycleStatus }) =>
    lifecycleStatus === "ACTIVE" ? "active" : "others",
  );
  return [
    `Organization ${organizationId}: ${counted(domains.length, "custom domain")}, ${attention.length} ${attention.length === 1 ? "needs" : "need"} attention.\n`,
    ...(domains.length === 0
      ? []
      : ["\n", tableText(["DOMAIN", "STATE", "EXPIRES", "NEXT RETRY", "LAST ERROR", "UUID"], states)]),
    ...(attention.length === 0 ? [] : ["\nNeeds attention:\n", ...attention]),
    recordSection("To set:", others),
    recordSection("To keep, because the domains are active:", active),
  ].join("");
}

/** A heading with the records that the domains need now; nothing without records. Long values come last. */
function recordSection(heading: string, domains: readonly DomainValues[]): string {
  const rows = domains.flatMap(({ records }) =>
    records.filter(({ needed }) => needed).map((record) => [record.purpose, ...cellsOf(record)]),
  );
  return tableSection(heading, ["FOR", "TYPE", "NAME", "VALUE"], rows);
}

function cellsOf(record: DomainRecord): readonly string[] {
  return "url" in record
    ? [record.isAlternative ? "or HTTP" : "HTTP", record.url, record.body]
    : [record.type, record.name, record.value];
}
