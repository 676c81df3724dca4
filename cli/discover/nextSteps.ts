/** The commands that follow `discover`. */
import { resolve } from "node:path";
import { scopesFor } from "../../provider/lifecycle/operations/inputs";
import { API_KEY_VARIABLE, READ_ONLY_VARIABLE } from "../../provider/service";
import { enumerated } from "../../provider/values/phrases";
import { KINDS } from "../objects/kinds";
import { cliOptions } from "../pulumi/cli";
import type { Organization } from "../service/organization";
import { shellWord } from "../terminal/shellWord";
import type { DiscoverOptions } from "./discover";
import type { Discovery } from "./discovery";

/** In a converted program, resources are in components, and have their code already. */
const CONVERTED = "# If `pulumi convert` has written the program, use --import-file instead.";

/** All steps, as lines. Commands can be copied. */
export function nextSteps(
  discovery: Discovery,
  organization: Organization,
  { out, native, terraformState, importFile, stack, cwd, configFile }: DiscoverOptions,
): readonly string[] {
  // Pulumi first goes to the directory.
  const pathOf = (file: string) => (cwd === undefined ? file : resolve(file));
  const place = cliOptions({ stack, cwd, "config-file": configFile });
  function steps(): readonly string[] {
    if (importFile !== undefined)
      return [
        pulumi("import", "--file", pathOf(importFile), "--generate-code=false", ...place),
        ...deployIn(place, "--refresh"),
      ];
    if (native)
      return [
        ...(terraformState === undefined ? [] : [CONVERTED]),
        ...(out === undefined ? ["# Save the output as import.json."] : []),
        pulumi("import", "--file", pathOf(`${out ?? "."}/import.json`), "--out", "imported.txt", ...place),
        "# Move the code from imported.txt to your program.",
        ...deployIn(place),
      ];
    if (out === undefined)
      return [
        "# Add the code to your program, with the import of pulumi-dynamiclink that it has. In YAML, Python and Go, use --native instead.",
        ...deployIn(place),
      ];
    return [
      `cd ${shellWord(out)}`,
      "npm install",
      "pulumi stack select --create <name>",
      // The project has the settings of the stack or the provider, except its key.
      ...(organization.source.settings.apiKey == null
        ? []
        : [`export ${API_KEY_VARIABLE}=…  # The key of organization ${organization.organizationId}`]),
      ...deployIn([]),
    ];
  }
  const [begin, end] = readOnlySteps(discovery, organization);
  return [...begin, ...steps(), ...end, ...removalSteps(discovery.addresses)];
}

/** The commands that deploy a program and check that nothing is left to do. */
function deployIn(place: readonly string[], ...options: readonly string[]): readonly string[] {
  const commands = [["preview"], ["up"], ["preview", ...options, "--expect-no-changes"]];
  return commands.map((words) => pulumi(...words, ...place));
}

function pulumi(...words: readonly string[]): string {
  return ["pulumi", ...words].map(shellWord).join(" ");
}

/**
 * What to set before adopting with a key that cannot write what the program declares, and after that: no change can be
 * deployed in read-only mode.
 */
function readOnlySteps(
  { objects }: Discovery,
  { scopes, settings: { readOnly, sources } }: Organization,
): readonly [begin: readonly string[], end: readonly string[]] {
  const needed = objects.flatMap(({ kind, reading: { inputs } }) =>
    scopesFor(KINDS[kind], { readOnly: false }, inputs),
  );
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  if (missing.length === 0 && !readOnly) return [[], []];
  const lack = `This key lacks ${enumerated(missing)}. Adopting only reads.`;
  const before = `Before the first change${missing.length === 0 ? "" : ", which needs another key"}`;
  const source = sources?.readOnly ?? "";
  return [
    readOnly ? [] : [`export ${READ_ONLY_VARIABLE}=1  # ${lack}`],
    [
      source.startsWith("readOnly ")
        ? `# ${before}, turn off ${source}.`
        : `unset ${READ_ONLY_VARIABLE}  # ${before}`,
    ],
  ];
}

/** How to remove adopted objects from the Terraform state, which does not destroy them. */
function removalSteps(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) return [];
  return [
    "# Then remove the objects from the Terraform state, with tofu for OpenTofu. This does not destroy them:",
    ...addresses.map((address) => `terraform state rm ${shellWord(address)}`),
    "# Remove their resource blocks as well, before anyone runs `terraform apply`: it would create them again.",
  ];
}
