/** Fills in the UUIDs of a preview of a converted program from the state of the Terraform configuration. */
import { sanitized } from "../../../../provider/client/sanitized";
import type { ImportEntry, ImportFile } from "../../../../provider/hosts/importFile";
import { counted } from "../../../../provider/shapes/words";
import { importableType } from "../../../objects/hosts";
import { KINDS, type KindName } from "../../../objects/kinds";
import { isProviderType, nameOf } from "../../../pulumi/urn";
import { isUnfilled, type PreviewSelection, previewSelection } from "../previewFile";
import { addressText } from "./address";
import { choiceProblems, chooseProvider, parseProviderChoices } from "./configurations";
import { type ConvertedName, convertedName, withoutSuffixes } from "./convertedNames";
import {
  listedAddresses,
  type TerraformObject,
  type TerraformSelection,
  type TerraformSource,
  terraformObjects,
} from "./selection";

/** A resource that the preview creates. */
interface PlannedResource extends ConvertedName {
  readonly entry: ImportEntry;
  readonly kind: KindName;
}

/** A resource with its object in the state. */
interface Match extends PlannedResource {
  readonly object: TerraformObject;
}

/**
 * Selects the objects of a preview's file, with the UUIDs that the state has under the addresses from which the converter
 * made the names.
 *
 * @param file its name, for messages.
 * @param state the text of the state, the name of its file, and the values of `--provider`.
 * @throws UserError when the state is not one, or the file cannot be used.
 */
