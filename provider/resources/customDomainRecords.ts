/**
 * Describes the records resource, which keeps the records that prove the ownership of a hostname and validate its
 * certificate: the service shows them only for a while. It creates no object in the service.
 */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { customDomain } from "../client/model/customDomain";
import { NotReadyError } from "../errors";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { pollUntil } from "../lifecycle/poll";
import { sortedJson } from "../lifecycle/properties";
import { enumerated } from "../values/phrases";
import { customDomainDescription, isPending, listInOrganization, readDomain, stageOf } from "./customDomain";

const DEFAULT_TIMEOUT_SECONDS = 60;

export const verificationRecord = z.object({
  /** Kind of the DNS record, in upper case, such as `TXT`. */
  type: z.string().optional(),
  /** Name of the DNS record. Absent if the service offers HTTP alone. */
  name: z.string().optional(),
  /** Value of the DNS record. */
  value: z.string().optional(),
  /** URL at which to serve `httpBody`. Absent if the service offers DNS alone. */
  httpUrl: z.string().optional(),
  /** What to serve at `httpUrl`. */
  httpBody: z.string().optional(),
});
/** What the service asks to set for a custom domain: a DNS record, a response to serve, or either of both. */
export interface VerificationRecord extends z.infer<typeof verificationRecord> {}

