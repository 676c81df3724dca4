/**
 * Resources that the command `import` of version 0.4.0 brought into the state. Their inputs contain all values of the
 * object. If the mark were ignored, an update would clear the values that the program does not declare.
 */
import { UserError } from "../../errors";
import { IMPORTED_PROPERTY } from "../../lifecycle/hiddenProperties";
import type { Properties } from "../../lifecycle/properties";
import { withArticle } from "../../values/phrases";

/** Refuses a resource that has the mark, in its inputs or its state. @throws UserError with the way out. */
export function refuseImported(title: string, properties: Properties): void {
  if (!(IMPORTED_PROPERTY in properties)) return;
  throw new UserError(
    [
      `This entry of ${withArticle(title)} was imported by version 0.4.0 and contains values that the program may not declare. An update would clear them.`,
      "Remove the entry from the state, which leaves the object as it is, and adopt the object with its UUID:",
      "  pulumi stack --show-urns --show-ids",
      "  pulumi state delete <URN>",
      "Then set the option `import` of the resource to the ID, and run `pulumi up`, which sends no write.",
    ].join("\n"),
  );
}
