/** Entries of import files, as `pulumi-dynamiclink import` writes them. */
import { HOSTS } from "../../../cli/objects/hosts";
import type { ImportEntry } from "../../../provider/hosts/importFileFormat";
import { resourceOperations } from "../../../provider/lifecycle/operations";
import type { Properties } from "../../../provider/lifecycle/properties";
import { DESCRIPTIONS } from "../../../provider/resources";

/** An object of the service to import. */
export interface ImportedThing {
  readonly kind: keyof typeof DESCRIPTIONS;
  readonly id: string;
  readonly organizationId: string;
  readonly properties: Properties;
}

/** The entry that imports an object under a logical name. */
export function importEntryFor(
  host: keyof typeof HOSTS,
  { kind, id, organizationId, properties }: ImportedThing,
  name: string,
): ImportEntry {
  const operations = resourceOperations(DESCRIPTIONS[kind] as never);
  const reading = operations.imported(organizationId, { uuid: id, properties, createdAt: "" });
  const { description } = operations;
  const { entryProperties, typeToken } = HOSTS[host];
  return { type: typeToken(description), name, id, ...entryProperties(description, reading) };
}
