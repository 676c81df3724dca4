/** Custom domains as values for JSON, as tables, and as a zone file. */
import { type DomainRecord, recordsOf, recordText } from "../../provider/resources/domainRecords";
import { counted } from "../../provider/values/phrases";
import { jsonText } from "../terminal/json";
import { tableSection, tableText } from "../terminal/tableText";
import { attentionOf, type Limits } from "./attention";
import type { DomainReading } from "./readDomains";
import { comment, zoneLine } from "./zoneFile";

/** What users see of a domain. Scripts depend on the names, which docs/custom-domains.md lists. */
export type DomainValues = ReturnType<typeof domainValues>;

/** The values of a domain, safe to print. */
export function domainValues(
  { organization, uuid, domain, hostname, resource }: DomainReading,
  limits: Limits & { readonly now: Date },
) {
  const { organizationId, client } = organization;
  const attention = attentionOf(domain, { ...limits, isManaged: resource !== undefined });
  const shown = domain && client.sanitized(domain);
  return {
    organizationId,
    projectId: shown?.projectId ?? null,
    customDomainId: uuid,
    ...(resource !== undefined && { resource: client.sanitized(resource) }),
    hostname: hostname === undefined ? null : client.sanitized(hostname, { whole: true }),
    lifecycleStatus: shown?.lifecycleStatus ?? "NOT_FOUND",
    lastError: shown?.lastError ?? null,
    nextRetryAt: shown?.nextRetryAt ?? null,
    activatedAt: shown?.activatedAt ?? null,
    expiresAt: shown?.expiresAt ?? null,
    attention: attention ?? null,
    records: domain === undefined ? [] : recordsOf(client, domain),
  };
}

export function domainsJson(domains: readonly DomainValues[]): string {
  return jsonText({ domains });
}

/** The domains in tables: their states, what needs attention, and the records. */
export function domainsText(place: string, domains: readonly DomainValues[]): string {
  const attention = domains.filter((domain) => domain.attention !== null);
  const counts = `${counted(domains.length, "custom domain")}, ${attention.length} ${attention.length === 1 ? "needs" : "need"} attention`;
  const organizations = new Set(domains.map(({ organizationId }) => organizationId));
  const states = domains.map((domain) => [
    nameOf(domain),
    domain.lifecycleStatus,
    domain.expiresAt ?? "",
    domain.nextRetryAt ?? "",
    domain.lastError ?? "",
    domain.customDomainId,
    ...(organizations.size > 1 ? [domain.organizationId] : []),
  ]);
  const head = ["DOMAIN", "STATE", "EXPIRES", "NEXT RETRY", "LAST ERROR", "UUID", "ORGANIZATION"];
  const isActive = ({ lifecycleStatus }: DomainValues) => lifecycleStatus === "ACTIVE";
  return [
    `${place}: ${counts}.\n`,
    ...(domains.length === 0 ? [] : [`\n${withoutEmpty(head, states)}`]),
    ...(attention.length === 0 ? [] : ["\nNeeds attention:\n", ...attention.map(attentionLine)]),
    recordSection(
      "To set:",
      domains.filter((domain) => !isActive(domain)),
    ),
    recordSection("To keep, because the domains are active:", domains.filter(isActive)),
  ].join("");
}

function attentionLine(domain: DomainValues): string {
  return `  ${nameOf(domain)} ${domain.attention}\n`;
}

/**
 * A heading with the records that the domains need now; nothing without records. Values come last, so that one that wraps
 * is easy to copy.
 */
function recordSection(heading: string, domains: readonly DomainValues[]): string {
  const rows = domains.flatMap(({ records }) =>
    records.filter(({ needed }) => needed).map((record) => [record.purpose, ...cellsOf(record)]),
  );
  return tableSection(heading, ["FOR", "TYPE", "NAME", "VALUE"], rows);
}

function cellsOf(record: DomainRecord): readonly string[] {
  return "url" in record ? ["HTTP", record.url, record.body] : [record.type, record.name, record.value];
}

/** A table without the columns that are empty in every row. */
function withoutEmpty(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = (_: string, column: number) => rows.some((row) => (row[column] ?? "") !== "");
  return tableText(
    head.filter(isUsed),
    rows.map((row) => row.filter(isUsed)),
  );
}

/** The domain by the name that people know it by. */
function nameOf({ hostname, resource, customDomainId }: DomainValues): string {
  return hostname ?? resource ?? customDomainId;
}

/**
 * A zone file with the records that the service reports, also those with which an active domain was verified: a renewal may
 * need them. A domain that is being deleted or was not found has none.
 */
export function domainsZone(place: string, domains: readonly DomainValues[]): string {
  return [
    comment(`${place}: ${counted(domains.length, "custom domain")}`),
    ...domains.flatMap((domain) => [
      "",
      comment(`${nameOf(domain)}: ${domain.lifecycleStatus}`),
      ...(domain.lifecycleStatus === "DELETING" ? [] : domain.records.map(zoneLine)),
    ]),
    "",
  ].join("\n");
}

/** What has changed since an earlier reading, in lines. */
export function changesBetween(
  before: readonly DomainValues[],
  after: readonly DomainValues[],
): readonly string[] {
  const earlier = new Map(before.map((domain) => [domain.customDomainId, domain]));
  return after.flatMap((domain) => {
    const old = earlier.get(domain.customDomainId);
    const known = new Set(old?.records.map(recordText));
    const fresh = domain.records.filter((record) => record.needed).map(recordText);
    return [
      ...(old?.lifecycleStatus === domain.lifecycleStatus
        ? []
        : [
            `${nameOf(domain)}: ${domain.lifecycleStatus}${old === undefined ? "" : `, was ${old.lifecycleStatus}`}`,
          ]),
      ...fresh.filter((text) => !known.has(text)).map((text) => `  ${text}`),
    ];
  });
}
