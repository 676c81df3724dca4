/** The file with the mapping from the Terraform provider, which the build writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reasonOf, UserError } from "../../errors";
import { TERRAFORM_PROVIDER } from "./names";

/** Its name is that of the provider: `pulumi convert --mappings` looks for it. */
export const MAPPING_FILE = join(__dirname, `${TERRAFORM_PROVIDER}.json`);

/** Reads the mapping. @throws UserError if the file is missing or incomplete. */
export function readMapping(file = MAPPING_FILE): string {
  try {
    const text = readFileSync(file, "utf8");
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UserError(
      `The mapping for Terraform configurations cannot be read from ${file}: ${reasonOf(error)}. Install pulumi-dynamiclink again.`,
      { cause: error },
    );
  }
}
