/** Addresses of resources in a Terraform state, in the notation that `terraform state` prints and accepts. */

/** The key of an instance: a number with `count`, a text with `for_each`. */
export type InstanceKey = string | number;

/** A module call on the way to a resource. */
export interface ModuleStep {
  readonly name: string;
  readonly key?: InstanceKey | undefined;
}

export interface TerraformAddress {
  readonly modules: readonly ModuleStep[];
  readonly isData: boolean;
  readonly type: string;
  readonly name: string;
  readonly key?: InstanceKey | undefined;
}

/** What Terraform accepts as a name. */
const IDENTIFIER = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
const TEXT_KEY = String.raw`"(?:[^"\\]|\\.)*"`;
const MODULE_STEP = new RegExp(`module\\.(${IDENTIFIER})(?:\\[(?:(\\d+)|(${TEXT_KEY}))\\])?(?:\\.|$)`, "suy");

/** The text that Terraform writes for an address. */
export function addressText({ modules, isData, type, name, key }: TerraformAddress): string {
  return [
    ...modules.map((step) => `module.${step.name}${keyText(step.key)}`),
    ...(isData ? ["data"] : []),
    type,
    `${name}${keyText(key)}`,
  ].join(".");
}

/** Parses the address of a module; undefined if it is not one. The root module has the empty address. */
export function parseModuleAddress(text: string): readonly ModuleStep[] | undefined {
  const steps: ModuleStep[] = [];
  MODULE_STEP.lastIndex = 0;
  while (MODULE_STEP.lastIndex < text.length) {
    const [match, name = "", number, quoted] = MODULE_STEP.exec(text) ?? [];
    if (match === undefined) return undefined;
    steps.push({ name, key: number === undefined ? quoted && unquoted(quoted) : Number(number) });
  }
  return text.endsWith(".") ? undefined : steps;
}

export function isIdentifier(text: string): boolean {
  return new RegExp(`^${IDENTIFIER}$`, "u").test(text);
}

/**
 * Parses the provider configuration of a resource, such as `provider["registry.example/platform/dynamiclink"].europe`.
 *
 * @returns its alias, after the module that has it, such as `module.brand.europe`. Empty for the configuration without
 * an alias in the root module. A text in another notation is returned unchanged.
 */
export function parseConfiguration(text: string): string {
  const groups = CONFIGURATION.exec(text)?.groups;
  if (groups === undefined) return text;
  const { module = "", alias = "", key = "" } = groups;
  return [module, `${alias}${key}`].filter((part) => part !== "").join(".");
}

/** Before Terraform 0.13, the name of the provider was in place of its address. OpenTofu has aliases with keys. */
const CONFIGURATION = new RegExp(
  `^(?:(?<module>module\\.${IDENTIFIER}(?:\\.module\\.${IDENTIFIER})*)\\.)?provider(?:\\["[^"]*"\\]|\\.${IDENTIFIER})(?:\\.(?<alias>${IDENTIFIER})(?<key>\\[(?:\\d+|${TEXT_KEY})\\])?)?$`,
  "su",
);

function keyText(key: InstanceKey | undefined): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `["${key.replace(ESCAPED, escapeOf)}"]`;
}

/** What Terraform escapes in a key: templates, and everything that is not printable. */
const ESCAPED = /["\\]|[$%](?=\{)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gsu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
  $: "$$",
  "%": "%%",
};

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return (
    SHORT_ESCAPES[character] ??
    (code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`)
  );
}

function unquoted(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(
      /\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))|([$%])\4(?=\{)/gsu,
      (_, short?: string, long?: string, character?: string, template?: string) => {
        const code = short ?? long;
        if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
        if (character === undefined) return template ?? "";
        const found = Object.entries(SHORT_ESCAPES).find(([, written]) => written === `\\${character}`);
        return found?.[0] ?? character;
      },
    );
}