const inputs = z.strictObject({
  /** UUID of the custom domain. Changing it replaces the resource. */
  customDomainId: customDomain.shape.id,
  /** How long one run waits, in seconds, 1 to 86400. With `waitFor`, the next run continues to wait. Default: 60. */
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
/** What the service has shown. */
type Shown = Partial<CustomDomainRecordsOutputs>;
type Name = keyof Shown;
type Domain = Pick<ServiceDomain, "ownershipValidation" | "sslValidationRecords">;

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

  listedIn: {
    kind: customDomainDescription,
    found: (context, { uuid, properties, createdAt, lifecycle }, state) =>
      asRead(
        context,
        { ...properties, id: uuid, createdAt, lifecycleStatus: lifecycle } as ServiceDomain,
        state,
      ),
  },

  async read(context, uuid, state) {
    const { client, signal } = context;
    return asRead(context, await client.getCustomDomain({ customDomainId: uuid }, { signal }), state);
  },

  async create(_context, declared) {
    return asFound(declared, {});
  },

  async waitUntilReady(context, { properties }) {
    const { certificates, ...declared } = properties;
    const isComplete = certificates !== undefined && missingIn(declared, shownIn(properties)).length === 0;
    return isComplete ? asFound(declared, properties) : await waitUntilShown(context, properties);
  },

  async update(_context, _uuid, { inputs: declared, state }) {
    return asFound(declared, state as Shown);
  },
};

function asFound(
  { customDomainId, timeoutSeconds, waitFor }: CustomDomainRecordsInputs,
  { ownership, certificates }: Shown,
  createdAt = "",
): Found<Records> {
  const properties = { customDomainId, timeoutSeconds, waitFor, ownership, certificates };
  return { uuid: customDomainId, properties: properties as Records, createdAt };
}

/** What a refresh finds: the records of the domain if it shows whole ones, else those of the state. */
function asRead(context: OperationContext, domain: ServiceDomain, state: Partial<Records>): Found<Records> {
  const shown = { ...shownIn(state), ...shownBy(domain) };
  const missing = missingIn(state, shown);
  const isReady = missing.length === 0;
  return {
    ...asFound({ ...state, customDomainId: domain.id }, isReady ? complete(shown) : shown, domain.createdAt),
    notReady: isReady ? undefined : whyMissing(context, domain, missing),
  };
}

/** Polls until the domain has shown what the program waits for; without that, until the provider knows the domain. */
async function waitUntilShown(context: OperationContext, declared: Found<Records>["properties"]) {
  const { customDomainId, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, waitFor = [] } = declared;
  let shown = shownIn(declared);
  const missing = () => missingIn(declared, shown);
  const domain = await pollUntil(context, {
    timeoutMs: timeoutSeconds * 1_000,
    async read(patient) {
      const found = await readDomain(patient, customDomainId);
      shown = { ...shown, ...shownBy(found) };
      return found;
    },
    done: (one) =>
      !isPending(one) ||
      (waitFor.length > 0 ? missing().length === 0 : one.lifecycleStatus !== "PENDING_PROVIDER"),
    progress: ({ hostname, lifecycleStatus }) => `${hostname} is ${lifecycleStatus}: waiting for its records`,
  });
  if (missing().length > 0) {
    const why = whyMissing(context, domain, missing(), ` after ${timeoutSeconds} seconds`);
    throw new NotReadyError(customDomainId, { ...asFound(declared, shown).properties }, [why]);
  }
  const others = missingIn({ waitFor: ["ownership", "certificates"] }, shown);
  if (waitFor.length === 0 && others.length > 0) {
    const stage = stageOf(context.client.sanitized(domain));
    context.report(
      `${stage}, and the service shows ${noRecords(others)}. If it asks for some later, \`pulumi up --refresh\` adds them.`,
      { persistent: true },
    );
  }
  return asFound(declared, complete(shown));
}

/** Why records are missing that the program waits for, and what to do, as sentences. */
function whyMissing(
  { client }: OperationContext,
  domain: ServiceDomain,
  missing: readonly Name[],
  waited = "",
): string {
  const { lifecycleStatus } = domain;
  const stage = `${stageOf(client.sanitized(domain))}${isPending(domain) ? waited : ""}`;
  const remove = `remove ${enumerated(missing)} from waitFor`;
  const next = isPending(domain)
    ? "Run `pulumi up` again to continue waiting. timeoutSeconds sets how long one run waits."
    : lifecycleStatus === "ACTIVE"
      ? `It has been verified, so waiting will not show any: ${remove}.`
      : lifecycleStatus === "DELETING"
        ? "When it is deleted, run `pulumi up --refresh`, which creates the custom domain again if the program declares it."
        : `Waiting will not show any: ${remove}, so that the activation of the domain can have the service retry it, with retryFailed.`;
  return `${stage}, and the service has shown ${noRecords(missing)}.\n${next}`;
}

function noRecords(names: readonly Name[]): string {
  return `no records of ${names.map((name) => name.replace(/s$/, "")).join(" or ")}`;
}

/** The records that the program waits for, and the service has not shown. */
function missingIn({ waitFor = [] }: Pick<Partial<Records>, "waitFor">, shown: Shown): Name[] {
  return waitFor.filter((name) => shown[name] === undefined);
}

/** The records of a state. It has an empty list where none were shown. */
function shownIn({ ownership, certificates = [] }: Shown): Shown {
  return { ...(ownership && { ownership }), ...(certificates.length > 0 && { certificates }) };
}

function complete({ certificates = [], ...shown }: Shown): Shown {
  return { ...shown, certificates };
}

/** The records that a domain shows. A list counts as a whole, in an order of its own: the service may have any. */
function shownBy({ ownershipValidation, sslValidationRecords }: Domain): Shown {
  const ownership = wholeRecord(ownershipValidation ?? {});
  const certificates = (sslValidationRecords?.records ?? []).map(
    ({ txtName: name, txtValue: value, ...http }) => wholeRecord({ ...http, type: "TXT", name, value }),
  );
  const whole = certificates.filter((each) => each !== undefined);
  return shownIn({
    ...(ownership && { ownership }),
    certificates: whole.length < certificates.length ? [] : whole.sort(inOrder),
  });
}

function inOrder(one: object, other: object): number {
  return sortedJson(one) < sortedJson(other) ? -1 : 1;
}

/** A record if each way that it offers has both of its parts, and it offers any. */
function wholeRecord({
  type = "TXT",
  name,
  value,
  httpUrl,
  httpBody,
}: VerificationRecord): VerificationRecord | undefined {
  const [hasDns, hasHttp] = [Boolean(name), Boolean(httpUrl)];
  if (hasDns !== Boolean(value) || hasHttp !== Boolean(httpBody) || !(hasDns || hasHttp)) return undefined;
  return { ...(hasDns && { type: type.toUpperCase(), name, value }), ...(hasHttp && { httpUrl, httpBody }) };
}
