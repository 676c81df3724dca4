/** The names of this service's provider for Terraform, which its states and configurations have. */
import type { ResourceDescription } from "../../lifecycle/description";
import { SERVICE_NAME } from "../../service";
import { wireName } from "../../values/wire";

export const TERRAFORM_PROVIDER = SERVICE_NAME;

/** The beginning of the types of its resources and data sources. */
export const TERRAFORM_TYPE_PREFIX = `${TERRAFORM_PROVIDER}_`;

/** The type of a description's resource, such as `dynamiclink_custom_domain`. */
export function terraformType({ type }: Pick<ResourceDescription, "type">): string {
  // The first letter of a type is in upper case, so its name on the wire begins with an underscore.
  return `${TERRAFORM_PROVIDER}${wireName(type)}`;
}
