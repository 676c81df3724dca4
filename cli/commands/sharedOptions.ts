/** The options that every command has which reads an organization. They mean the same for all of them. */
import type { Command } from "commander";
import { enumerated } from "../../provider/values/phrases";
import { KIND_NAMES, KINDS, pluralOf } from "../objects/kinds";

/** What the commands list, and the scopes that it requires. */
export const OBJECTS = enumerated(KIND_NAMES.map(pluralOf));
export const READ_SCOPES = enumerated([...new Set(KIND_NAMES.flatMap((kind) => KINDS[kind].scopes.read))]);

interface Help {
  /** The option for the stack, if it has another meaning. */
  readonly stack?: readonly [flags: string, description: string];
  readonly examples: readonly string[];
  /** What the codes 0, 1 and 2 mean, if the result decides. */
  readonly exitCodes?: readonly string[];
}

/** Adds the options, the examples and the exit codes. */
export function addSharedOptions(
  command: Command,
  {
    stack = ["-s, --stack <name>", "the stack whose settings are used (default: the selected one)"],
    examples,
    exitCodes,
  }: Help,
): Command {
  const codes = exitCodes?.map((meaning, code) => `  ${code}  ${meaning}`).join("\n");
  return command
    .option(...stack)
    .option("-C, --cwd <directory>", "directory of the Pulumi project (default: the current one)")
    .option(
      "--config-file <file>",
      "the stack's settings file, as of `pulumi up` (default: Pulumi.<stack>.yaml)",
    )
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .option("--provider <name or URN>", "the provider in the stack whose settings are used")
    .option("--json", "print the result as JSON")
    .helpOption("-h, --help", "display this help")
    .addHelpText("after", `\nExamples:\n${examples.map((one) => `  pulumi-dynamiclink ${one}`).join("\n")}`)
    .addHelpText("after", codes === undefined ? "" : `\nExit codes:\n${codes}`);
}
