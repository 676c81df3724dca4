/** The `CustomDomainRecords` class and its arguments. */
import type {
  CustomDomainRecordsInputs,
  CustomDomainRecordsOutputs,
} from "../../provider/resources/customDomainRecords";
import { resourceClass } from "../dynamicResource";
import type { Args } from "../types";

export type { VerificationRecord } from "../../provider/resources/customDomainRecords";

/** Arguments of {@link CustomDomainRecords}. */
export interface CustomDomainRecordsArgs extends Args<CustomDomainRecordsInputs> {}

/**
 * Keeps the records that prove the ownership of a custom domain and validate its certificate, so that a program can declare
 * them with a DNS provider. The service shows them only while the domain waits for them.
 *
 * Needs the scope domains:read. With `waitFor`, it waits until the service has shown these records. After `timeoutSeconds`,
 * it is saved as not ready, and the next `pulumi up` continues to wait. Without `waitFor`, it keeps those that the service
 * shows as soon as the provider knows the domain, which may be none. A refresh replaces them by others that the service shows,
 * and removes none. It creates and deletes nothing in the service.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop" });
 * const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
 * const records = new CustomDomainRecords("links-records", { customDomainId: links.id, waitFor: ["ownership"] });
 * export const name = records.ownership.apply((record) => record?.name);
 * ```
 */
export class CustomDomainRecords extends resourceClass<
  CustomDomainRecords,
  CustomDomainRecordsArgs,
  CustomDomainRecordsInputs & CustomDomainRecordsOutputs
>("CustomDomainRecords") {}
