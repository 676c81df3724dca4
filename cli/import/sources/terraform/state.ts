/** Parses a Terraform or OpenTofu state: the state itself in format 4, or the output of `show -json`. */
import * as z from "zod";
import { UserError } from "../../../../provider/errors";
import type { Properties } from "../../../../provider/lifecycle/properties";
import { isRecord, type Path, pathText } from "../../../../provider/values/walk";
import { parseJson } from "../../../terminal/json";
import {
  type InstanceKey,
  isIdentifier,
  type ModuleStep,
  parseConfiguration,
  parseModuleAddress,
  type TerraformAddress,
} from "./address";

export interface TerraformInstance {
  readonly address: TerraformAddress;
  readonly attributes: Properties;
  /** The provider configuration, as {@link parseConfiguration} returns it. */
  readonly configuration: string;
  /** Whether Terraform would replace it. */
  readonly isTainted: boolean;
  /** Whether it was replaced, and only remains to be deleted. */
  readonly isDeposed: boolean;
}

export interface TerraformState {
  readonly instances: readonly TerraformInstance[];
  /** Whether the file has the provider configurations of the resources. The output of `show -json` does not. */
  readonly hasConfigurations: boolean;
}

const PULL = "`terraform state pull` or `tofu state pull`";

/**
 * Parses a state.
 *
 * @param file its name, for messages. No message contains any of the content, which may have secrets.
 * @throws UserError when it is not a state in one of the formats.
 */
export function parseTerraformState(content: string, file: string): TerraformState {
  const value = jsonIn(content, file);
  if (!isRecord(value)) throw notAState(file);
  if ("encrypted_data" in value) {
    throw new UserError(
      `${file} is encrypted. Write the state without encryption, with \`tofu state pull\`.`,
    );
  }
  if ("planned_values" in value || "resource_changes" in value) {
    throw new UserError(`${file} is a plan, not a state. Write the state with ${PULL}.`);
  }
  if (typeof value.version === "number") {
    if (value.version === 4) return stateOf(value, file);
    throw new UserError(
      `${file} has format ${value.version} of Terraform states, and this command reads format 4. Write it again with Terraform 0.12 or newer, or with OpenTofu, and ${PULL}.`,
    );
  }
  if (typeof value.format_version === "string") return shownState(value, file);
  throw notAState(file);
}

function jsonIn(content: string, file: string): unknown {
  if (content.trim() === "") {
    throw new UserError(
      `${file} is empty, so it is not a state. Run ${PULL} in the directory of the configuration, with its workspace selected.`,
    );
  }
  try {
    return parseJson(content, file);
  } catch (error) {
    throw new UserError(`${(error as Error).message} Write the state again with ${PULL}.`, { cause: error });
  }
}

function notAState(file: string): UserError {
  return new UserError(`${file} is not a state of Terraform or OpenTofu. Write the state with ${PULL}.`);
}

const identifier = z.string().refine(isIdentifier);
const moduleAddress = z.string().transform((text, context): readonly ModuleStep[] => {
  const steps = parseModuleAddress(text);
  if (steps !== undefined) return steps;
  context.addIssue({ code: "custom" });
  return z.NEVER;
});
const key = z.union([z.string(), z.int().nonnegative()]).nullish();
// Items are parsed one by one, because a broken file can have millions of problems.
const items = z.custom<readonly unknown[]>((value) => Array.isArray(value)).nullish();

const STATE = z.object({ resources: items });

const RESOURCE = z.object({
  module: moduleAddress.nullish(),
  mode: z.string(),
  type: identifier,
  name: identifier,
  provider: z.string(),
  instances: items,
});

const INSTANCE = z.object({
  index_key: key,
  status: z.string().nullish(),
  deposed: z.string().nullish(),
  // OpenTofu has it here if the provider configuration has a key.
  provider: z.string().nullish(),
  attributes: z.unknown().optional(),
});

function stateOf(state: Properties, file: string): TerraformState {
  const root = { file, path: [] };
  const instances: TerraformInstance[] = [];
  for (const [place, value] of each(parsed(STATE, state, root).resources, root, "resources")) {
    const resource = parsed(RESOURCE, value, place);
    for (const [instancePlace, instanceValue] of each(resource.instances, place, "instances")) {
      const instance = parsed(INSTANCE, instanceValue, instancePlace);
      instances.push({
        address: addressOf(resource, resource.module, instance.index_key),
        attributes: propertiesIn(instance.attributes),
        configuration: parseConfiguration(instance.provider ?? resource.provider),
        isTainted: instance.status === "tainted",
        isDeposed: Boolean(instance.deposed),
      });
    }
  }
  return { instances, hasConfigurations: true };
}

const SHOWN_MODULE = z.object({
  address: moduleAddress.nullish(),
  resources: items,
  child_modules: items,
});

const SHOWN_RESOURCE = z.object({
  mode: z.string(),
  type: identifier,
  name: identifier,
  index: key,
  tainted: z.boolean().nullish(),
  deposed_key: z.string().nullish(),
  values: z.unknown().optional(),
});

function shownState({ values }: Properties, file: string): TerraformState {
  const root = { file, path: ["values", "root_module"] };
  const instances: TerraformInstance[] = [];
  // An empty state has no values.
  const modules: (readonly [Place, unknown])[] =
    isRecord(values) && values.root_module != null ? [[root, values.root_module]] : [];
  // Modules can be nested to any depth, so there is no recursion, and places of modules are short.
  for (const [modulePlace, value] of modules) {
    const module = parsed(SHOWN_MODULE, value, modulePlace);
    for (const child of each(module.child_modules, { file, path: [] }, "child_modules")) modules.push(child);
    for (const [place, resourceValue] of each(module.resources, modulePlace, "resources")) {
      const resource = parsed(SHOWN_RESOURCE, resourceValue, place);
      instances.push({
        address: addressOf(resource, module.address, resource.index),
        attributes: propertiesIn(resource.values),
        configuration: "",
        isTainted: resource.tainted === true,
        isDeposed: Boolean(resource.deposed_key),
      });
    }
  }
  return { instances, hasConfigurations: false };
}

function addressOf(
  { mode, type, name }: Readonly<Record<"mode" | "type" | "name", string>>,
  modules: readonly ModuleStep[] | null | undefined,
  key: InstanceKey | null | undefined,
): TerraformAddress {
  return { modules: modules ?? [], isData: mode === "data", type, name, key: key ?? undefined };
}

/** The attributes of an instance. A state that an old version has written may not have them. */
function propertiesIn(attributes: unknown): Properties {
  return isRecord(attributes) ? attributes : {};
}

interface Place {
  readonly file: string;
  readonly path: Path;
}

/** The items of a list, each with its place. */
function* each(
  list: readonly unknown[] | null | undefined,
  { file, path }: Place,
  name: string,
): Generator<readonly [Place, unknown]> {
  for (const [index, item] of (list ?? []).entries()) yield [{ file, path: [...path, name, index] }, item];
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { file, path }: Place,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const wrong = pathText([...path, ...(result.error.issues[0]?.path ?? [])]);
  throw new UserError(
    `${file} is not a complete state: ${wrong} cannot be read. Write the state again with ${PULL}.`,
  );
}
