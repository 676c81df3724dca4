/** Runs `discover` and `compare`: reads organizations, writes programs, and reports both. */
import { posix } from "node:path";
import { isDifferent } from "../compare/comparison";
import { readStates } from "../compare/readStates";
import { projectReferences } from "../program/projectReferences";
import { chooseHost } from "../pulumi/hostChoice";
import { findPulumiContext } from "../pulumi/stackSettings";
import { closeAll } from "../service/organization";
import { openOrganizations } from "../service/organizations";
import { type Console, EXIT_CODES, type ExitCode, printMessage } from "../terminal/console";
import { writeFiles } from "../terminal/writeFiles";
import { type Discovery, discoverIn } from "./discovery";
import { discoveryJson, discoveryText, notesOn } from "./discoveryReport";
import type { DiscoverPlan } from "./plan";
import { needsReview, reportProblems } from "./problemReport";

export async function runPlan(plan: DiscoverPlan, console: Console): Promise<ExitCode> {
  const { output, compare, stackOptions, options } = plan;
  const pulumi = await findPulumiContext(stackOptions, console);
  const choice = await chooseHost(options, pulumi.stack);
  if (output !== undefined && choice.reason !== undefined) printMessage(console, "note", choice.reason);
  const wanted = output?.references ?? [];
  const states =
    compare &&
    (await readStates({ ...compare, cwd: options.cwd }, pulumi, {
      outputs: wanted.map((one) => one.output),
      console,
    }));
  const references = projectReferences(wanted, states ?? []);
  const organizations = await openOrganizations(options, { pulumi, host: choice.host, console });
  try {
    const discoveries: Discovery[] = [];
    for (const one of organizations)
      discoveries.push(await discoverIn(one, { plan, choice, pulumi, states, references, console }));
    // Nothing is written before everything was read.
    const files = Object.fromEntries(
      discoveries.flatMap(({ written }, index) =>
        Object.entries(written?.files ?? {}).map(([name, text]) => [
          posix.join(organizations[index]?.directory ?? "", name),
          text,
        ]),
      ),
    );
    if (output !== undefined && Object.keys(files).length > 0)
      await writeFiles(output.directory, files, output);
    for (const note of notesOn(discoveries, plan)) printMessage(console, "note", note);
    for (const { problems } of discoveries) reportProblems(problems, console);
    console.stdout.write((options.json ? discoveryJson : discoveryText)(discoveries, plan));
    return discoveries.some((discovery) => isPartial(discovery, plan)) ? EXIT_CODES.partial : EXIT_CODES.all;
  } finally {
    await closeAll(organizations.map(({ organization }) => organization));
  }
}

/** Whether something needs review. Of a comparison alone, that is only what could not be compared. */
function isPartial({ read, comparison, problems, written }: Discovery, { compare }: DiscoverPlan): boolean {
  const isDone = comparison === undefined || written !== undefined;
  return (
    (compare?.isCheck === true && comparison !== undefined && isDifferent(comparison)) ||
    (isDone ? problems.some(needsReview) : read.incomplete.size > 0)
  );
}
