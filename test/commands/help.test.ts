/** What `--help` prints: the options by purpose, examples, and the exit codes. */
import { Command } from "commander";
import { compareCommand } from "../../cli/commands/compare";
import { discoverCommand } from "../../cli/commands/discover";
import { importCommand } from "../../cli/commands/import";
import { KIND_NAMES, pluralOf } from "../../cli/objects/kinds";
import { listed } from "./kinds";

const WIDTH = 100;
const KINDS_TEXT = listed(KIND_NAMES.map(pluralOf), "and");
const CHOICES = KIND_NAMES.map((kind) => `"${kind}"`).join(", ");

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    getOutHelpWidth: () => WIDTH,
    writeOut(part) {
      text += part;
    },
  });
  new Command("pulumi-dynamiclink").addCommand(command);
  command.outputHelp();
  return text;
}

/** Expects a help text, except for where its lines break, because the kinds make them longer. */
function expectHelp(command: Command, expected: string): void {
  const help = helpOf(command);
  expect(words(help)).toBe(words(expected));
  expect(help.split("\n").filter((line) => line.length > WIDTH)).toEqual([]);
}

function words(text: string): string {
  return text.replace(/\s+/g, " ");
}

const PROGRAM = `  -o, --out <directory>          directory to write the program to
  --split <directory>            directory to write one program for each project to, in place of
                                 --out
  --force                        replace existing files
  --dry-run                      report what would be written, and write nothing
  --protect <objects>            which resources the program protects from deletion (choices: "all",
                                 "projects", default: "all")
  --no-protect                   protect none of the resources
  --native                       use native resources (default if the stack has them, or if
                                 Pulumi.yaml has the plugin dynamiclink or a runtime other than
                                 nodejs)
  --no-native                    use dynamic resources (default otherwise)
`;

const SELECTION = `  -p, --project <uuid...>        only these projects (default: all)
  --include <pattern...>         only objects whose name, or whose project's name, matches (* and ?)
  --exclude <pattern...>         no objects whose name, or whose project's name, matches
  --type <type...>               only objects of these types (choices: ${CHOICES})
`;

const ORGANIZATION = `  -C, --cwd <directory>          directory in which to look for the stack
  --api-url <url>                origin of the service, for use without a stack
  --api-key-env-var <name...>    variables with the keys of several organizations; a program of each
                                 is written to a directory of its own
  --provider <name or URN...>    the same, with the settings of providers in the stack
`;

test("of discover, without the options that are those of compare", () => {
  expectHelp(
    discoverCommand(),
    `Usage: pulumi-dynamiclink discover [options]

Writes a program that declares the ${KINDS_TEXT} of the organization that
the API key belongs to, and an import file that imports them into a stack. In a project with native
resources and a runtime other than nodejs, it writes only the import file, from which Pulumi
generates the program. Requires projects:read, applications:read and domains:read; writes nothing to
the service.

What to write:
${PROGRAM}
What to select:
${SELECTION}  --links                        also count links; requires links:read, and sends one request per
                                 hundred links

Stack and organization:
  -s, --stack <name>             the stack whose configuration has the settings (default: the
                                 selected one)
${ORGANIZATION}
Other:
  --json                         print the result as JSON
  -h, --help                     display this help

Examples:
  pulumi-dynamiclink discover --out estate
  pulumi-dynamiclink discover --split shops --include "shop*"

Exit codes:
  0  everything was done
  1  it failed, and no file was written
  2  it was done, and what was reported needs review
`,
  );
});

test("of compare", () => {
  expectHelp(
    compareCommand(),
    `Usage: pulumi-dynamiclink compare [options]

Compares the ${KINDS_TEXT} of the organization that the API key belongs to
with stacks. Lists what no stack manages, what is managed more than once, and what a stack has
although the service does not. With --out or --split, it also writes a program for what no stack
manages, as discover does. Requires projects:read, applications:read and domains:read; writes nothing
to the service.

Comparison:
  -s, --stack <name...>          stacks to compare with, of which the first has the settings (default:
                                 the selected one)
  --state <file...>              states to compare with, in place of or besides --stack, from
                                 \`pulumi stack export\` (- for standard input)
  --check                        exit with 2 if there is a difference
  --reference <stack=output...>  refer to managed projects in the program by this output of their
                                 stack, in place of their UUID

What to select:
${SELECTION}
A program for what no stack manages:
${PROGRAM}
Stack and organization:
${ORGANIZATION}
Other:
  --json                         print the result as JSON
  -h, --help                     display this help

Examples:
  pulumi-dynamiclink compare --stack acme/shop/production acme/links/production
  pulumi-dynamiclink compare --check --state shop.json
  pulumi-dynamiclink compare --out rest --reference acme/shop/production=shopId

Exit codes:
  0  everything was done
  1  it failed, and no file was written
  2  it was done, and what was reported needs review
`,
  );
});

test("of import, with the ways to import", () => {
  expectHelp(
    importCommand(),
    `Usage: pulumi-dynamiclink import [options] <type> <name> <uuid>
       pulumi-dynamiclink import [options] --file <list>
       pulumi-dynamiclink import [options] --from-preview <file> [--from-terraform <file>]
       pulumi-dynamiclink import [options] --from-terraform <file> [--provider <alias>=<name>]

Imports existing objects into a stack with \`pulumi import\`, and prints the code that declares them:
TypeScript for dynamic resources; for native resources, what Pulumi generates in the language of the
program. Every object is read first. If anything is wrong, all problems are reported and nothing is
imported. Requires the read scopes of the types; writes nothing to the service.

Arguments:
  type                      type of the object (choices: ${CHOICES})
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
  --skip-existing           skip what the stack has already; without it, that is an error
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
`,
  );
});
