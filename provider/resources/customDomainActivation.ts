/** Describes the activation resource, which waits until a custom domain serves links. It creates no object. */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { BadRequestError, ClientError, ConflictError, NotFoundError } from "../client/errors";
import { customDomain } from "../client/model/customDomain";
import { NotReadyError, UserError } from "../errors";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { type Absence, confirmAbsenceAnywhere, explainNotFound } from "../lifecycle/evidence/absence";
import { readKnown } from "../lifecycle/evidence/known";
import { objectKey } from "../lifecycle/ledger/facts";
import { LONGEST_LAG_MS, pollUntil } from "../lifecycle/poll";
import { ageOf } from "../lifecycle/version";
import { canonicalValues } from "../values/canonical";
import { objectName } from "../values/phrases";
import { timeOf } from "../values/time";
import {
  customDomainDescription,
  hasEnded,
  hostname,
  isActive,
  isPending,
  listInOrganization,
} from "./customDomain";
import { recordsOf, recordText } from "./domainRecords";

const DEFAULT_TIMEOUT_SECONDS = 600;
/** What shows the records while an activation waits. */
const RECORDS_COMMAND = "npx pulumi-dynamiclink domains";

const inputs = z.strictObject({
  /** UUID of the custom domain to wait for. Changing it replaces the activation. */
  customDomainId: customDomain.shape.id,
  /** How long one run waits, in seconds, 1 to 86400. The next run continues to wait. Default: 600. */
  timeoutSeconds: z.int().min(1).max(86_400).optional(),
  /** Ask the service once per run to retry a domain that has failed or expired, instead of failing immediately. Default: false. */
  retryFailed: z.boolean().optional(),
});

const outputs = z.object({
  /** Hostname that serves links. Use it in resources that need the domain to be active. */
  hostname,
});

/** Inputs of an activation. */
export interface CustomDomainActivationInputs extends z.infer<typeof inputs> {}
/** Outputs of an activation. */
export interface CustomDomainActivationOutputs extends z.infer<typeof outputs> {}

type Activation = CustomDomainActivationInputs & CustomDomainActivationOutputs;

/** Waits for ACTIVE. If a refresh finds the domain in another stage later, the next update waits again. Deleting it does nothing. */
export const customDomainActivationDescription: ResourceDescription<
  CustomDomainActivationInputs,
  CustomDomainActivationOutputs
> = {
  type: "CustomDomainActivation",
  title: "custom domain activation",
  scopes: { read: ["domains:read"], write: ({ retryFailed }) => (retryFailed ? ["domains:write"] : []) },
  creates: { is: "nothing", of: { title: "custom domain", list: listInOrganization } },
  inputs,
  outputs,
  replaceOnChanges: ["customDomainId"],
  notice: `An activation waits until its custom domain is active. Meanwhile, \`${RECORDS_COMMAND}\` shows the DNS records to set. If the domain has a Provider of its own, name that with --provider.`,

  async read(context, uuid, state) {
    const get = ({ client, signal }: OperationContext) =>
      client.getCustomDomain({ customDomainId: uuid }, { signal });
    let domain = await get(context);
    // It was active, so the response may come from a replica that is behind.
    if (state.hostname != null && !isActive(domain))
      domain = await pollUntil(context, {
        timeoutMs: LONGEST_LAG_MS,
        read: get,
        done: (shown) => isActive(shown),
        progress: (shown) => `${stageOf(shown)}, and was active. Waiting until that is certain`,
      });
    return { ...asFound(domain, state), notReady: whyNotReady(context, domain, state) };
  },

  async create(_context, declared) {
    return asUnread(declared);
  },

  async waitUntilReady(context, { uuid, properties }) {
    return asFound(await waitUntilActive(context, uuid, properties), properties);
  },

  async update(_context, _uuid, { inputs: declared, state: { hostname } }) {
    return asUnread({ ...declared, ...(hostname != null && { hostname: String(hostname) }) });
  },
};

