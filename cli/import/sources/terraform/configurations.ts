/** Which provider of the stack stands for which provider configuration of a Terraform state. */
import { sanitized } from "../../../../provider/client/sanitized";
import { UserError } from "../../../../provider/errors";
import { counted, enumerated } from "../../../../provider/values/phrases";
import { isUrn } from "../../../pulumi/urn";
import { addressText, type TerraformAddress } from "./address";

export interface ProviderChoices {
  /** For the configuration without an alias. */
  readonly standard?: string | undefined;
  /** By alias, or by the address of a resource or an instance. */
  readonly byKey: ReadonlyMap<string, string>;
}

export interface ChosenProvider {
  /** The provider in the stack. Absent for the default provider, or if none was specified. */
  readonly provider?: string | undefined;
  /** The key of the choice that applied. */
  readonly key?: string;
  /** Whether a choice is required and missing. */
  readonly isMissing?: boolean | undefined;
}

/**
 * Parses the values of `--provider`: `<alias>=<provider>`, `<address>=<provider>`, or a provider alone for the
 * configuration without an alias.
 */
export function parseProviderChoices(values: readonly string[]): ProviderChoices {
  const byKey = new Map<string, string>();
  const alone: string[] = [];
  for (const value of values) {
    // Keys of for_each can contain an equals sign; so can URNs.
    const urn = value.indexOf("=urn:pulumi:");
    const at = isUrn(value) ? -1 : urn < 0 ? value.lastIndexOf("=") : urn;
    if (at < 0) {
      alone.push(value);
      continue;
    }
    const [key, provider] = [value.slice(0, at), value.slice(at + 1)];
    if (key === "" || provider === "") {
      throw new UserError(`--provider ${value} must be <alias>=<name or URN of a provider in the stack>.`);
    }
    if (byKey.has(key))
      throw new UserError(`--provider has more than one value for ${key}. Keep one of them.`);
    byKey.set(key, provider);
  }
  if (alone.length > 1) {
    throw new UserError(
      `--provider has more than one value without an alias: ${alone.join(", ")}. Write the others as <alias>=<name>.`,
    );
  }
  return { standard: alone[0], byKey };
}

/** Chooses the provider of an object. A choice for its address takes precedence. */
export function chooseProvider(
  { address, configuration }: { readonly address: TerraformAddress; readonly configuration: string },
  { standard, byKey }: ProviderChoices,
): ChosenProvider {
  const keys = [addressText(address), addressText({ ...address, key: undefined }), configuration];
  const key = keys.find((one) => byKey.has(one));
  if (key !== undefined) return { provider: byKey.get(key), key };
  return configuration === "" ? { provider: standard } : { isMissing: true };
}

/** Reports the configurations without a provider, and the choices without an object, which are probably misspelt. */
export function choiceProblems(
  chosen: readonly (ChosenProvider & { readonly object: { readonly configuration: string } })[],
  { choices, file }: { readonly choices: ProviderChoices; readonly file: string },
): string[] {
  const missing = chosen.filter(({ isMissing }) => isMissing).map(({ object }) => object.configuration);
  const counts = [...Map.groupBy(missing, (configuration) => configuration)].toSorted();
  const shown = counts.map(
    ([configuration, { length }]) => `${sanitized(configuration)} (${counted(length, "object")})`,
  );
  const options = counts.map(([configuration]) => `--provider ${sanitized(configuration)}=<name>`);
  const used = new Set(chosen.map(({ key }) => key));
  const known = [...new Set(chosen.map(({ object }) => object.configuration))]
    .filter((configuration) => configuration !== "")
    .map(sanitized)
    .toSorted();
  const fact = known.length === 0 ? "It has objects of no alias." : `Its aliases are ${enumerated(known)}.`;
  return [
    ...(missing.length === 0
      ? []
      : [
          `${file} has objects of the provider alias${shown.length === 1 ? "" : "es"} ${enumerated(shown)}. An alias can have another organization, so specify the provider in the stack that stands for it: ${options.join(" ")}`,
        ]),
    ...[...choices.byKey.keys()]
      .filter((key) => !used.has(key))
      .map((key) => `--provider ${key}: ${file} has no object of this alias or address. ${fact}`),
  ];
}