export function filledPreview(
  { resources, nameTable }: Required<ImportFile>,
  { file, state }: { readonly file: string; readonly state: TerraformSource & { readonly content: string } },
): PreviewSelection & Pick<TerraformSelection, "notes" | "adviceIfMissing"> {
  const choices = parseProviderChoices(state.providers);
  const { objects, ...rest } = terraformObjects(state.content, state.file);
  const { found, ambiguous } = matchesOf(plannedResources({ resources, nameTable }), objects);
  const chosen = found.map((match) => {
    const choice = chooseProvider(match.object, choices);
    // A provider that the program declares for the resource needs no choice.
    return { ...match, ...choice, isMissing: choice.isMissing && match.entry.provider === undefined };
  });
  const matched = new Map(chosen.map(({ entry, object }) => [entry.name, object]));
  /** The providers for resources for which the program declares none, by the names of their entries. */
  const given = new Map(
    chosen.flatMap(({ entry, provider }) =>
      provider === undefined || entry.provider !== undefined ? [] : [[entry.name, provider] as const],
    ),
  );
  const entryProviders = resources.filter(({ type }) => isProviderType(type)).map(({ name }) => name);
  const filled = resources.map((entry) => {
    const id = matched.get(entry.name)?.uuid;
    const provider = given.get(entry.name);
    return {
      ...entry,
      ...(id !== undefined && { id }),
      ...(provider !== undefined && entryProviders.includes(provider) && { provider }),
    };
  });
  const preview = previewSelection({ resources: filled, nameTable }, file);
  const isStrange = found.length + ambiguous.length === 0 && objects.length > 0;
  const foundObjects = new Set(found.map(({ object }) => object));
  const others = objects.filter((object) => !foundObjects.has(object));
  return {
    ...rest,
    ...preview,
    requests: preview.requests.map((request) => {
      const object = matched.get(request.name);
      if (object === undefined) return request;
      const { address, attributes } = object;
      return {
        ...request,
        provider: request.provider ?? given.get(request.name),
        origin: { address: addressText(address), attributes },
      };
    }),
    problems: [
      ...rest.problems,
      ...ambiguous.map((problem) => `${file}: ${problem}`),
      ...(isStrange ? [strangers(objects, { file, stateFile: state.file })] : []),
      ...choiceProblems(chosen, { choices, file: state.file }),
      ...chosen.flatMap(({ entry, object, provider }) =>
        provider === undefined ||
        entry.provider === undefined ||
        isProvider(entry.provider, provider, { resources, nameTable })
          ? []
          : [
              `${file}, ${entry.name}: the program declares the provider ${entry.provider}, and --provider says ${provider} for ${sanitized(addressText(object.address))}. Use the same one in both.`,
            ],
      ),
      ...preview.problems,
    ],
    leftOut: [
      ...rest.leftOut,
      ...(isStrange || ambiguous.length > 0 || others.length === 0
        ? []
        : [
            `Not imported: ${counted(others.length, "object")} of ${state.file} for which ${file} has no resource with the name that \`pulumi convert\` gives it (${listedAddresses(others)}).`,
          ]),
      ...(given.size === 0
        ? []
        : [
            `The program declares no provider for ${[...given].map(([name, provider]) => `${name} (${provider})`).join(", ")}: set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
          ]),
      ...preview.leftOut,
    ],
  };
}

/** The resources whose UUIDs are still to be filled in. */
function plannedResources({ resources, nameTable }: Required<ImportFile>): PlannedResource[] {
  const byName = new Map(resources.map((entry) => [entry.name, entry]));
  function logicalName(name: string): string {
    if (Object.hasOwn(nameTable, name)) return nameOf(nameTable[name] ?? "");
    return byName.get(name)?.logicalName ?? name;
  }
  return resources.flatMap((entry) => {
    const kind = importableType(entry.type)?.kind;
    if (kind === undefined || !isUnfilled(entry)) return [];
    const { name, parent } = entry;
    return [
      {
        entry,
        kind,
        name: logicalName(name),
        parent: parent === undefined ? undefined : logicalName(parent),
      },
    ];
  });
}

/** Matches resources and objects by their names, first by equal ones, then by those without suffixes. */
function matchesOf(
  planned: readonly PlannedResource[],
  objects: readonly TerraformObject[],
): { readonly found: readonly Match[]; readonly ambiguous: readonly string[] } {
  const found: Match[] = [];
  const ambiguous: string[] = [];
  const done = new Set<PlannedResource | TerraformObject>();
  for (const nameIn of [(name: ConvertedName) => name, withoutSuffixes]) {
    const keyOf = (kind: KindName, converted: ConvertedName) => {
      const { name, parent } = nameIn(converted);
      return JSON.stringify([kind, name, parent]);
    };
    const openPlanned = planned.filter((each) => !done.has(each));
    const openObjects = objects.filter((each) => !done.has(each));
    const byKey = Map.groupBy(openObjects, (object) => keyOf(object.kind, convertedName(object.address)));
    for (const [key, group] of Map.groupBy(openPlanned, (each) => keyOf(each.kind, each))) {
      const same = byKey.get(key) ?? [];
      const [first] = group;
      const [object] = same;
      if (first === undefined || object === undefined) continue;
      if (group.length === 1 && same.length === 1) found.push({ ...first, object });
      else ambiguous.push(ambiguity(group, same));
      for (const each of [...group, ...same]) done.add(each);
    }
  }
  return { found, ambiguous };
}

function ambiguity(group: readonly PlannedResource[], objects: readonly TerraformObject[]): string {
  const names = group.map(({ entry }) => entry.name).join(", ");
  const { title } = KINDS[(group[0] as PlannedResource).kind].description;
  return `${title} ${names} can be any of ${listedAddresses(objects)}, because \`pulumi convert\` gives them the same name. Fill in the UUID${group.length > 1 ? "s" : ""} manually.`;
}

/** Reports a state that has none of the preview's objects. */
function strangers(
  objects: readonly TerraformObject[],
  { file, stateFile }: { readonly file: string; readonly stateFile: string },
): string {
  const [{ address, kind }] = objects as [TerraformObject];
  const { name, parent } = convertedName(address);
  const place = parent === undefined ? "" : ` in the component ${sanitized(parent)}`;
  return `${stateFile} does not belong to ${file}: for none of its objects does the preview create a resource with the name that \`pulumi convert\` gives it, such as the ${KINDS[kind].description.title} ${sanitized(name)}${place} for ${sanitized(addressText(address))}. Check that both are of the same configuration and workspace.`;
}

/** Whether a provider of the program is the one that the command line specifies. */
function isProvider(name: string, wanted: string, { resources, nameTable }: Required<ImportFile>): boolean {
  const urn = Object.hasOwn(nameTable, name) ? nameTable[name] : undefined;
  const entry = resources.find((each) => each.name === name && isProviderType(each.type));
  return [name, entry?.logicalName, urn, urn === undefined ? undefined : nameOf(urn)].includes(wanted);
}
