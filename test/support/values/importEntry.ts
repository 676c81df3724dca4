/** Entries of import files for both hosts. Those of dynamic resources contain inputs and outputs. */
import { PROVIDER_PROPERTY, providerText } from "../../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
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
  host: "dynamic" | "native",
  { kind, id, organizationId, properties }: ImportedThing,
  name: string,
): ImportEntry {
  const operations = resourceOperations(DESCRIPTIONS[kind] as never);
  const reading = operations.imported(organizationId, { uuid: id, properties, createdAt: "" });
  const { description } = operations;
  if (host === "native") return { type: NATIVE_HOST.typeToken(description), name, id };
  const hidden = { [PROVIDER_PROPERTY]: providerText(description) };
  const [inputs, outputs] = [reading.inputs, reading.state].map((one) => ({ ...one, ...hidden }));
  return { type: DYNAMIC_HOST.typeToken(description), name, id, inputs, outputs } as ImportEntry;
}
