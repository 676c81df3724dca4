/** What a run of `import` does: the arguments and options of the command line, parsed once. */
import { UserError } from "../../provider/errors";
import type { HostOptions } from "../pulumi/hostChoice";
import type { StackOptions } from "../pulumi/stackSettings";
import type { TerraformSource } from "./sources/terraform/selection";

/** The arguments of the command line that specify one object. */
export interface ObjectArguments {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly uuid?: string | undefined;
}

/** The options, as the command line has them. */
export interface ImportOptions extends StackOptions {
  readonly file?: string;
  readonly fromPreview?: string;
  readonly fromTerraform?: string;
  /** The parent of the objects that have none of their own. */
  readonly parent?: string;
  readonly provider?: readonly string[];
  readonly native?: boolean;
  readonly protect: boolean;
  /** Whether what the stack has already is left out, in place of being an error. */
  readonly skipExisting?: boolean;
  readonly yes?: boolean;
  /** The import file to write. Default: it is imported, or written to a default path if that is not possible. */
  readonly out?: string;
  readonly force?: boolean;
}

/** Where the objects to import are specified. */
export type ImportSource =
  | { readonly kind: "object"; readonly object: ObjectArguments }
  | { readonly kind: "list"; readonly file: string }
  /** The UUIDs are in the file, or come from a Terraform state. */
  | { readonly kind: "preview"; readonly file: string; readonly state?: TerraformSource }
  | { readonly kind: "terraform"; readonly state: TerraformSource };

export interface ImportPlan {
  readonly source: ImportSource;
  /** The Terraform state that the objects or their UUIDs are in, if any. */
  readonly state: TerraformSource | undefined;
  /** The provider of the objects that have none of their own. */
  readonly provider: string | undefined;
  readonly host: HostOptions;
  readonly options: ImportOptions;
}

/** Parses the arguments and options. @throws UserError for options that exclude each other. */
export function importPlan(object: ObjectArguments, options: ImportOptions): ImportPlan {
  const { parent, native, cwd } = options;
  const { fromTerraform: file, provider: given = [] } = options;
  const state = file === undefined ? undefined : { file, providers: given };
  const source = importSource(object, options, state);
  const isPreview = source.kind === "preview";
  const providers = state === undefined ? given : [];
  if (isPreview && (parent !== undefined || providers.length > 0)) {
    throw new UserError(
      "The preview's file already has parents and providers: omit --parent and --provider.",
    );
  }
  if (isPreview && native !== undefined) {
    throw new UserError(
      "The preview's file already has the types of the resources: omit --native and --no-native.",
    );
  }
  const [provider, another] = providers;
  if (another !== undefined) {
    throw new UserError(
      "Specify --provider once. A list with objects of several providers needs a column provider.",
    );
  }
  // A preview's file has the types of its resources.
  return { source, state, provider, host: isPreview ? { native: false } : { native, cwd }, options };
}

function importSource(
  object: ObjectArguments,
  { file, fromPreview }: ImportOptions,
  state: TerraformSource | undefined,
): ImportSource {
  const sources: ImportSource[] = [];
  if (object.type !== undefined) sources.push({ kind: "object", object });
  if (file !== undefined) sources.push({ kind: "list", file });
  if (fromPreview !== undefined)
    sources.push({ kind: "preview", file: fromPreview, ...(state && { state }) });
  else if (state !== undefined) sources.push({ kind: "terraform", state });
  const [source, another] = sources;
  if (source === undefined || another !== undefined) {
    throw new UserError(
      "Specify what to import in exactly one way: <type> <name> <uuid>, --file, --from-preview, or --from-terraform. Only --from-preview and --from-terraform can be combined.",
    );
  }
  if (source.kind === "object" && object.uuid === undefined) {
    throw new UserError(`The UUID is missing: import ${object.type} <name> <uuid>.`);
  }
  return source;
}
