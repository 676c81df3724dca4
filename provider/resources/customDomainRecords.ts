/** Describes the records resource, which keeps what the service shows only for a while. It creates no object in the service. */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { customDomain, ownershipValidation } from "../client/model/customDomain";
import { NotReadyError, UserError } from "../errors";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { pollUntil } from "../lifecycle/poll";
import { sortedJson } from "../lifecycle/properties";
import { enumerated } from "../values/phrases";
import { customDomainDescription, isPending, listInOrganization } from "./customDomain";
import { readDomain, stageOf } from "./customDomainActivation";

const DEFAULT_TIMEOUT_SECONDS = 60;

export const verificationRecord = z.object(ownershipValidation.shape);
/** What the service asks to set for a custom domain: a DNS record, a response to serve, or either of both. */
export interface VerificationRecord extends z.infer<typeof verificationRecord> {}

const inputs = z.strictObject({
  /** UUID of the custom domain. Changing it replaces the resource. */
  customDomainId: customDomain.shape.id,
  /** How long one run waits, in seconds, 1 to 86400. Default: 60. */
  timeoutSeconds: z.int().min(1).max(86_400).optional(),
  /** The records to wait for: `ownership`, `certificates`, or both. Default: none. */
  waitFor: z.array(z.enum(["ownership", "certificates"])).optional(),
});

const outputs = z.object({
  /** The record of ownership that the service has shown last. Absent if none. */
  ownership: (verificationRecord as z.ZodType<VerificationRecord>).optional(),
  /** The records of the certificate that the service has shown last; empty if none. */
  certificates: z.array(verificationRecord as z.ZodType<VerificationRecord>),
});

/** Inputs of custom domain records. */
export interface CustomDomainRecordsInputs extends z.infer<typeof inputs> {}
/** Outputs of custom domain records. */
export interface CustomDomainRecordsOutputs extends z.infer<typeof outputs> {}

type Records = CustomDomainRecordsInputs & CustomDomainRecordsOutputs;
/** What the service has shown. An empty list is absent. */
type Shown = Partial<CustomDomainRecordsOutputs>;
type Name = keyof Shown;

const IF_REPLACED =
  "If --replace or `pulumi state taint` replaces a resource that has kept records, it still has them: leave the option out, or run `pulumi state untaint`.";

/** Keeps the records that the service has shown. A refresh replaces them by others, and clears none. Deleting it does nothing. */
export const customDomainRecordsDescription: ResourceDescription<
  CustomDomainRecordsInputs,
  CustomDomainRecordsOutputs
> = {
  type: "CustomDomainRecords",
  title: "custom domain record set",
  scopes: { read: ["domains:read"], write: [] },
  creates: { is: "nothing", of: { title: "custom domain", list: listInOrganization } },
  inputs,
  outputs,
  replaceOnChanges: ["customDomainId"],
  listedAs: customDomainDescription,

  async read(context, uuid, state, listed) {
    const domain =
      listed === undefined
        ? await context.client.getCustomDomain({ customDomainId: uuid }, { signal: context.signal })
        : ({ ...listed.properties, id: uuid, lifecycleStatus: listed.lifecycle } as ServiceDomain);
    const shown = { ...shownIn(state), ...shownBy(domain) };
    const missing = missingIn(state, shown);
    const isReady = missing.length === 0;
    return {
      ...asFound({ ...state, customDomainId: domain.id }, isReady ? { certificates: [], ...shown } : shown),
      notReady: isReady ? undefined : whyMissing(context, domain, missing),
    };
  },

  async create(_context, declared) {
    return asFound(declared, {});
  },

  /** Polls until the domain has shown what the program waits for; without that, until the provider knows the domain. */
  async waitUntilReady(context, { uuid, properties: declared }) {
    const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, waitFor = [], certificates } = declared;
    let shown = shownIn(declared);
    const missing = () => missingIn(declared, shown);
    if (certificates !== undefined && missing().length === 0) return asFound(declared, declared);
    const domain = await pollUntil(context, {
      timeoutMs: timeoutSeconds * 1_000,
      async read(patient) {
        const found = await readDomain(patient, uuid);
        shown = { ...shown, ...shownBy(found) };
        return found;
      },
      done: (one) =>
        !isPending(one) ||
        (waitFor.length > 0 ? missing().length === 0 : one.lifecycleStatus !== "PENDING_PROVIDER"),
      progress: ({ hostname, lifecycleStatus }) =>
        `${hostname} is ${lifecycleStatus}: waiting for its records`,
    });
    if (missing().length > 0) {
      const why = whyMissing(context, domain, missing(), ` after ${timeoutSeconds} seconds`);
      // There is nothing to keep, and no wait will help: an entry that it replaces stays.
      if (!isPending(domain) && Object.keys(shown).length === 0) throw new UserError(`${why} ${IF_REPLACED}`);
      throw new NotReadyError(uuid, { ...asFound(declared, shown).properties }, [why]);
    }
    const others = missingIn({ waitFor: ["ownership", "certificates"] }, shown);
    if (waitFor.length === 0 && others.length > 0)
      context.report(
        `${stageOf(context.client.sanitized(domain))}, and the service shows ${noRecords(others)}. If it asks for some later, \`pulumi up --refresh\` adds them.`,
        { persistent: true },
      );
    return asFound(declared, { certificates: [], ...shown });
  },

  async update(_context, _uuid, { inputs: declared, state }) {
    return asFound(declared, state as Shown);
  },
};

