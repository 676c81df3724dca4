/** An object to delete, and what messages say about one that is not deleted after all. */
import { enumerated, objectName } from "../../values/phrases";
import type { Deletion, ResourceDescription } from "../description";
import type { ManagedObject } from "../state";
import type { Contents } from "./contents";

export interface DeletionTarget extends ManagedObject {
  readonly description: ResourceDescription;
  readonly deletion: Deletion;
  /** Its name, if messages show it. It must be sanitized. */
  readonly name?: string | undefined;
}

export function subjectOf({ description: { title }, uuid, name }: DeletionTarget): string {
  return objectName(title, uuid, name);
}

/** Which contents could not be looked for, and the next step, as text that follows a sentence. */
export function adviceFor(
  { description: { title, replaceOnChanges }, deletion, uuid }: DeletionTarget,
  { missingScopes, howToDelete }: Pick<Contents, "missingScopes" | "howToDelete">,
): string {
  const unseen =
    missingScopes.length === 0 ? "" : ` The API key lacks ${enumerated(missingScopes)} to find the rest.`;
  const how = howToDelete.length === 0 ? "" : `: ${enumerated(howToDelete)}`;
  const first =
    deletion.ifRefused ??
    `The service may delete the contents of a ${title} together with it, so delete them first${how}. If they were deleted a moment ago, run this again in a minute.`;
  // The state has two entries of the old object of a replacement.
  const exception =
    replaceOnChanges.length === 0
      ? "."
      : `, unless a replacement left it behind. In that case, undo the change in the program, add the option \`import: "${uuid}"\`, and run \`pulumi up\`, which deletes the new ${title} instead. With the option retainOnDelete, the new one stays as well.`;
  return `${unseen}\n${first} To keep the ${title}, remove it from the stack with \`pulumi state delete\`${exception}`;
}
