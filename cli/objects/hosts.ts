/**
 * The two ways in which a program's resources run, and how Pulumi refers to them. Everything in the commands that
 * differs between dynamic and native resources is here.
 */

import { PROVIDER_PROPERTY, providerText } from "../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, type Host as HostNames, NATIVE_HOST } from "../../provider/hosts/hosts";
import type { ImportEntry } from "../../provider/hosts/importFileFormat";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { IMPORTED_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import type { SettingName } from "../../provider/session/settings";
import { KIND_NAMES, KINDS, type KindName } from "./kinds";

/** A host, and what the commands do differently for it. */
export interface Host extends HostNames {
  readonly name: "dynamic" | "native";
  /** Whether Pulumi itself reads the objects of an import file and generates their code. */
  readonly isReadByPulumi: boolean;
  /** The inputs and outputs in the entry of an object in an import file. */
  entryProperties(
    description: Pick<ResourceDescription, "type">,
    reading: Reading,
  ): Pick<ImportEntry, "inputs" | "outputs">;
  /** The argument of a provider that contains a setting. */
  providerArgument(name: SettingName): string;
}

/** Dynamic resources. An import file contains their inputs and outputs, with the text of the provider as in the state. */
const DYNAMIC: Host = {
  ...DYNAMIC_HOST,
  name: "dynamic",
  isReadByPulumi: false,
  entryProperties(description, reading) {
    const hidden = {
      [PROVIDER_PROPERTY]: providerText(description),
      [IMPORTED_PROPERTY]: true,
    };
    return { inputs: { ...reading.inputs, ...hidden }, outputs: { ...reading.state, ...hidden } };
  },
  providerArgument: (name) => `${CONFIGURATION_NAMESPACE}:${name}`,
};

const NATIVE: Host = {
  ...NATIVE_HOST,
  name: "native",
  isReadByPulumi: true,
  entryProperties: () => ({}),
  providerArgument: (name) => name,
};

export const HOSTS: Readonly<Record<Host["name"], Host>> = { dynamic: DYNAMIC, native: NATIVE };

/** The kind and the host of a resource type; undefined if it is none that can be imported. */
export function importableType(type: string): { readonly kind: KindName; readonly host: Host } | undefined {
  return Object.values(HOSTS)
    .flatMap((host) => KIND_NAMES.map((kind) => ({ kind, host })))
    .find(({ kind, host }) => host.typeToken(KINDS[kind].description) === type);
}
