/** Fills in the UUIDs of a preview of a converted program from the state of the Terraform configuration. */
import { sanitized } from "../../../../provider/client/sanitized";
import type { ImportEntry, ImportFile } from "../../../../provider/hosts/importFile";
import { counted } from "../../../../provider/shapes/words";
import { importableType } from "../../../objects/hosts";
import { KINDS, type KindName } from "../../../objects/kinds";
import { isProviderType, nameOf } from "../../../pulumi/urn";
import { isUnfilled, type PreviewFile, parsePreviewFile } from "../previewFile";
import { addressText } from "./address";
import { chooseProvider, parseProviderChoices } from "./configurations";
import { type ConvertedName, convertedName, withoutSuffixes } from "./convertedNames";
import {
  choiceProblems,
  listedAddresses,
  type TerraformObject,
  type TerraformSelection,
  terraformObjects,
} from "./selection";

/** The state that a preview is filled from. */
export interface FillOptions {
  /** The name of the preview's file, for messages. */
  readonly file: string;
  readonly state: {
    readonly content: string;
    /** The name of its file, for messages. */
    readonly file: string;
    /** The values of `--provider`. */
    readonly providers: readonly string[];
  };
}

/** A resource that the preview creates. */
interface PlannedResource extends ConvertedName {
  readonly entry: ImportEntry;
  readonly kind: KindName;
}

/** A resource and its object in the state. */
interface Match {
  readonly planned: PlannedResource;
  readonly object: TerraformObject;
}

/**
 * Selects the objects of a preview's file, with the UUIDs that the state has under the addresses from which the converter
 * made the names.
 *
 * @throws UserError when one of the files is not what it should be.
 */
export function filledPreview(
  content: string,
  { file, state }: FillOptions,
): PreviewFile & Pick<TerraformSelection, "notes" | "adviceIfMissing"> {
  const choices = parseProviderChoices(state.providers);
  const { objects, ...rest } = terraformObjects(state.content, state.file);
  const problems = [...rest.problems];
  const leftOut = [...rest.leftOut];
  /** The objects of the resources, by the names of their entries. */
  const matched = new Map<string, TerraformObject>();
  /** The providers that the program does not declare for a resource, by the name of its entry. */
  const given = new Map<string, string>();

  function fill({ resources, nameTable }: Required<ImportFile>): readonly ImportEntry[] {
    const planned = plannedResources(resources, nameTable);
    const { found, ambiguous } = matchesOf(planned, objects);
    problems.push(...ambiguous.map((problem) => `${file}: ${problem}`));
    const foundObjects = new Set(found.map(({ object }) => object));
    const others = objects.filter((object) => !foundObjects.has(object));
    if (found.length + ambiguous.length === 0 && objects.length > 0) {
      problems.push(strangers(objects, { file, stateFile: state.file }));
    } else if (ambiguous.length === 0 && others.length > 0) {
      leftOut.push(
        `Not imported: ${counted(others.length, "object")} of ${state.file} for which ${file} has no resource with the name that \`pulumi convert\` gives it (${listedAddresses(others)}).`,
      );
    }
    const chosen = found.map((match) => {
      const { provider } = match.planned.entry;
      const choice = chooseProvider(match.object, choices);
      // A provider that the program declares for the resource needs no choice.
      return { ...match, ...choice, isMissing: choice.isMissing === true && provider === undefined };
    });
    problems.push(...choiceProblems(chosen, { choices, file: state.file }));
    for (const { planned, object, provider } of chosen) {
      const { entry } = planned;
      matched.set(entry.name, object);
      if (provider === undefined) continue;
      if (entry.provider === undefined) given.set(entry.name, provider);
      else if (!isProvider(entry.provider, provider, { resources, nameTable })) {
        problems.push(
          `${file}, ${entry.name}: the program declares the provider ${entry.provider}, and --provider says ${provider} for ${sanitized(addressText(object.address))}. Use the same one in both.`,
        );
      }
    }
    const providers = resources.filter(({ type }) => isProviderType(type)).map(({ name }) => name);
    return resources.map((entry) => {
      const object = matched.get(entry.name);
      if (object === undefined) return entry;
      const provider = given.get(entry.name);
      return {
        ...entry,
        id: object.uuid,
        ...(provider !== undefined && providers.includes(provider) && { provider }),
      };
    });
  }

  const preview = parsePreviewFile(content, { file, fill });
  if (given.size > 0) {
    leftOut.push(
      `The program declares no provider for ${[...given].map(([name, provider]) => `${name} (${provider})`).join(", ")}: set the option provider of these resources. Otherwise the next preview uses the settings of the stack for them.`,
    );
  }
  return {
    ...preview,
    ...rest,
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
    problems: [...problems, ...preview.problems],
    leftOut: [...leftOut, ...preview.leftOut],
  };
}

/** The resources whose UUIDs are still to be filled in. */
function plannedResources(
  resources: readonly ImportEntry[],
  nameTable: Readonly<Record<string, string>>,
): PlannedResource[] {
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
      if (group.length === 1 && same.length === 1) found.push({ planned: first, object });
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
