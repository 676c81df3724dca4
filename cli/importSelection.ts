/** The objects to import, as the command line specifies them: one object, a list, or the file of a preview. */
import { UserError } from "../provider/lifecycle/errors";
import { capitalized, enumerated, withArticle } from "../provider/shapes/words";
import { type ImportList, type ImportRequest, importRequest, parseImportList } from "./importList";
import { KINDS } from "./kinds";
import { type PreviewFile, parsePreviewFile } from "./previewFile";
import { readText } from "./readText";

/** The objects to import, and the components and providers that they refer to. */
export interface ImportSelection extends PreviewFile {
  /** Whether an object without a provider is imported with that of its parent. */
  readonly inheritsProviders: boolean;
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
  /** The parent of the objects that have none of their own. */
  readonly parent?: string;
  /** The provider of the objects that have none of their own. */
  readonly provider?: string;
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
): Promise<ImportSelection> {
  const { file, fromPreview } = options;
  const ways = [type, file, fromPreview].filter((way) => way !== undefined);
  if (ways.length === 1 && type !== undefined && uuid === undefined) {
    throw new UserError(`The UUID is missing: import ${type} <name> <uuid>.`);
  }
  if (ways.length !== 1) {
    throw new UserError(
      "Specify what to import in exactly one way: <type> <name> <uuid>, --file, or --from-preview.",
    );
  }
  if (fromPreview !== undefined && (options.parent ?? options.provider) !== undefined) {
    throw new UserError(
      "The preview's file already has parents and providers: omit --parent and --provider.",
    );
  }
  if (fromPreview !== undefined && options.native !== undefined) {
    throw new UserError(
      "The preview's file already has the types of the resources: omit --native and --no-native.",
    );
  }
  const selection = await read();
  return { ...selection, problems: [...selection.problems, ...duplicates(selection.requests)] };

  async function read(): Promise<ImportSelection> {
    if (fromPreview !== undefined) {
      const preview = parsePreviewFile(await readText(fromPreview), { file: fromPreview });
      return { ...preview, inheritsProviders: false };
    }
    const list =
      file === undefined ? single({ type, name, uuid }) : parseImportList(await readText(file), { file });
    return { ...list, support: [], nameTable: {}, leftOut: [], inheritsProviders: true };
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
