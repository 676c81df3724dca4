/** What `pulumi-dynamiclink import --help` prints. */
import { Command } from "commander";
import { importCommand } from "../../../cli/commands/import";

test("the help shows the ways to import, the options by purpose, examples, and the exit codes", () => {
  let text = "";
  const command = importCommand().configureOutput({
    getOutHelpWidth: () => 100,
    writeOut(part) {
      text += part;
    },
  });
  new Command("pulumi-dynamiclink").addCommand(command);
  command.outputHelp();
  expect(text).toBe(`Usage: pulumi-dynamiclink import [options] <type> <name> <uuid>
       pulumi-dynamiclink import [options] --file <list>
       pulumi-dynamiclink import [options] --from-preview <file> [--from-terraform <file>]
       pulumi-dynamiclink import [options] --from-terraform <file> [--provider <alias>=<name>]

Imports existing objects into a stack with \`pulumi import\`, and prints the code that declares them:
TypeScript for dynamic resources; for native resources, what Pulumi generates in the language of the
program. Every object is read first. If anything is wrong, all problems are reported and nothing is
imported. Requires the read scopes of the types; writes nothing to the service.

Arguments:
  type                      type of the object (choices: "project", "application", "customDomain")
  name                      logical name in the program
  uuid                      UUID of the object

What to import, instead of one object:
  -f, --file <list>         CSV or JSON with type, name, uuid, and optionally parent and provider
  --from-preview <file>     file of \`pulumi preview --import-file\`, with UUIDs filled in, or with
                            --from-terraform for a converted program
  --from-terraform <file>   state of Terraform or OpenTofu, or output of \`show -json\`; - is standard
                            input

Resources:
  --parent <name or URN>    parent of the resources that have none in the list
  --provider <name or URN>  provider of the resources that have none in the list (default: that of
                            the parent, else that of the stack); with --from-terraform also
                            <alias>=<name or URN>, once for each provider alias
  --no-protect              do not protect the imported resources from deletion
  --native                  use native resources (default if the stack has them, or if Pulumi.yaml
                            has the plugin dynamiclink or a runtime other than nodejs)
  --no-native               use dynamic resources (default otherwise)

Stack:
  -s, --stack <name>        the stack (default: the selected one)
  -C, --cwd <directory>     directory in which to look for the stack
  --api-url <url>           origin of the service, for use without a stack

Output:
  -y, --yes                 import without confirmation
  -o, --out <file>          only write the import file, to this path
  --force                   replace existing files

Other:
  -h, --help                display this help

Examples:
  pulumi-dynamiclink import project shop 5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e
  pulumi-dynamiclink import --file list.csv --stack dev --yes > imported.ts
  terraform state pull | pulumi-dynamiclink import --from-terraform - --yes

Exit codes:
  0  everything was done
  1  it failed, and no file was written
  2  it was done, and what was reported needs review
`);
});
