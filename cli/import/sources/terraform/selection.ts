/** The objects to import from a Terraform state. */
import { sanitized } from "../../../../provider/client/sanitized";
import { TERRAFORM_TYPE_PREFIX, terraformType } from "../../../../provider/hosts/terraform/names";
import { counted } from "../../../../provider/values/phrases";
import { KIND_NAMES, KINDS, type KindName } from "../../../objects/kinds";
import type { ImportList } from "../list";
import { importRequest } from "../request";
import { addressText } from "./address";
import { choiceProblems, chooseProvider, parseProviderChoices } from "./configurations";
import { type Addressed, namesFromAddresses } from "./names";
import { parseTerraformState, type TerraformInstance } from "./state";

/** A file with a state, and the values of `--provider`, which stand for its provider configurations. */
export interface TerraformSource {
  readonly file: string;
  readonly providers: readonly string[];
}

/** The objects of a state, and what is reported about the rest. */
export interface TerraformSelection extends ImportList {
  /** What is not imported and needs review. */
  readonly leftOut: readonly string[];
  /** What else is not imported. */
  readonly notes: readonly string[];
  /** What may be wrong if an object is not found. */
  readonly adviceIfMissing?: string;
}

/** The kinds by resource type, whatever the address of their provider is. */
const KINDS_BY_TYPE = new Map(KIND_NAMES.map((kind) => [terraformType(KINDS[kind].description), kind]));

/** How many addresses a message lists. */
const MAX_LISTED = 5;

/** An object of this service in a state. */
export interface TerraformObject extends TerraformInstance, Addressed {
  readonly kind: KindName;
}

/** The objects of this service in a state, and what is reported about the rest. */
export interface TerraformObjects extends Omit<TerraformSelection, "requests"> {
  readonly objects: readonly TerraformObject[];
}

/**
 * Finds the objects of this service in a state.
 *
 * @param readsData whether the program reads what data sources read, so that they are not missing. Default: no.
 * @throws UserError when the content is not a state.
 */
export function terraformObjects(
  content: string,
  file: string,
  { readsData = false }: { readonly readsData?: boolean } = {},
): TerraformObjects {
  const state = parseTerraformState(content, file);
  const groups = Map.groupBy(state.instances, groupOf);
  const objects = (groups.get("imported") ?? []).flatMap((instance): TerraformObject[] => {
    const kind = KINDS_BY_TYPE.get(instance.address.type);
    return kind === undefined ? [] : [{ ...instance, kind, uuid: String(instance.attributes.id) }];
  });
  return {
    objects,
    problems:
      objects.length === 0
        ? [`${file} has nothing to import: no ${[...KINDS_BY_TYPE.keys()].join(", ")}.`]
        : [],
    leftOut: reportsOf(groups, LEFT_OUT),
    notes: reportsOf(groups, readsData ? OTHER_NOTES : NOTES),
    ...(!state.hasConfigurations && {
      adviceIfMissing: `${file} does not have the provider aliases of the objects, so objects of an alias are not found in the organization of the others. Use the state itself (\`terraform state pull\`), or specify the provider for each of these addresses: --provider '<address>=<name>'`,
    }),
  };
}

/**
 * Selects the objects of this service.
 *
 * @throws UserError when the content is not a state, or a choice of a provider is not valid.
 */
export function terraformSelection(
  content: string,
  { file, providers }: TerraformSource,
): TerraformSelection {
  const choices = parseProviderChoices(providers);
  const { objects, ...state } = terraformObjects(content, file);
  const names = namesFromAddresses(objects);
  const chosen = objects.map((object) => ({ object, ...chooseProvider(object, choices) }));
  const checked = chosen
    .filter(({ isMissing }) => !isMissing)
    .map(({ object, provider }) => {
      const { kind, address, attributes } = object;
      const text = addressText(address);
      const line = { type: kind, name: names.get(object), uuid: attributes.id, provider, address: text };
      return { ...importRequest(line, sanitized(text)), attributes };
    });
  return {
    ...state,
    requests: checked.flatMap(({ request, attributes }) =>
      request?.origin === undefined ? [] : [{ ...request, origin: { ...request.origin, attributes } }],
    ),
    problems: [
      ...state.problems,
      ...choiceProblems(chosen, { choices, file }),
      ...checked.flatMap(({ problems }) => problems),
    ],
  };
}

/** Addresses for a message, of which it lists only the first. */
export function listedAddresses(instances: readonly Pick<TerraformInstance, "address">[]): string {
  const shown = instances.slice(0, MAX_LISTED).map(({ address }) => sanitized(addressText(address)));
  const more = instances.length > MAX_LISTED ? [`${instances.length - MAX_LISTED} more`] : [];
  return [...shown, ...more].join(", ");
}

type Group = "imported" | "tainted" | "deposed" | "unknownType" | "data" | "otherData" | "other";

function groupOf({ address: { type, isData }, isDeposed, isTainted }: TerraformInstance): Group {
  const isOurs = type.startsWith(TERRAFORM_TYPE_PREFIX);
  if (isData) return isOurs ? "data" : "otherData";
  if (!isOurs) return "other";
  if (isDeposed) return "deposed";
  if (isTainted) return "tainted";
  return KINDS_BY_TYPE.has(type) ? "imported" : "unknownType";
}

interface Report {
  readonly noun: string;
  /** Follows the noun. */
  readonly detail?: string;
  readonly advice?: string;
}

const LEFT_OUT: Readonly<Partial<Record<Group, Report>>> = {
  tainted: {
    noun: "tainted object",
    advice: "Terraform would replace them. To import one, first run `terraform untaint` with its address.",
  },
  deposed: {
    noun: "deposed object",
    advice: "They remain from replacements, and `terraform apply` would delete them.",
  },
  unknownType: { noun: "object", detail: "of a type that this package does not have" },
};

const OTHER_NOTES: Readonly<Partial<Record<Group, Report>>> = {
  other: { noun: "resource", detail: "of other providers" },
};

const NOTES: Readonly<Partial<Record<Group, Report>>> = {
  data: { noun: "data source", advice: "In a program, call functions such as `getProject` instead." },
  otherData: { noun: "data source", detail: "of other providers" },
  ...OTHER_NOTES,
};

function reportsOf(
  groups: ReadonlyMap<Group, readonly TerraformInstance[]>,
  reports: Readonly<Partial<Record<Group, Report>>>,
): string[] {
  return Object.entries(reports).flatMap(([group, { noun, ...rest }]) => {
    const instances = groups.get(group as Group) ?? [];
    if (instances.length === 0) return [];
    const subject = [counted(instances.length, noun), ...(rest.detail === undefined ? [] : [rest.detail])];
    const sentence = `Not imported: ${subject.join(" ")} (${listedAddresses(instances)}).`;
    return [[sentence, ...(rest.advice === undefined ? [] : [rest.advice])].join(" ")];
  });
}
