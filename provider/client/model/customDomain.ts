/** Custom domains, and what proves that a hostname is yours. */
import { z } from "zod";
import { dateTime, identity, lastChange, orOther, parents, uri } from "./formats";

export const lifecycleStatus = z.enum([
  "PENDING_PROVIDER",
  "PENDING_DNS",
  "PENDING_CERTIFICATE",
  "ACTIVE",
  "FAILED",
  "EXPIRED",
  "DELETING",
]);
/** The stage in the lifecycle of a custom domain. */
export type LifecycleStatus = z.infer<typeof lifecycleStatus>;

export const createCustomDomain = z.strictObject({
  /** Hostname of the domain, 1 to 253 characters. */
  hostname: z.string().min(1).max(253),
});
/** The request body that creates a custom domain. */
export interface CreateCustomDomain extends z.infer<typeof createCustomDomain> {}

const http = {
  /** URL at which to serve `httpBody`. If present, prefer it to the DNS record. */
  httpUrl: uri.optional(),
  /** What to serve at `httpUrl`. */
  httpBody: z.string().optional(),
};

export const ownershipValidation = z.looseObject({
  /** Kind of DNS record to set. */
  type: z.string().optional(),
  /** Name of the DNS record. */
  name: z.string().optional(),
  /** Value of the DNS record. */
  value: z.string().optional(),
  ...http,
});
/** How to prove the ownership of a hostname. Additional fields keep the names that the service uses. */
export interface OwnershipValidation extends z.infer<typeof ownershipValidation> {}

export const sslValidationRecord = z.looseObject({
  /** Status of the validation. */
  status: z.string().optional(),
  /** Name of the TXT record to set. */
  txtName: z.string().optional(),
  /** Value of the TXT record. */
  txtValue: z.string().optional(),
  ...http,
});
/** One way to validate a certificate. Additional fields keep the names that the service uses. */
export interface SslValidationRecord extends z.infer<typeof sslValidationRecord> {}

export const sslValidationRecords = z.object({
  /** The records to set. */
  records: z.array(sslValidationRecord as z.ZodType<SslValidationRecord>),
});
/** The records to set before a certificate can be issued. */
export interface SslValidationRecords extends z.infer<typeof sslValidationRecords> {}

export const customDomain = z.object({
  ...identity,
  ...parents,
  /** Hostname of the domain. */
  hostname: createCustomDomain.shape.hostname,
  /** The stage in the domain's lifecycle. The service may add others. */
  lifecycleStatus: orOther(lifecycleStatus),
  /** The domain provider's status of the domain; null if there is none. */
  providerStatus: z.string().nullish(),
  /** The domain provider's status of the certificate; null if there is none. */
  sslStatus: z.string().nullish(),
  /** How to prove ownership; null if nothing is required. Once the domain is active, it has been proven. */
  ownershipValidation: (ownershipValidation as z.ZodType<OwnershipValidation>).nullish(),
  /** The records to set for the certificate; null if none are required. Once the domain is active, it has been issued. */
  sslValidationRecords: (sslValidationRecords as z.ZodType<SslValidationRecords>).nullish(),
  /** The target of the hostname's CNAME record; null until it is assigned. */
  cnameTarget: z.string().nullish(),
  /** A text if the last step at the domain provider failed, such as `Provider operation failed.`; otherwise null. */
  lastError: z.string().nullish(),
  /** When the service last checked the domain, as an ISO 8601 date and time; null if never. */
  lastCheckedAt: dateTime.nullish(),
  /** When the domain became active, as an ISO 8601 date and time; null if never. */
  activatedAt: dateTime.nullish(),
  /** When the domain expires, as an ISO 8601 date and time; null if it does not. */
  expiresAt: dateTime.nullish(),
  /** When the service retries automatically, as an ISO 8601 date and time; null if it does not. */
  nextRetryAt: dateTime.nullish(),
  /** How many times provisioning was retried. */
  retryCount: z.int(),
  ...lastChange,
});
/** A custom domain, which serves links of a project. */
export interface CustomDomain extends z.infer<typeof customDomain> {}
