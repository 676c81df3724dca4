/**
 * Describes the activation resource, which waits until a custom domain serves links. It creates no object in the
 * service.
 */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { ClientError, ConflictError, NotFoundError } from "../client/errors";
import { customDomain } from "../client/model/customDomain";
import { NotReadyError, UserError } from "../errors";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { type Evidence, evidenceFor, notFoundError } from "../lifecycle/evidence/absence";
import { pollUntil } from "../lifecycle/poll";
import { canonicalValues } from "../values/canonical";
import { customDomainDescription, hostname, isPending, listInOrganization } from "./customDomain";
import { recordsOf, recordText } from "./domainRecords";

const DEFAULT_TIMEOUT_SECONDS = 600;
/** How long reads may lag behind the create of a domain. */
const READ_LAG_TIMEOUT_MS = 60_000;
/** What shows the records while an activation waits. */
const RECORDS_COMMAND = "npx pulumi-dynamiclink domains";

const inputs = z.strictObject({
  /** UUID of the custom domain to wait for. Changing it replaces the activation. */
  customDomainId: customDomain.shape.id,
  /** How long one run waits, in seconds, 1 to 86400. The next run continues to wait. Default: 600. */
  timeoutSeconds: z.int().min(1).max(86_400).optional(),
  /** Ask the service once per run to retry a domain that has failed, instead of failing immediately. Default: false. */
  retryFailed: z.boolean().optional(),
});

const outputs = z.object({
  /** Host name that serves links. Use it in resources that need the domain to be active. */
  hostname,
});

/** Inputs of an activation. */
export interface CustomDomainActivationInputs extends z.infer<typeof inputs> {}
/** Outputs of an activation. */
export interface CustomDomainActivationOutputs extends z.infer<typeof outputs> {}

type Activation = CustomDomainActivationInputs & CustomDomainActivationOutputs;

/** Waits for ACTIVE. Deleting it does nothing, and a later renewal of the domain does not make it pending again. */
export const customDomainActivationDescription: ResourceDescription<
  CustomDomainActivationInputs,
  CustomDomainActivationOutputs
> = {
  type: "CustomDomainActivation",
  title: "custom domain activation",
  scopes: { read: ["domains:read"], write: ({ retryFailed }) => (retryFailed ? ["domains:write"] : []) },
  idOf: { title: "custom domain", list: listInOrganization },
  inputs,
  outputs,
  replaceOnChanges: ["customDomainId"],
  notice: `An activation waits until its custom domain is active. Meanwhile, \`${RECORDS_COMMAND}\` in another terminal shows the DNS records to set.`,

  async read({ client, signal }, uuid, state) {
    const domain = await client.getCustomDomain({ customDomainId: uuid }, { signal });
    // A domain that was active once stays ready: during a renewal, its status may change.
    return found(domain, state, state.hostname != null || domain.lifecycleStatus === "ACTIVE");
  },

  async create(_context, declared) {
    return notRead(declared);
  },

  async waitUntilReady(context, { uuid, properties }, state) {
    if (state?.hostname != null) return await customDomainActivationDescription.read(context, uuid, state);
    return found(await waitUntilActive(context, uuid, properties), properties, true);
  },

  isReady({ hostname }) {
    return hostname != null;
  },

  async update(_context, _uuid, { inputs: declared }) {
    return notRead(declared);
  },

  async delete() {
    // There is nothing to delete: the domain belongs to another resource.
  },
};

function found(domain: ServiceDomain, declared: Partial<Activation>, active: boolean): Found<Activation> {
  const { timeoutSeconds, retryFailed } = declared;
  const properties = { customDomainId: domain.id, timeoutSeconds, retryFailed };
  return {
    uuid: domain.id,
    // The host name is an output only after the domain is active, so that dependents wait.
    properties: (active
      ? canonicalValues(outputs.shape, { ...properties, hostname: domain.hostname })
      : properties) as Activation,
    createdAt: domain.createdAt,
  };
}

/** An activation whose domain the wait reads, which outlasts transient failures. */
function notRead(declared: CustomDomainActivationInputs): Found<Activation> {
  return { uuid: declared.customDomainId, properties: declared as Activation, createdAt: "" };
}

