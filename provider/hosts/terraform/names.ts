/** The names of this service's provider for Terraform, which its states and configurations have. */
import { SERVICE_NAME } from "../../service";
import { wireName } from "../../values/wire";

export const TERRAFORM_PROVIDER = SERVICE_NAME;

/** What release 0.3.1 has, as this package names it: in place of a data source, the function of that name after `get`. */
export const TERRAFORM_RELEASE = {
  resources: ["Project", "Application", "CustomDomain"],
  dataSources: ["Project", "Application", "CustomDomain", "Link"],
} as const;

/** The type of a resource or data source, such as `dynamiclink_custom_domain`. */
export function terraformType(type: string): string {
  // The first letter of a type is in upper case, so its name on the wire begins with an underscore.
  return `${TERRAFORM_PROVIDER}${wireName(type)}`;
}
