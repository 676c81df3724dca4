/** The objects of this service in a state of Terraform or OpenTofu: format 4, or the output of `show -json`. */
import { z } from "zod";
import { UserError } from "../../provider/errors";
import { TERRAFORM_TYPE_PREFIX, terraformType } from "../../provider/hosts/terraform/names";
import { uncapitalized } from "../../provider/values/phrases";
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
const text = z.string().nullish();
const values = z.object({ id: z.unknown().optional() }).nullish();
const resource = z.object({ mode: z.string(), type: z.string(), name: z.string() });

/** A resource of either format. */
interface Instance extends z.infer<typeof resource> {
  readonly module?: string | null | undefined;
  readonly provider?: string;
  readonly key: z.infer<typeof key>;
  readonly id: unknown;
  readonly isTainted: boolean;
  readonly isDeposed: boolean;
}

const instance = z.object({ index_key: key, status: text, deposed: text, attributes: values });
const ofState = resource.extend({ module: text, provider: z.string(), instances: z.array(instance) });
const STATE = z
  .object({ version: z.literal(4), resources: z.array(ofState).default([]) })
  .transform(({ resources }): Instance[] =>
    resources.flatMap(({ instances, ...rest }) =>
      instances.map(({ index_key, status, deposed, attributes }) => ({
        ...{ ...rest, key: index_key, id: attributes?.id },
        ...{ isTainted: status === "tainted", isDeposed: Boolean(deposed) },
      })),
    ),
  );

const shown = resource.extend({ index: key, tainted: z.boolean().nullish(), deposed_key: text, values });
const SHOWN_MODULE: z.ZodType<Instance[]> = z
  .object({
    address: text,
    resources: z.array(shown).default([]),
    child_modules: z.array(z.lazy(() => SHOWN_MODULE)).default([]),
  })
  .transform(({ address, resources, child_modules }) => [
    ...resources.map(({ index, tainted, deposed_key, values, ...rest }) => ({
      ...{ ...rest, module: address, key: index, id: values?.id },
      ...{ isTainted: tainted === true, isDeposed: Boolean(deposed_key) },
    })),
    ...child_modules.flat(),
  ]);
const SHOWN = z
  .object({
    format_version: z.string(),
    values: z.object({ root_module: SHOWN_MODULE.optional() }).nullish(),
  })
  .transform((document) => document.values?.root_module ?? []);

/**
 * Parses a state.
 *
 * @throws UserError when it is none. The message contains nothing of it, because it may have secrets.
 */
export function terraformObjects(content: string, file: string): readonly TerraformObject[] {
  const { data: instances } = z.union([STATE, SHOWN]).safeParse(parseJson(content, file));
  if (instances === undefined) {
    throw new UserError(
      `${file} is not a state of format 4. Write it with \`terraform state pull\`, \`tofu state pull\` or \`show -json\`.`,
    );
  }
  return instances
    .filter(({ mode, type }) => mode === "managed" && type.startsWith(TERRAFORM_TYPE_PREFIX))
    .map(objectOf);
}

function objectOf({ module, type, name, provider = "", key, ...instance }: Instance): TerraformObject {
  const kind = KIND_NAMES.find((one) => terraformType(KINDS[one]) === type);
  const problem = problemOf(instance, kind);
  return {
    address: [...(module ? [module] : []), type, `${name}${keyText(key)}`].join("."),
    alias: /[\]\w]\.([^.\]"]+)$/.exec(provider.replace(/^.*\bprovider(?=[[.])/, ""))?.[1] ?? "",
    name: [...stepsOf(module ?? ""), { name, key }]
      .map((step) => [step.name, step.key ?? []].flat().join("-"))
      .join("-"),
    kind,
    uuid: String(instance.id).toLowerCase(),
    ...(problem !== undefined && { problem }),
  };
}

/** Why an object cannot be adopted. */
function problemOf(
  { isDeposed, isTainted, id }: Pick<Instance, "isDeposed" | "isTainted" | "id">,
  kind: KindName | undefined,
): string | undefined {
  if (isDeposed) return "deposed: it remains from a replacement, and `terraform apply` would delete it";
  if (isTainted) return "tainted: Terraform would replace it; first run `terraform untaint`";
  if (kind === undefined) return "this package has no such resource";
  return isUuid(id) ? undefined : "its id is not a UUID";
}

/** A key in an address. Terraform escapes what begins a template. */
function keyText(key: Instance["key"]): string {
  if (key == null) return "";
  return `[${JSON.stringify(key).replaceAll(/([$%])(?=\{)/g, "$1$1")}]`;
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
  return uncapitalized(name.replaceAll(/(?<=.)_+([^_])/g, (_, next: string) => next.toUpperCase()));
}
