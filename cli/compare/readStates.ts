/** Reads the states to compare an organization with: those of stacks, with the CLI, and those in files. */
import { UserError } from "../../provider/errors";
import { MAX_STATE_MEBIBYTES } from "../pulumi/cli";
import type { PulumiStack } from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import { type StackState, stackState } from "../pulumi/stackState";
import { type Console, withProgress } from "../terminal/console";
import { parseJson } from "../terminal/json";
import { isStandardInput, readText, titleOf } from "../terminal/readText";

interface StateSources {
  /** Names of stacks. */
  readonly stacks: readonly string[];
  /** Files with exported states; `-` is standard input. */
  readonly files: readonly string[];
  readonly cwd: string | undefined;
}

/**
 * Reads the states, by default that of the selected stack.
 *
 * @param outputs the names of the outputs to read.
 * @throws UserError when one cannot be read, or there is none.
 */
export async function readStates(
  { stacks, files, cwd }: StateSources,
  { cli, stack: selected, noStackReason }: PulumiContext,
  { outputs, console }: { readonly outputs: readonly string[]; readonly console: Console },
): Promise<StackState[]> {
  if (files.filter(isStandardInput).length > 1)
    throw new UserError("--state - is given twice, but standard input can be read only once.");

  async function open(name: string): Promise<PulumiStack> {
    const stack = cli === undefined ? noStackReason : await cli.openStack({ stack: name, cwd });
    if (typeof stack === "object") return stack;
    throw new UserError(
      `Stack ${name} cannot be read: ${stack} Specify a file with the output of \`pulumi stack export\` with --state instead.`,
    );
  }

  const sources = [
    ...[...new Set(stacks)].map((name) => async () => await readState(await open(name))),
    ...files.map((file) => async () => {
      const text = await readText(file, { stdin: console.stdin, maxMebibytes: MAX_STATE_MEBIBYTES });
      const place = titleOf(file);
      return stackState(parseJson(text, place), { place, outputs });
    }),
  ];
  async function readState(stack: PulumiStack): Promise<StackState> {
    return stackState(await stack.exportState(), { place: stack.name, outputs });
  }
  if (sources.length === 0) {
    if (selected === undefined) {
      throw new UserError(
        `There is no stack to compare with: ${noStackReason} Specify stacks with --stack, or files with the output of \`pulumi stack export\` with --state.`,
      );
    }
    return [await readState(selected)];
  }
  return await withProgress(console, "Reading states", async (progress) => {
    progress.setTotal(sources.length);
    const states: StackState[] = [];
    // One after the other: a state can be large, and only a small part of it is kept.
    for (const read of sources) {
      states.push(await read());
      progress.increment();
    }
    return states;
  });
}
