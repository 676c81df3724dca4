/** Fills in the UUIDs of a preview of a converted program from the state of the Terraform configuration. */
import { sanitized } from "../../../../provider/client/sanitized";
import type { ImportEntry, ImportFile } from "../../../../provider/hosts/importFileFormat";
import { counted } from "../../../../provider/values/phrases";
import { importableType } from "../../../objects/hosts";
import { KINDS, type KindName } from "../../../objects/kinds";
import { isProviderType, nameInUrn } from "../../../pulumi/urn";
import { isUnfilled, type PreviewSelection, previewSelection } from "../previewFile";
import { addressText } from "./address";
import {
  type ChosenProvider,
  choiceProblems,
  chooseProvider,
  type ProviderChoices,
  parseProviderChoices,
} from "./configurations";
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

/** A resource with its object in the state, and the provider that the command line specifies for it. */
interface Match extends PlannedResource, ChosenProvider {
  readonly object: TerraformObject;
}

/** Resources and objects of one name. */
interface Ambiguity {
  readonly group: readonly PlannedResource[];
  readonly same: readonly TerraformObject[];
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
  preview: Required<ImportFile>,
  { file, state }: { readonly file: string; readonly state: TerraformSource & { readonly content: string } },
): PreviewSelection & Pick<TerraformSelection, "notes" | "adviceIfMissing"> {
  const choices = parseProviderChoices(state.providers);
  // The converted program reads the data sources.
  const { objects, ...rest } = terraformObjects(state.content, state.file, { readsData: true });
  const { found, ambiguous } = matchesOf(plannedResources(preview), objects, choices);
  const matches = new Map(found.map((match) => [match.entry.name, match]));
  const selection = previewSelection(withUuids(preview, matches), file);
  const matched = new Set(found.map(({ object }) => object));
  const others = objects.filter((object) => !matched.has(object));
  const isOfAnother = found.length + ambiguous.length === 0 && others.length > 0;
  const undeclared = found.filter(
    ({ entry, provider }) => provider !== undefined && entry.provider === undefined,
  );
  return {
    ...rest,
    ...selection,
    requests: selection.requests.map((request) => {
      const match = matches.get(request.name);
      if (match === undefined) return request;
      const { address, attributes } = match.object;
      return {
        ...request,
        provider: request.provider ?? match.provider,
        origin: { address: addressText(address), attributes },
      };
    }),
    problems: [
      ...rest.problems,
      ...ambiguous.map((one) => `${file}: ${ambiguityText(one)}`),
      ...(isOfAnother ? [noMatchProblem(others, { file, stateFile: state.file })] : []),
      ...choiceProblems(found, { choices, file: state.file }),
      ...found.flatMap((match) => otherProvider(match, preview, file)),
      ...selection.problems,
    ],
    leftOut: [
      ...rest.leftOut,
      ...(isOfAnother || ambiguous.length > 0 || others.length === 0
        ? []
        : [
            `Not imported: ${counted(others.length, "object")} of ${state.file} for which ${file} has no resource with the name that \`pulumi convert\` gives it (${listedAddresses(others)}).`,
          ]),
      ...(undeclared.length > 0
        ? [
            `The program declares no provider for ${undeclared.map(({ entry, provider }) => `${entry.name} (${provider})`).join(", ")}: set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
          ]
        : []),
      ...selection.leftOut,
    ],
  };
}

/** The preview with the UUIDs of the matches, and with those of their providers that it creates itself. */
function withUuids(
  { resources, nameTable }: Required<ImportFile>,
  matches: ReadonlyMap<string, Match>,
): Required<ImportFile> {
  const own = resources.filter(({ type }) => isProviderType(type)).map(({ name }) => name);
  const filled = resources.map((entry) => {
    const { object, provider } = matches.get(entry.name) ?? {};
    const isOwn = entry.provider === undefined && provider !== undefined && own.includes(provider);
    return { ...entry, ...(object && { id: object.uuid }), ...(isOwn && { provider }) };
  });
  return { resources: filled, nameTable };
}

/** Reports a provider of the program that is not the one on the command line. */
function otherProvider(
  { entry, object, provider }: Match,
  preview: Required<ImportFile>,
  file: string,
): string[] {
  if (provider === undefined || entry.provider === undefined) return [];
  if (isProvider(entry.provider, provider, preview)) return [];
  return [
    `${file}, ${entry.name}: the program declares the provider ${entry.provider}, and --provider says ${provider} for ${sanitized(addressText(object.address))}. Use the same one in both.`,
  ];
}

/** The resources whose UUIDs are still to be filled in. */
function plannedResources({ resources, nameTable }: Required<ImportFile>): PlannedResource[] {
  const byName = new Map(resources.map((entry) => [entry.name, entry]));
  function logicalName(name: string): string {
    if (Object.hasOwn(nameTable, name)) return nameInUrn(nameTable[name] ?? "");
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
  choices: ProviderChoices,
): { readonly found: readonly Match[]; readonly ambiguous: readonly Ambiguity[] } {
  const found: Match[] = [];
  const ambiguous: Ambiguity[] = [];
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
      if (group.length > 1 || same.length > 1) ambiguous.push({ group, same });
      else {
        const choice = chooseProvider(object, choices);
        // A provider that the program declares for the resource needs no choice.
        const isMissing = choice.isMissing && first.entry.provider === undefined;
        found.push({ ...first, object, ...choice, isMissing });
      }
      for (const each of [...group, ...same]) done.add(each);
    }
  }
  return { found, ambiguous };
}

function ambiguityText({ group, same }: Ambiguity): string {
  const names = group.map(({ entry }) => entry.name).join(", ");
  const { title } = KINDS[(group[0] as PlannedResource).kind].description;
  return `${title} ${names} can be any of ${listedAddresses(same)}, because \`pulumi convert\` gives them the same name. Fill in the UUID${group.length > 1 ? "s" : ""} manually.`;
}

/** Reports a state that has none of the preview's objects. */
function noMatchProblem(
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
  return [name, entry?.logicalName, urn, urn === undefined ? undefined : nameInUrn(urn)].includes(wanted);
}
