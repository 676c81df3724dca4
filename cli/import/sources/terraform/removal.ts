/** How to remove imported objects from a Terraform state without destroying them. */
import { sanitized } from "../../../../provider/client/sanitized";
import { counted } from "../../../../provider/shapes/words";

/**
 * The lines that say how to remove objects from the state.
 *
 * @param list the file with all addresses.
 */
export function removalLines(addresses: readonly string[], { list }: { readonly list: string }): string[] {
  // Text that is not safe to print, or very long, would not be the address any more.
  const [shown, others] = [true, false].map((isShown) =>
    addresses.filter((address) => (sanitized(address) === address) === isShown),
  ) as [string[], string[]];
  const command = ["  terraform state rm", ...shown.map(quotedForShell)].join(" \\\n    ");
  return [
    "The Terraform state was not changed. Once the objects are in the stack, remove them from it; this does not destroy them:",
    ...(shown.length === 0 ? [] : [command]),
    ...(others.length === 0
      ? []
      : [
          `Also remove ${counted(others.length, "object")} whose addresses cannot be shown here. They are in ${list}.`,
        ]),
    "With OpenTofu, run tofu instead of terraform. Then remove their resource blocks from the configuration, before anyone runs apply: apply would create them again.",
  ];
}

/** A word for a POSIX shell. */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
