/** `pulumi-dynamiclink discover`: writes a program that adopts existing objects. */
import { Command, Option } from "commander";
import { type DiscoverOptions, discover } from "../discover/discover";
import { type Console, runCommand } from "../terminal/console";
import { addSharedOptions, OBJECTS, READ_SCOPES } from "./sharedOptions";

export function discoverCommand(console: Console): Command {
  const command = new Command("discover")
    .summary("write a program that adopts existing objects")
    .description(
      `Prints a TypeScript program that adopts ${OBJECTS} with the option import: those of the organization that the API key belongs to, or those with the UUIDs. What the stack manages already is left out, but not what other stacks manage: compare lists what none does. Requires ${READ_SCOPES}; writes nothing to the service.`,
    )
    .argument("[uuid...]", "projects, which are written with what is in them, or single objects")
    .option("-o, --out <directory>", "new or empty directory for the files, as a project of their own")
    .option("--native", "write a file for `pulumi import --file`, for native resources in any language")
    .option(
      "--terraform-state <file>",
      "the objects of this state, with its names (`terraform state pull`, `show -json`; - for standard input)",
    )
    .addOption(
      new Option(
        "--import-file <file>",
        "write the UUIDs of the state into this file, which `pulumi preview --import-file` has written for a converted program",
      ).conflicts(["out", "native"]),
    );
  return addSharedOptions(command, {
    examples: [
      "discover",
      "discover 5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e --stack production",
      "discover --out organization",
      "discover --native > import.json",
    ],
    exitCodes: [
      "everything was written, or there is nothing to adopt",
      "it failed, and nothing was written",
      "what could not be declared or read was left out and listed",
    ],
  }).action((uuids: readonly string[], options: DiscoverOptions) =>
    runCommand(console, () => discover(uuids, options, console)),
  );
}
