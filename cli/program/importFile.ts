/** The file for `pulumi import --file`, from which Pulumi generates code in the language of the program. */
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import { KINDS } from "../objects/kinds";
import { hyphenated, uniqueNames, variableName } from "../objects/logicalNames";
import { jsonDocument } from "../terminal/json";
import { isTextInYaml, type NamedObject } from "./names";

/**
 * The text of the file. Each entry has a name that can be a variable in every language. Pulumi removes what separates
 * words, so the names differ without that, too.
 *
 * @param provider the provider in the stack, if it is not the default one.
 */
export function importFileText(
  objects: readonly NamedObject[],
  provider?: { readonly name: string; readonly urn: string },
): string {
  const providerName = provider && variableName(hyphenated(provider.name));
  const names = uniqueNames(objects, proposedVariables, {
    join: (name, part) => `${name}${part}`,
    form: (name) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""),
    reserved: providerName === undefined ? [] : [providerName],
  });
  return jsonDocument({
    ...(provider && { nameTable: { [String(providerName)]: provider.urn } }),
    resources: objects.map((object) => {
      const { kind, uuid, name } = object;
      const variable = names.get(object) ?? uuid;
      return {
        type: NATIVE_HOST.typeToken(KINDS[kind]),
        name: variable,
        ...(name !== variable && { logicalName: name }),
        id: uuid,
        ...(provider && { provider: providerName }),
      };
    }),
  });
}

/** A variable for an object, or one that also says which kind it is: Pulumi's names are unique among all kinds. */
function proposedVariables({ name, kind }: NamedObject): readonly string[] {
  const variable = variableName(hyphenated(name));
  const withKind = `${variable}${KINDS[kind].type}`;
  return isTextInYaml(variable) ? [variable, withKind] : [withKind];
}
