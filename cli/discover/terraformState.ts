/** The objects of this service in a state of Terraform or OpenTofu: format 4, or the output of `show -json`. */
import { z } from "zod";
import { UserError } from "../../provider/errors";
import { TERRAFORM_PROVIDER, terraformType } from "../../provider/hosts/terraform/names";
import { uncapitalized } from "../../provider/values/phrases";
import { isUuid } from "../../provider/values/uuid";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";
import { parseJson } from "../terminal/json";
import { hclString, hclText } from "./hclString";

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

const text = z.string().nullish();
/** A resource in the output of `show -json`. The other format is converted to it. */
const resource = z.object({
  ...{ mode: z.string(), type: z.string(), address: z.string(), provider: z.string().optional() },
  ...{ tainted: z.boolean().nullish(), deposed_key: text },
  values: z.object({ id: z.unknown().optional() }).nullish(),
});
type Resource = z.infer<typeof resource>;

const MODULE: z.ZodType<Resource[]> = z
  .object({
    resources: z.array(resource).default([]),
    child_modules: z.array(z.lazy(() => MODULE)).default([]),
  })
  .transform(({ resources, child_modules }) => [...resources, ...child_modules.flat()]);
const formatVersion = z.string();
const SHOWN = z.union([
  z
    .object({ format_version: formatVersion, values: z.object({ root_module: MODULE }) })
    .transform(({ values }) => values.root_module),
  // An empty state. Plans, for example, have other members.
  z.strictObject({ format_version: formatVersion, terraform_version: text }).transform((): Resource[] => []),
]);

/** A key in an address. */
const key = z.union([z.string().transform(hclString), z.number()]).transform((value) => `[${value}]`);
const group = resource.pick({ mode: true, type: true, provider: true }).extend({
  ...{ name: z.string(), module: text },
  instances: z.array(
    z.object({ index_key: key.nullish(), status: text, deposed: text, attributes: resource.shape.values }),
  ),
});
const STATE = z
  .object({ version: z.literal(4), resources: z.array(group) })
  .transform(({ resources }): Resource[] =>
    resources.flatMap(({ instances, module, name, ...rest }) =>
      instances.map(({ index_key, status, deposed: deposed_key, attributes: values }) => ({
        ...{ ...rest, deposed_key, tainted: status === "tainted", values },
        address: [...(module ? [module] : []), rest.type, `${name}${index_key ?? ""}`].join("."),
      })),
    ),
  );

/**
 * Parses a state.
 *
 * @throws UserError when it is none. The message contains nothing of it, because it may have secrets.
 */
export function terraformObjects(content: string, file: string): readonly TerraformObject[] {
  const { data } = z.union([STATE, SHOWN]).safeParse(parseJson(content, file));
  if (data === undefined)
    throw new UserError(
      `${file} is not a state of format 4. Write it with \`terraform state pull\`, \`tofu state pull\` or \`show -json\`.`,
    );
  return data
    .filter(({ mode, type }) => mode === "managed" && type.startsWith(`${TERRAFORM_PROVIDER}_`))
    .map(objectOf);
}

function objectOf({ type, address, provider = "", values, ...state }: Resource): TerraformObject {
  const kind = KIND_NAMES.find((one) => terraformType(KINDS[one].type) === type);
  const problems = [
    [state.deposed_key, "deposed: it remains from a replacement, and `terraform apply` would delete it"],
    [state.tainted, "tainted: Terraform would replace it; first run `terraform untaint`"],
    [kind === undefined, "this package has no such resource"],
    [!isUuid(values?.id), "its id is not a UUID"],
  ] as const;
  const [, problem] = problems.find(([applies]) => applies) ?? [];
  return {
    ...{ address, kind, uuid: String(values?.id).toLowerCase(), name: nameOf(address) },
    alias: /[\]\w]\.([^.\]"]+)$/.exec(provider.replace(/^.*\bprovider(?=[[.])/, ""))?.[1] ?? "",
    ...(problem !== undefined && { problem }),
  };
}

/** The names and keys in an address, as the converter joins them. It writes names of modules in camel case. */
function nameOf(address: string): string {
  const steps = address.matchAll(/([^.[]+)\.([^.[]+)(?:\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\])?/gs);
  const names = [...steps].flatMap(([, type, name = "", number, text]) => [
    type === "module"
      ? uncapitalized(name.replaceAll(/(?<=.)_+([^_])/g, (_, next: string) => next.toUpperCase()))
      : name,
    number ?? (text === undefined ? [] : hclText(text)),
  ]);
  return names.flat().join("-");
}
