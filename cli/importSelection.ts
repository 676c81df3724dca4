/** The objects to import, as the command line specifies them: one object, a list, or the file of a preview. */
import { UserError } from "../provider/lifecycle/errors";
import { type ImportRequest, importRequest, parseImportList } from "./importList";
import { KINDS } from "./kinds";
import { type PreviewFile, parsePreviewFile } from "./previewFile";
import { readText } from "./readText";

/** The objects to import, and the components and providers that they refer to. */
export type ImportSelection = Omit<PreviewFile, "problems">;

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
 * @throws UserError, or an AggregateError of all that is wrong with the objects.
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
  const withoutSupport = { support: [], nameTable: {}, leftOut: [] };
  const { problems, ...selection } =
    fromPreview !== undefined
      ? parsePreviewFile(await readText(fromPreview), { file: fromPreview })
      : {
          ...withoutSupport,
          ...(file === undefined
            ? single({ type, name, uuid })
            : parseImportList(await readText(file), { file })),
        };
  failOn([...problems, ...duplicates(selection.requests)]);
  return selection;
}

function single(object: ObjectArguments): {
  readonly requests: readonly ImportRequest[];
  readonly problems: readonly string[];
} {
  const { request, problems } = importRequest(object, `${object.type} ${object.name}`);
  return { requests: request === undefined ? [] : [request], problems };
}

/** Throws all problems together, if there are any. */
export function failOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new AggregateError(problems.map((problem) => new UserError(problem)));
}

/** Reports UUIDs and names that occur more than once. */
function duplicates(requests: readonly ImportRequest[]): string[] {
  const repeated = (keyOf: (request: ImportRequest) => string) =>
    [...Map.groupBy(requests, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key);
  const title = ({ kind }: ImportRequest) => KINDS[kind].description.title;
  return [
    ...repeated((request) => `${title(request)} ${request.uuid}`).map(
      (subject) => `${subject} is listed more than once. Import each UUID as one resource only.`,
    ),
    ...repeated(
      (request) =>
        `${title(request)} ${request.name}${request.parent === undefined ? "" : ` in ${request.parent}`}`,
    ).map((subject) => `There is more than one ${subject}. Give each resource a unique name.`),
  ];
}
