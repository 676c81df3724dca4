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
 * Keeps the records of ownership and certificate of a custom domain. The service shows them only until the domain is active.
 *
 * Needs the scope domains:read. With `waitFor`, it waits for these records. After `timeoutSeconds`, it is saved as not ready, and
 * the next `pulumi up` continues. A refresh takes over new records, and clears none. Deleting it has no effect on the domain.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop" });
 * const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
 * const records = new CustomDomainRecords("links-records", { customDomainId: links.id });
 * export const ownership = records.ownership;
 * ```
 */
export class CustomDomainRecords extends resourceClass<
  CustomDomainRecords,
  CustomDomainRecordsArgs,
  CustomDomainRecordsInputs & CustomDomainRecordsOutputs
>("CustomDomainRecords") {}