/** Only a resource that is ready has an empty list of certificates, so that another one looks again. */
function asFound(
  { customDomainId, timeoutSeconds, waitFor }: CustomDomainRecordsInputs,
  { ownership, certificates }: Shown,
): Found<Records> {
  const properties = { customDomainId, timeoutSeconds, waitFor, ownership, certificates };
  return { uuid: customDomainId, properties: properties as Records, createdAt: "" };
}

/** Why records are missing that the program waits for, and what to do, as sentences. */
function whyMissing(
  { client }: OperationContext,
  domain: ServiceDomain,
  missing: Name[],
  waited = "",
): string {
  const isWaiting = isPending(domain);
  const remove = `Waiting will not show any: remove ${enumerated(missing)} from waitFor`;
  const ended: Readonly<Record<string, string>> = {
    ACTIVE: `${remove}. An active domain has been verified.`,
    DELETING:
      "When it is deleted, run `pulumi up --refresh`, which creates the custom domain again if the program declares it.",
  };
  const next = isWaiting
    ? "Run `pulumi up` again to continue waiting. timeoutSeconds sets how long one run waits."
    : (ended[domain.lifecycleStatus] ??
      `${remove}, and let the activation have the service retry it, with retryFailed.`);
  return `${stageOf(client.sanitized(domain))}${isWaiting ? waited : ""}, and the service has shown ${noRecords(missing)}.\n${next}`;
}

function noRecords(names: readonly Name[]): string {
  return `no records of ${names.map((name) => name.replace(/s$/, "")).join(" or ")}`;
}

/** The records that the program waits for, and the service has not shown. */
function missingIn({ waitFor = [] }: Pick<Partial<Records>, "waitFor">, shown: Shown): Name[] {
  return waitFor.filter((name) => shown[name] === undefined);
}

function shownIn({ ownership, certificates = [] }: Shown): Shown {
  return { ...(ownership && { ownership }), ...(certificates.length > 0 && { certificates }) };
}

/** The records that a domain shows. A list counts as a whole, in an order of its own: the service may have any. */
function shownBy({ ownershipValidation, sslValidationRecords }: ServiceDomain): Shown {
  const certificates = (sslValidationRecords?.records ?? []).map(
    ({ txtName: name, txtValue: value, ...http }) => wholeRecord({ ...http, name, value }),
  );
  const whole = certificates.filter((each) => each !== undefined);
  whole.sort((one, other) => (sortedJson(one) < sortedJson(other) ? -1 : 1));
  const ownership = wholeRecord(ownershipValidation ?? {});
  return shownIn({
    ...(ownership && { ownership }),
    certificates: whole.length < certificates.length ? [] : whole,
  });
}

/** A record if each way that it offers has both of its parts, and it offers any. */
function wholeRecord(record: VerificationRecord): VerificationRecord | undefined {
  const { type = "TXT", name, value, httpUrl, httpBody } = record;
  const [hasDns, hasHttp] = [Boolean(name), Boolean(httpUrl)];
  if (hasDns !== Boolean(value) || hasHttp !== Boolean(httpBody) || !(hasDns || hasHttp)) return undefined;
  return { ...(hasDns && { type: type.toUpperCase(), name, value }), ...(hasHttp && { httpUrl, httpBody }) };
}
