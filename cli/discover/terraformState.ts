/** The objects of this service in a state of Terraform or OpenTofu: format 4, or the output of `show -json`. */
import * as z from "zod";
import { UserError } from "../../provider/errors";
import { TERRAFORM_TYPE_PREFIX, terraformType } from "../../provider/hosts/terraform/names";
import { isUuid } from "../../provider/values/uuid";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";
import { parseJson } from "../terminal/json";

/** A managed object. Its kind is absent if this package has no such resource. */
export interface TerraformObject {
  /** As `terraform state rm` takes it. */
  readonly address: string;
  /** The alias of its provider configuration; empty for the default one, and in the output of `show -json`. */
  readonly alias: string;
  /** The name that Pulumi's converter gives to the resource, after those that it gives to the modules. */
  readonly name: string;
  readonly kind: KindName | undefined;
  readonly uuid: string;
  /** Why it cannot be adopted. */
  readonly problem?: string;
}

const key = z.union([z.string(), z.number()]).nullish();
const values = z.object({ id: z.unknown() }).nullish();
const resource = z.object({ mode: z.string(), type: z.string(), name: z.string() });

const instance = z.object({
  index_key: key,
  status: z.string().nullish(),
  deposed: z.string().nullish(),
  attributes: values,
});
const STATE = z.object({
  version: z.literal(4),
  resources: z
    .array(
      resource.extend({ module: z.string().nullish(), provider: z.string(), instances: z.array(instance) }),
    )
    .default([]),
});

const SHOWN_MODULE = z.object({
  address: z.string().nullish(),
  resources: z
    .array(
      resource.extend({
        index: key,
        tainted: z.boolean().nullish(),
        deposed_key: z.string().nullish(),
        values,
      }),
    )
    .default([]),
  get child_modules() {
    return z.array(SHOWN_MODULE).default([]);
  },
});
const SHOWN = z.object({
  format_version: z.string(),
  values: z.object({ root_module: SHOWN_MODULE.optional() }).nullish(),
});

/** A resource of either format. */
interface Instance extends z.infer<typeof resource> {
  readonly module: string | null | undefined;
  readonly provider: string;
  readonly key: z.infer<typeof key>;
  readonly id: unknown;
  readonly isTainted: boolean;
  readonly isDeposed: boolean;
}

/**
 * Parses a state.
 *
 * @throws UserError when it is none. The message contains nothing of it, because it may have secrets.
 */
export function terraformObjects(text: string, file: string): readonly TerraformObject[] {
  const document = parseJson(text, file);
  const [state, shown] = [STATE.safeParse(document), SHOWN.safeParse(document)];
  if (!state.success && !shown.success) {
    throw new UserError(
      `${file} is not a state of format 4. Write it with \`terraform state pull\`, \`tofu state pull\` or \`show -json\`.`,
    );
  }
  const instances = state.success ? instancesOf(state.data) : shownIn(shown.data?.values?.root_module);
  return instances
    .filter(({ mode, type }) => mode === "managed" && type.startsWith(TERRAFORM_TYPE_PREFIX))
    .map(objectOf);
}

function instancesOf({ resources }: z.infer<typeof STATE>): readonly Instance[] {
  return resources.flatMap(({ instances, module, ...rest }) =>
    instances.map(({ index_key, status, deposed, attributes }) => ({
      ...{ ...rest, module, key: index_key, id: attributes?.id },
      ...{ isTainted: status === "tainted", isDeposed: Boolean(deposed) },
    })),
  );
}

function shownIn(module: z.infer<typeof SHOWN_MODULE> | undefined): readonly Instance[] {
  if (module === undefined) return [];
  const own = module.resources.map(({ index, tainted, deposed_key, values: shown, ...rest }) => ({
    ...{ ...rest, module: module.address, provider: "", key: index, id: shown?.id },
    ...{ isTainted: tainted === true, isDeposed: Boolean(deposed_key) },
  }));
  return [...own, ...module.child_modules.flatMap(shownIn)];
}

function objectOf({
  module,
  type,
  name,
  provider,
  key,
  id,
  isTainted,
  isDeposed,
}: Instance): TerraformObject {
  const kind = KIND_NAMES.find((one) => terraformType(KINDS[one]) === type);
  const problem = isDeposed
    ? "deposed: it remains from a replacement, and `terraform apply` would delete it"
    : isTainted
      ? "tainted: Terraform would replace it; first run `terraform untaint`"
      : kind === undefined
        ? "this package has no such resource"
        : isUuid(id)
          ? undefined
          : "its id is not a UUID";
  return {
    address: [...(module ? [module] : []), type, `${name}${keyText(key)}`].join("."),
    alias: /[\]\w]\.([^.\]"]+)$/.exec(provider.replace(/^.*\bprovider(?=[[.])/, ""))?.[1] ?? "",
    name: [...stepsOf(module ?? ""), { name, key }].map(keyed).join("-"),
    kind,
    uuid: String(id).toLowerCase(),
    ...(problem !== undefined && { problem }),
  };
}

/** A name with its key in an address. Terraform escapes what begins a template. */
function keyText(value: Instance["key"]): string {
  if (value == null) return "";
  return typeof value === "number"
    ? `[${value}]`
    : `[${JSON.stringify(value).replaceAll(/([$%])(?=\{)/g, "$1$1")}]`;
}

/** The names and keys in the address of a module, such as `module.brand["north"]`. */
function stepsOf(module: string): readonly Pick<Instance, "name" | "key">[] {
  const steps = module.matchAll(/module\.([^.[]+)(?:\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\])?/gs);
  return [...steps].map(([, name = "", number, text]) => ({
    name: inCamelCase(name),
    key: number ?? text,
  }));
}

/** The converter writes the names of modules, unlike those of resources, in camel case. */
function inCamelCase(name: string): string {
  const joined = name.replaceAll(/(?<=.)_+([^_])/g, (_, next: string) => next.toUpperCase());
  return `${joined.charAt(0).toLowerCase()}${joined.slice(1)}`;
}

function keyed({ name, key: value }: Pick<Instance, "name" | "key">): string {
  return value == null ? name : `${name}-${value}`;
}