function asFound(
  { id, hostname, lifecycleStatus, createdAt }: ServiceDomain,
  { timeoutSeconds, retryFailed, hostname: before }: Partial<Activation>,
): Found<Activation> {
  const properties = { customDomainId: id, timeoutSeconds, retryFailed };
  // The hostname becomes an output when the domain is active, so that dependents wait. Then it stays.
  const isKnown = isActive({ lifecycleStatus }) || before != null;
  return {
    uuid: id,
    properties: (isKnown ? canonicalValues(outputs, { ...properties, hostname }) : properties) as Activation,
    createdAt,
  };
}

/** Why a refresh finds the activation not ready, as sentences. */
function whyNotReady(
  context: OperationContext,
  domain: ServiceDomain,
  declared: Partial<Activation>,
): string | undefined {
  if (isActive(domain)) return undefined;
  const next = isPending(domain)
    ? " Run `pulumi up` to continue."
    : ["", ...wayOut(context, domain, declared)].join("\n");
  return `${stageOf(context.client.sanitized(domain))}, so its activation is not complete.${next}`;
}

/** The stage of a domain, with its last error. Its texts must be sanitized. */
export function stageOf({ id, hostname, lifecycleStatus, lastError }: ServiceDomain): string {
  const error = lastError == null || !hasEnded(lifecycleStatus) ? "" : `: ${lastError.replace(/\.$/, "")}`;
  return `${objectName("custom domain", id, hostname)} is ${lifecycleStatus}${error}`;
}

/** An activation whose domain the wait reads, which outlasts transient failures. */
function asUnread(declared: CustomDomainActivationInputs): Found<Activation> {
  return { uuid: declared.customDomainId, properties: declared as Activation, createdAt: "" };
}

/** Reads the domain. Reads may lag behind its create, so a 404 is final only if the lists lack the domain as well. */
export async function readDomain(context: OperationContext, uuid: string): Promise<ServiceDomain> {
  const { client, signal } = context;
  const target = { description: customDomainDescription, context, uuid, state: {} };
  let absence: Absence | undefined;
  try {
    return await readKnown(target, () => client.getCustomDomain({ customDomainId: uuid }, { signal }), {
      async absence() {
        absence = await confirmAbsenceAnywhere(target);
        return absence;
      },
    });
  } catch (error) {
    throw error instanceof NotFoundError ? await explainNotFound(target, error, absence) : error;
  }
}

async function waitUntilActive(
  context: OperationContext,
  uuid: string,
  declared: CustomDomainActivationInputs,
): Promise<ServiceDomain> {
  const { client, clock } = context;
  const timeoutSeconds = declared.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const end = clock.now() + timeoutSeconds * 1_000;
  const wait = async (since?: string) =>
    await pollUntil(context, {
      timeoutMs: end - clock.now(),
      read: async (patient) => await readDomain(patient, uuid),
      // A read may lag behind the retry.
      done: (domain) => !isPending(domain) && ageOf(domain.updatedAt, since) !== "older",
      progress: waitingText,
      notBefore: ({ nextRetryAt }) => (nextRetryAt == null ? undefined : new Date(timeOf(nextRetryAt))),
    });
  let domain = await wait();
  let retry: Retry = {};
  if (declared.retryFailed && isRetried(domain)) {
    retry = await retryOnce(context, domain);
    domain = await wait(retry.acceptedAt);
  }
  if (isActive(domain)) return domain;
  const stage = stageOf(client.sanitized(domain));
  if (isPending(domain)) {
    throw new NotReadyError(uuid, { ...asFound(domain, declared).properties }, [
      [
        `${stage} after ${timeoutSeconds} seconds.`,
        ...instructionsFor(context, domain),
        "Run `pulumi up` again to continue waiting. timeoutSeconds sets how long one run waits.",
      ].join("\n"),
    ]);
  }
  throw new UserError(
    [`${stage}. Waiting will not activate it.`, ...wayOut(context, domain, declared, retry)].join("\n"),
  );
}

