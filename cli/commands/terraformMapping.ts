/** `pulumi-dynamiclink terraform-mapping`: where the mapping is that `pulumi convert` needs for a Terraform configuration. */
import { Command } from "commander";
import { MAPPING_FILE, readMapping } from "../../provider/hosts/terraform/mappingFile";
import { type Console, EXIT_CODES, runCommand } from "../terminal/console";

export function terraformMappingCommand(console: Console, file = MAPPING_FILE): Command {
  return new Command("terraform-mapping")
    .summary("print the path of the mapping that converts Terraform configurations")
    .description(
      'Prints the path of the mapping from the Terraform provider to this package: pulumi convert --from terraform --mappings "$(npx pulumi-dynamiclink terraform-mapping)". With the installed plugin, `pulumi convert` finds the mapping without the option.',
    )
    .action(() =>
      runCommand(console, async () => {
        // The converter would only warn about an incomplete one.
        readMapping(file);
        console.stdout.write(`${file}\n`);
        return EXIT_CODES.all;
      }),
    );
}
