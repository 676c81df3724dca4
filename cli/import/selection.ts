/**
 * The objects to import, as the command line specifies them: one object, a list, the file of a preview, or a Terraform
 * state.
 */
import { capitalized, enumerated, withArticle } from "../../provider/values/phrases";
import { KINDS } from "../objects/kinds";
import type { Console } from "../terminal/console";
import { readText, titleOf } from "../terminal/readText";
import type { ImportPlan, ImportSource, ObjectArguments } from "./plan";
import { type ImportList, parseImportList } from "./sources/list";
import { type PreviewSelection, parsePreviewFile, previewSelection } from "./sources/previewFile";
import { type ImportRequest, importRequest } from "./sources/request";
import { filledPreview } from "./sources/terraform/filledPreview";
import { terraformSelection } from "./sources/terraform/selection";

/** The objects to import, and the components and providers that they refer to. */
export interface ImportSelection extends PreviewSelection {
  /** Whether an object without a provider is imported with that of its parent. */
  readonly inheritsProviders: boolean;
  /** What else is not imported, and needs no review. */
  readonly notes: readonly string[];
  /** What may be wrong if an object without a provider is not found. */
  readonly adviceIfMissing?: string;
}

/**
 * Reads what the plan specifies.
 *
 * @throws UserError when it cannot be read. What is wrong with single objects is in `problems`.
 */
export async function readSelection(
  { source, provider, options: { parent } }: ImportPlan,
  console: Pick<Console, "stdin">,
): Promise<ImportSelection> {
  const selection = await readSource(source, console);
  const requests = selection.requests.map((request) => ({
    ...request,
    parent: request.parent ?? parent,
    provider: request.provider ?? provider,
  }));
  return { ...selection, requests, problems: [...selection.problems, ...duplicates(requests)] };
}

const NOTHING_ELSE = { support: [], nameTable: {}, leftOut: [], notes: [], inheritsProviders: true };

async function readSource(source: ImportSource, { stdin }: Pick<Console, "stdin">): Promise<ImportSelection> {
  switch (source.kind) {
    case "object":
      return { ...NOTHING_ELSE, ...single(source.object) };
    case "list": {
      const { file } = source;
      return { ...NOTHING_ELSE, ...parseImportList(await readText(file), { file }) };
    }
    case "preview": {
      const { file } = source;
      const parsed = parsePreviewFile(await readText(file), file);
      const state = source.state && {
        ...source.state,
        file: titleOf(source.state.file),
        content: await readText(source.state.file, { stdin }),
      };
      const preview = state ? filledPreview(parsed, { file, state }) : previewSelection(parsed, file);
      return { notes: [], ...preview, inheritsProviders: false };
    }
    case "terraform": {
      const { file, providers } = source.state;
      const content = await readText(file, { stdin });
      return { ...NOTHING_ELSE, ...terraformSelection(content, { file: titleOf(file), providers }) };
    }
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
