/**
 * The objects to import, as the command line specifies them: one object, a list, the file of a preview, or a Terraform
 * state.
 */
import { UserError } from "../../provider/errors";
import { capitalized, enumerated, withArticle } from "../../provider/shapes/words";
import { KINDS } from "../objects/kinds";
import type { Console } from "../terminal/console";
import { readText, titleOf } from "../terminal/readText";
import { type ImportList, parseImportList } from "./sources/list";
import { type PreviewFile, parsePreviewFile } from "./sources/previewFile";
import { type ImportRequest, importRequest } from "./sources/request";
import { type TerraformSelection, terraformSelection } from "./sources/terraform/selection";

/** The objects to import, and the components and providers that they refer to. */
export interface ImportSelection extends PreviewFile {
  /** Whether an object without a provider is imported with that of its parent. */
  readonly inheritsProviders: boolean;
  /** What else is not imported, and needs no review. */
  readonly notes: readonly string[];
  /** What may be wrong if an object without a provider is not found. */
  readonly adviceIfMissing?: string;
}

/** The arguments of the command line that specify one object. */
export interface ObjectArguments {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly uuid?: string | undefined;
}

/** The options of the command line that specify several objects. */
export interface SelectionOptions {
  readonly file?: string;
  readonly fromPreview?: string;
  readonly fromTerraform?: string;
  /** The parent of the objects that have none of their own. */
  readonly parent?: string;
  /**
   * The provider of the objects that have none of their own. For a Terraform state, also those that stand for its
   * provider configurations.
   */
  readonly provider?: readonly string[];
  /** Whether the resources are native. Default: the project decides. */
  readonly native?: boolean;
}

/**
 * Reads what the command line specifies.
 *
 * @throws UserError when it cannot be read. What is wrong with single objects is in `problems`.
 */
export async function readSelection(
  { type, name, uuid }: ObjectArguments,
  options: SelectionOptions,
  console: Pick<Console, "stdin">,
): Promise<ImportSelection> {
  const { file, fromPreview, fromTerraform, parent, provider: providers = [] } = options;
  const ways = [type, file, fromPreview, fromTerraform].filter((way) => way !== undefined);
  if (ways.length === 1 && type !== undefined && uuid === undefined) {
    throw new UserError(`The UUID is missing: import ${type} <name> <uuid>.`);
  }
  if (ways.length !== 1) {
    throw new UserError(
      "Specify what to import in exactly one way: <type> <name> <uuid>, --file, --from-preview, or --from-terraform.",
    );
  }
  if (fromPreview !== undefined && (parent !== undefined || providers.length > 0)) {
    throw new UserError(
      "The preview's file already has parents and providers: omit --parent and --provider.",
    );
  }
  if (fromPreview !== undefined && options.native !== undefined) {
    throw new UserError(
      "The preview's file already has the types of the resources: omit --native and --no-native.",
    );
  }
  const [provider, another] = fromTerraform === undefined ? providers : [];
  if (another !== undefined) {
    throw new UserError(
      "Specify --provider once. A list with objects of several providers needs a column provider.",
    );
  }
  const selection = await read();
  const requests = selection.requests.map((request) => ({
    ...request,
    parent: request.parent ?? parent,
    provider: request.provider ?? provider,
  }));
  return { ...selection, requests, problems: [...selection.problems, ...duplicates(requests)] };

  async function read(): Promise<ImportSelection> {
    if (fromPreview !== undefined) {
      const preview = parsePreviewFile(await readText(fromPreview), { file: fromPreview });
      return { ...preview, notes: [], inheritsProviders: false };
    }
    return {
      ...{ support: [], nameTable: {}, leftOut: [], notes: [], inheritsProviders: true },
      ...(await readList()),
    };
  }

  async function readList(): Promise<ImportList | TerraformSelection> {
    if (file !== undefined) return parseImportList(await readText(file), { file });
    if (fromTerraform === undefined) return single({ type, name, uuid });
    const content = await readText(fromTerraform, console);
    return terraformSelection(content, { file: titleOf(fromTerraform), providers });
  }
}

function single(object: ObjectArguments): ImportList {
  const { request, problems } = importRequest(object, `${object.type} ${object.name}`);
  // Messages about the only object need no place.
  return { requests: request === undefined ? [] : [{ ...request, place: undefined }], problems };
}

/** Reports UUIDs and names that occur more than once, with all their places. */
function duplicates(requests: readonly ImportRequest[]): string[] {
  const repeated = (subjectOf: (request: ImportRequest) => string, advice: string) =>
    [...Map.groupBy(requests, subjectOf)]
      .filter(([, group]) => group.length > 1)
      .map(([subject, group]) => {
        const places = enumerated(group.map(({ place = "" }) => place));
        return `${capitalized(subject)} is specified more than once: ${places}. ${advice}`;
      });
  const title = ({ kind }: ImportRequest) => KINDS[kind].description.title;
  return [
    ...repeated((request) => `${title(request)} ${request.uuid}`, "Import each UUID as one resource only."),
    ...repeated(
      (request) =>
        `the name ${request.name} of ${withArticle(title(request))}${request.parent === undefined ? "" : ` in ${request.parent}`}`,
      "Give each resource a unique name.",
    ),
  ];
}
