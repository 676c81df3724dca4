/** The commands that follow `discover`. */
import { scopesFor } from "../../provider/lifecycle/operations/inputs";
import { READ_ONLY_VARIABLE } from "../../provider/service";
import { enumerated } from "../../provider/values/phrases";
import { KINDS } from "../objects/kinds";
import type { Organization } from "../service/organization";
import { shellWord } from "../terminal/shellWord";
import type { Discovery } from "./discovery";

interface StepOptions {
  readonly out?: string;
  readonly native?: true;
  readonly terraformState?: string;
  readonly importFile?: string;
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
}

/** In a converted program, resources are in components, and have their code already. */
const CONVERTED = "# If `pulumi convert` has written the program, use --import-file instead.";

/** All steps, as lines. Commands can be copied. */
export function nextSteps(
  discovery: Discovery,
  organization: Organization,
  { out, native, terraformState, importFile, stack, cwd }: StepOptions,
): readonly string[] {
  const place = [
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
  ];
  const deploy = deployIn(place);
  function steps(): readonly string[] {
    if (importFile !== undefined)
      return [pulumi("import", "--file", importFile, "--generate-code=false", ...place), ...deploy];
    if (native)
      return [
        ...(terraformState === undefined ? [] : [CONVERTED]),
        ...(out === undefined ? ["# Save the output as import.json."] : []),
        pulumi("import", "--file", `${out ?? "."}/import.json`, "--out", "imported.txt", ...place),
        "# Move the code from imported.txt to your program.",
        ...deploy,
      ];
    if (out === undefined)
      return [
        "# Add the code to your program, with the import of pulumi-dynamiclink that it has. In YAML, Python and Go, use --native instead.",
        ...deploy,
      ];
    return [`cd ${shellWord(out)}`, "npm install", "pulumi stack select --create <name>", ...deployIn([])];
  }
  return [...readOnlyHint(discovery, organization), ...steps(), ...removalSteps(discovery.addresses)];
}

/** The commands that deploy a program and check that nothing is left to do. */
function deployIn(place: readonly string[]): readonly string[] {
  return [["preview"], ["up"], ["preview", "--expect-no-changes"]].map((words) => pulumi(...words, ...place));
}

function pulumi(...words: readonly string[]): string {
  return ["pulumi", ...words].map(shellWord).join(" ");
}

/** What to set for a key that cannot write what the program declares: adopting only reads. */
function readOnlyHint({ objects }: Discovery, { scopes }: Organization): readonly string[] {
  const needed = objects.flatMap(({ kind, reading: { inputs } }) =>
    scopesFor(KINDS[kind], { readOnly: false }, inputs),
  );
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  return missing.length === 0
    ? []
    : [`export ${READ_ONLY_VARIABLE}=1  # This key lacks ${enumerated(missing)}. Adopting only reads.`];
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
