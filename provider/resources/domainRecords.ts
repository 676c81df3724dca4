/** What has to be set for a custom domain: DNS records, and responses of a web server. */
import type { Client, CustomDomain } from "../client";
import { canonicalHostname } from "../values/hostname";

/** What a record is for: to serve the links, or to prove that the hostname is yours. */
type Purpose = "links" | "ownership" | "certificate";

interface Need {
  readonly purpose: Purpose;
  /** Whether it has to be set now. An active domain needs only its CNAME record, although the service may still report others. */
  readonly needed: boolean;
}

/** A DNS record to set. */
export interface DnsRecord extends Need {
  /** In upper case, such as `TXT`. */
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** A response to serve. */
export interface HttpResponse extends Need {
  /** Whether it proves the same as the DNS record before it, so that one of them is enough. */
  readonly isAlternative: boolean;
  readonly url: string;
  readonly body: string;
}

export type DomainRecord = DnsRecord | HttpResponse;

/** The records of a domain, in the order in which the service asks for them. Their texts are sanitized, and never truncated. */
export function recordsOf(
  { sanitized }: Pick<Client, "sanitized">,
  { hostname, lifecycleStatus, cnameTarget, ownershipValidation, sslValidationRecords }: CustomDomain,
): readonly DomainRecord[] {
  const exists = lifecycleStatus !== "DELETING";
  const needed = exists && lifecycleStatus !== "ACTIVE";
  const cname = { type: "CNAME", name: canonicalHostname(hostname), value: cnameTarget ?? "" };
  const ownership = ownershipValidation ?? {};
  const certificates = (sslValidationRecords?.records ?? []).flatMap(
    ({ txtName: name, txtValue: value, ...http }) =>
      verificationRecords(http, { name, value }, { purpose: "certificate", needed }),
  );
  const records: readonly DomainRecord[] = [
    ...(cnameTarget == null ? [] : [{ ...cname, purpose: "links", needed: exists } as const]),
    ...verificationRecords(ownership, ownership, { purpose: "ownership", needed }),
    ...certificates,
  ];
  return sanitized(records, { whole: true });
}

/** A record in one line, as an instruction. */
export function recordText(record: DomainRecord): string {
  if ("url" in record)
    return `${record.isAlternative ? "or serve" : "Serve"} ${JSON.stringify(record.body)} at ${record.url}`;
  const { type, name, value, purpose } = record;
  return `${type} ${name} -> ${purpose === "links" ? value : JSON.stringify(value)}`;
}

/** Every way to verify a domain that the service offers. */
function verificationRecords(
  {
    httpUrl,
    httpBody = "",
  }: { readonly httpUrl?: string | undefined; readonly httpBody?: string | undefined },
  { type = "TXT", name, value = "" }: Partial<Record<"type" | "name" | "value", string | undefined>>,
  need: Need,
): readonly DomainRecord[] {
  const dns = name === undefined ? [] : [{ type: type.toUpperCase(), name, value, ...need }];
  if (httpUrl === undefined) return dns;
  return [...dns, { url: httpUrl, body: httpBody, isAlternative: dns.length > 0, ...need }];
}