/** What came of asking the service to retry a domain. */
interface Retry {
  /** The version of the domain after it. */
  readonly acceptedAt?: string;
  /** Why the service does not retry it. */
  readonly refusal?: string;
}

/** Whether a retry may help. The reference does not say whether the service retries a domain that has expired. */
function isRetried({ lifecycleStatus }: ServiceDomain): boolean {
  return lifecycleStatus === "FAILED" || lifecycleStatus === "EXPIRED";
}

/** How to activate a domain that is in a final stage, as lines of a message. */
function wayOut(
  context: OperationContext,
  domain: ServiceDomain,
  { retryFailed }: Partial<Activation>,
  { refusal }: Retry = {},
): string[] {
  if (!isRetried(domain))
    return [
      "When it is deleted, run `pulumi up --refresh`, which creates the custom domain again if the program declares it.",
    ];
  const again = `set \`deleteBeforeReplace: true\` of the custom domain, and run \`pulumi up --replace '${resourceOf(context, domain.id)}'\`, which deletes it, if it has no links, and creates it again.`;
  const tryAgain = retryFailed ? "run `pulumi up` again" : "set retryFailed and run `pulumi up`";
  return [
    ...(refusal === undefined
      ? [
          ...instructionsFor(context, domain),
          `When the records are correct, ${tryAgain} to have the service try again. If it refuses, ${again}`,
        ]
      : [refusal, `If it persists, ${again}`]),
    `Until it is active, \`pulumi up --exclude '**:${customDomainActivationDescription.type}::*'\` deploys everything else.`,
  ];
}

/** The resource of a domain for the options of Pulumi: its URN, else a pattern with its logical name. */
function resourceOf({ client, facts }: OperationContext, uuid: string): string {
  const { title, type } = customDomainDescription;
  const by = facts?.about(objectKey(title, uuid)).find((fact) => fact.by !== undefined)?.by ?? "";
  if (by.startsWith("urn:")) return client.sanitized(by, { whole: true });
  // The dynamic host has the name, after the URN of the parent.
  const [, name = "<logical name>"] = /^custom domain (?:urn:\S+ )?(\S+)$/.exec(client.sanitized(by)) ?? [];
  return `**:${type}::${name}`;
}

/** The message on the row of the resource while it waits. A terminal cuts it off, so it only says where the records are. */
function waitingText(domain: ServiceDomain): string {
  const { hostname, lifecycleStatus, cnameTarget, ownershipValidation, sslValidationRecords } = domain;
  const hasRecords = [cnameTarget, ownershipValidation, sslValidationRecords].some((one) => one != null);
  const what = hasRecords ? `${RECORDS_COMMAND} shows what to set` : "waiting for the service";
  return `${hostname} is ${lifecycleStatus}: ${what}`;
}

/** Asks the service to retry the domain, once: if the response is lost, the next poll shows the result. */
async function retryOnce(
  { client, signal, report }: OperationContext,
  domain: ServiceDomain,
): Promise<Retry> {
  report(`${stageOf(client.sanitized(domain))}, asking the service to try again`);
  try {
    const { updatedAt } = await client.retryCustomDomain({ customDomainId: domain.id }, { signal });
    return { acceptedAt: updatedAt };
  } catch (error) {
    if (error instanceof ConflictError || error instanceof BadRequestError) return { refusal: error.message };
    if (error instanceof ClientError && error.effect === "unknown") return {};
    throw error;
  }
}

/** What to set, as lines of an error message. */
function instructionsFor({ client }: OperationContext, domain: ServiceDomain): string[] {
  const records = recordsOf(client, domain).map((record) => `  ${recordText(record)}`);
  return records.length === 0 ? [] : ["Set these:", ...records];
}
