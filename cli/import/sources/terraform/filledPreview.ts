/** Fills in the UUIDs of a preview of a converted program from the state of the Terraform configuration. */
import { sanitized } from "../../../../provider/client/sanitized";
import type { ImportEntry, ImportFile } from "../../../../provider/hosts/importFileFormat";
import { counted } from "../../../../provider/shapes/phrases";
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

/** What the state has for the preview. */
interface Filling {
  readonly found: readonly Match[];
  /** Resources and objects of one name. */
  readonly ambiguous: readonly Ambiguity[];
  /** The objects for which the preview has no resource. */
  readonly others: readonly TerraformObject[];
}

interface Ambiguity {
  readonly group: readonly PlannedResource[];
  readonly same: readonly TerraformObject[];
}

/** The files of a filling, for messages. */
interface Files {
  readonly file: string;
  readonly stateFile: string;
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
  const files = { file, stateFile: state.file };
  const choices = parseProviderChoices(state.providers);
  // The converted program reads the data sources.
  const { objects, ...rest } = terraformObjects(state.content, state.file, { readsData: true });
  const filling = fillingOf(preview, objects, choices);
  const matches = new Map(filling.found.map((match) => [match.entry.name, match]));
  const selection = previewSelection(withUuids(preview, matches), file);
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
      ...fillingProblems(filling, files),
      ...choiceProblems(filling.found, { choices, file: state.file }),
      ...filling.found.flatMap((match) => otherProvider(match, preview, file)),
      ...selection.problems,
    ],
    leftOut: [...rest.leftOut, ...fillingRest(filling, files), ...selection.leftOut],
  };
}

function fillingOf(
  preview: Required<ImportFile>,
  objects: readonly TerraformObject[],
  choices: ProviderChoices,
): Filling {
  const { found, ambiguous } = matchesOf(plannedResources(preview), objects);
  const foundObjects = new Set(found.map(({ object }) => object));
  return {
    found: found.map((match) => {
      const choice = chooseProvider(match.object, choices);
      // A provider that the program declares for the resource needs no choice.
      return { ...match, ...choice, isMissing: choice.isMissing && match.entry.provider === undefined };
    }),
    ambiguous,
    others: objects.filter((object) => !foundObjects.has(object)),
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

/** Whether the state has none of the preview's objects. */
function isStrange({ found, ambiguous, others }: Filling): boolean {
  return found.length + ambiguous.length === 0 && others.length > 0;
}

function fillingProblems(filling: Filling, files: Files): string[] {
  return [
    ...filling.ambiguous.map((one) => `${files.file}: ${ambiguityText(one)}`),
    ...(isStrange(filling) ? [noMatchProblem(filling.others, files)] : []),
  ];
}

/** What the program and the import do not have of each other. */
function fillingRest(filling: Filling, { file, stateFile }: Files): string[] {
  const { found, ambiguous, others } = filling;
  const isReported = !isStrange(filling) && ambiguous.length === 0 && others.length > 0;
  const undeclared = found.filter(
    ({ entry, provider }) => provider !== undefined && entry.provider === undefined,
  );
  return [
    ...(isReported
      ? [
          `Not imported: ${counted(others.length, "object")} of ${stateFile} for which ${file} has no resource with the name that \`pulumi convert\` gives it (${listedAddresses(others)}).`,
        ]
      : []),
    ...(undeclared.length > 0
      ? [
          `The program declares no provider for ${undeclared.map(({ entry, provider }) => `${entry.name} (${provider})`).join(", ")}: set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
        ]
      : []),
  ];
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
): { readonly found: readonly Omit<Match, keyof ChosenProvider>[] } & Pick<Filling, "ambiguous"> {
  const found: Omit<Match, keyof ChosenProvider>[] = [];
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
      if (group.length === 1 && same.length === 1) found.push({ ...first, object });
      else ambiguous.push({ group, same });
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
function noMatchProblem(objects: readonly TerraformObject[], { file, stateFile }: Files): string {
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
