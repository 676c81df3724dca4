/** Runs `compare`: compares an organization with the states of stacks. */
import { UserError } from "../../provider/errors";
import { parseUrn } from "../../provider/hosts/urn";
import { requireUuids } from "../objects/identity";
import { openStack } from "../pulumi/cli";
import { objectsIn, resourcesIn, type StackResource } from "../pulumi/state";
import { readOrganization, withUnlisted } from "../service/inventory";
import { type Source, type SourceOptions, withOrganization } from "../service/organization";
import { type Console, EXIT_CODES, type ExitCode } from "../terminal/console";
import { jsonDocument, parseJson } from "../terminal/json";
import { readText, titleOf } from "../terminal/readText";
import { comparisonOf, isDifferent, type StackState } from "./comparison";
import { comparisonText, comparisonValues } from "./comparisonReport";

export interface CompareOptions extends Omit<SourceOptions, "stack"> {
  /** The first one that has settings supplies them. */
  readonly stack?: readonly string[];
  /** Files with exported states. */
  readonly state?: readonly string[];
  readonly check?: true;
  readonly ignore?: readonly string[];
}

export async function compare(options: CompareOptions, console: Console): Promise<ExitCode> {
  const { stack: [stack, ...otherStacks] = [], check, ignore = [], json } = options;
  const ignored = requireUuids(ignore, "--ignore");
  return await withOrganization({ ...options, stack, otherStacks }, console, async (organization) => {
    const { organizationId, source } = organization;
    const states = await readStates(options, source, console);
    const scope = { organizationId, states, ignored };
    const listed = await readOrganization(organization);
    const { missing } = comparisonOf(listed, scope);
    const inventory = await withUnlisted(organization, listed, missing);
    for (const message of inventory.problems) console.message("warning", message);
    const comparison = comparisonOf(inventory, scope);
    const values = comparisonValues(organizationId, comparison, inventory.objects);
    console.print(json ? jsonDocument(values) : comparisonText(values));
    const needsReview = inventory.incomplete.size > 0 || (check && isDifferent(comparison));
    return needsReview ? EXIT_CODES.review : EXIT_CODES.all;
  });
}

/** Reads the states to compare with: those of stacks, and those in files; by default that of the selected stack. */
async function readStates(
  { stack: names = [], state: files = [], cwd }: CompareOptions,
  { stack: first, noStackReason }: Source,
  console: Console,
): Promise<readonly StackState[]> {
  if (first === undefined && files.length === 0)
    throw new UserError(
      `There is nothing to compare with: ${noStackReason} Specify stacks with --stack, or files with the output of \`pulumi stack export\` with --state.`,
    );
  const states: StackState[] = [];
  // One after the other: a state can be large, and only a small part of it is kept.
  if (first !== undefined && (names.length > 0 || files.length === 0))
    states.push(stateOf(await first.resources(), first.name));
  for (const name of [...new Set(names)].slice(1)) {
    const stack = await openStack(console, { stack: name, cwd });
    states.push(stateOf(await stack.resources(), stack.name));
  }
  for (const file of files) {
    const text = await readText(file, console.stdin);
    const place = titleOf(file);
    states.push(stateOf(resourcesIn(parseJson(text, place), place), place));
  }
  return states;
}

/** @param place the name of a state without resources. */
function stateOf(resources: readonly StackResource[], place: string): StackState {
  const [first] = resources;
  return { name: first === undefined ? place : parseUrn(first.urn).stack, objects: objectsIn(resources) };
}