/** Reads the domain. Reads may lag behind its create, so a 404 is final only if the lists lack the domain as well. */
async function readDomain(
  context: OperationContext,
  uuid: string,
  timeoutMs = READ_LAG_TIMEOUT_MS,
): Promise<ServiceDomain> {
  const { client, signal } = context;
  const target = { description: customDomainDescription, context, uuid, state: {} };
  let notFound: NotFoundError | undefined;
  let evidence: Evidence = {};
  const domain = await pollUntil(context, {
    timeoutMs: Math.min(timeoutMs, READ_LAG_TIMEOUT_MS),
    async read() {
      try {
        return await client.getCustomDomain({ customDomainId: uuid }, { signal });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        notFound = error;
        evidence = await evidenceFor(target);
        return undefined;
      }
    },
    done: (read) =>
      read !== undefined || (evidence.contradiction === undefined && evidence.whyUnconfirmed === undefined),
    progress: () => `Custom domain ${uuid} is not found yet`,
  });
  if (domain !== undefined) return domain;
  throw await notFoundError(target, notFound as NotFoundError, evidence);
}

async function waitUntilActive(
  context: OperationContext,
  uuid: string,
  declared: CustomDomainActivationInputs,
): Promise<ServiceDomain> {
  const { client, clock } = context;
  const timeoutSeconds = declared.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const end = clock.now() + timeoutSeconds * 1_000;
  const reportRecords = recordReporter(context);
  const wait = async () =>
    await pollUntil(context, {
      timeoutMs: end - clock.now(),
      async read(patient) {
        const domain = await readDomain(patient, uuid, end - clock.now());
        if (isPending(domain)) reportRecords(domain);
        return domain;
      },
      done: (domain) => !isPending(domain),
      progress: (domain) => waitingText(domain, timeoutSeconds),
      notBefore: ({ nextRetryAt }) => (nextRetryAt == null ? undefined : new Date(nextRetryAt)),
    });
  let domain = await wait();
  if (domain.lifecycleStatus === "FAILED" && declared.retryFailed) {
    await retryOnce(context, domain);
    domain = await wait();
  }
  if (domain.lifecycleStatus === "ACTIVE") return domain;
  const shown = client.sanitized(domain);
  const state = `Custom domain ${uuid} is ${shown.lifecycleStatus}`;
  if (isPending(domain)) {
    throw new NotReadyError(uuid, { ...found(domain, declared, false).properties }, [
      [
        `${state} after ${timeoutSeconds} seconds.`,
        ...instructionsFor(context, domain),
        "Run `pulumi up` again to continue waiting. timeoutSeconds sets how long one run waits.",
      ].join("\n"),
    ]);
  }
  throw new UserError(
    [
      `${state}${shown.lastError == null ? "" : `: ${shown.lastError.replace(/\.$/, "")}`}. Waiting will not activate it.`,
      ...instructionsFor(context, domain),
      domain.lifecycleStatus === "FAILED"
        ? "When the records are correct, set retryFailed to have the service try again."
        : "Replace the custom domain to start over.",
    ].join("\n"),
  );
}

/** Reports each record once, in a message of one line that remains after the wait. */
function recordReporter(context: OperationContext): (domain: ServiceDomain) => void {
  const reported = new Set<string>();
  return (domain) => {
    const { lifecycleStatus } = context.client.sanitized(domain);
    for (const record of recordTexts(context, domain).filter((each) => !reported.has(each))) {
      context.report(`${lifecycleStatus}: ${record}`, { persistent: true });
      reported.add(record);
    }
  };
}

/**
 * The message on the row of the resource while it waits. A terminal shows only the beginning of it, and no other message
 * before the end of the command, so it says where the records are.
 */
function waitingText(domain: ServiceDomain, timeoutSeconds: number): string {
  const { cnameTarget, ownershipValidation, sslValidationRecords } = domain;
  const hasRecords = [cnameTarget, ownershipValidation, sslValidationRecords].some((one) => one != null);
  const what = hasRecords ? `${RECORDS_COMMAND} shows what to set` : "waiting for the service";
  return `${domain.lifecycleStatus}: ${what}. Waits for at most ${timeoutSeconds} seconds.`;
}

/**
 * Asks the service to retry the domain. The request is never repeated: if its response is lost, the next poll shows
 * the result.
 */
async function retryOnce({ client, signal, report }: OperationContext, { id }: ServiceDomain): Promise<void> {
  report(`Custom domain ${id} is FAILED, asking the service to try again`);
  try {
    await client.retryCustomDomain({ customDomainId: id }, { signal });
  } catch (error) {
    const lost = error instanceof ClientError && error.effect === "unknown";
    if (!lost && !(error instanceof ConflictError)) throw error;
  }
}

/** What to set, as lines of an error message. */
function instructionsFor(context: OperationContext, domain: ServiceDomain): string[] {
  const records = recordTexts(context, domain);
  return records.length === 0 ? [] : ["Set these:", ...records.map((record) => `  ${record}`)];
}

/** What the service waits for. */
function recordTexts({ client }: OperationContext, domain: ServiceDomain): string[] {
  return recordsOf(client, domain).map(recordText);
}
