/** Generates the reference of the emulator from its types, their doc comments and the default behaviour. */
import { type Behaviour, defaultBehaviour } from "../testing/emulator";
import { loadContract, type Operation } from "../testing/emulator/contract/contract";
import { anchor, code, page, table, withContents } from "./markdown";
import { commentOf, type DocumentedProperty, membersOf, propertiesOf } from "./sourceDocs";

/** The objects of a seed: the heading, and the type in the source. */
const SEED: readonly (readonly [heading: string, module: string, type: string])[] = [
  ["Seed", "controls/seed", "Seed"],
  ["Organization", "controls/seed", "SeedOrganization"],
  ["Key", "world/additions", "NewKey"],
  ["Project", "controls/seed", "SeedProject"],
  ["Application", "world/additions", "NewApplication"],
  ["Custom domain", "world/additions", "NewCustomDomain"],
  ["Link", "world/additions", "NewLink"],
];

/** The headings of types that fields have lists of. */
const HEADINGS = new Map(SEED.map(([heading, , type]) => [type, heading]));

/** Types that are documented elsewhere, or are too long for a table, by the name of the field. */
const TYPES: Readonly<Record<string, string>> = {
  seed: "[Seed](#seed)",
  behaviour: "part of [Behaviour](#behaviour)",
  effect: "one of the [effects](#effects)",
  operation: '`string`, a list of them, or `"*"`',
  match: "`string`, `RegExp` or `(request) => boolean`",
  skin: "`{ themeType, themeChoiceType }` or null",
  ...Object.fromEntries(
    ["appleInfo", "androidInfo"].map((name) => [
      name,
      `[${code(name)}](resources/application.md#arguments) or null`,
    ]),
  ),
  ...Object.fromEntries(
    ["appleOptions", "androidOptions", "additionalOptions"].map((name) => [name, "object or null"]),
  ),
};

/** Behaviour that the service's documentation leaves open and that has no option, and how to get another one. */
const WITHOUT_OPTION: readonly (readonly [behaviour: string, instead: string])[] = [
  ["There are no rate limits and no quotas.", "a fault with the status 429"],
  [
    "`provider_status` and `ssl_status` of a Custom Domain follow from its status. `next_retry_at` is one hour after a failure.",
    "the third argument of `service.setDomainStatus(…)`",
  ],
  ["After a deletion, a GET returns 404 at once.", "a fault with the earlier `body`"],
  ["Any number of equal Applications can be in a Project.", "a fault with the status 409"],
  [
    "Texts other than names of Projects and hostnames are stored as given.",
    "a fault with another `body`, or `service.updateApplication(…)`",
  ],
  [
    "A request is checked in this order: key, Organization, scope, format, objects, Pro entitlement, conflicts.",
    "none",
  ],
  [
    "Fields in a request that are not documented are ignored where the documentation does not exclude them.",
    "none",
  ],
  ["A Link on a Custom Domain can be created only if the domain is ACTIVE.", "none"],
  ["A core Link uses the oldest Application of a platform.", "none"],
  ["Saving the Skin of a Project that has none creates it.", "none"],
];

/** The page `emulator.md`. */
export function emulatorPage(): string {
  const properties = (module: string, name: string) => propertiesOf(`testing/emulator/${module}.ts`, name);
  const effects = membersOf("testing/emulator/controls/faultEffects.ts", "FaultEffect");
  const paragraphs = [
    "For examples, see [testing.md](testing.md#emulator).",
    "## Options",
    "Options of `startEmulator`:",
    fields(properties("controls/emulator", "EmulatorOptions")),
    "## Seed",
    "The initial content: the option `seed`, `service.seed(…)`, or a JSON file for `pulumi-dynamiclink emulator --seed`. An invalid seed is an error with the path of the first wrong field, and nothing is added.",
    ...SEED.flatMap(([heading, module, type]) => [
      ...(heading === "Seed" ? [] : [`### ${heading}`]),
      fields(properties(module, type)),
    ]),
    "## Behaviour",
    "The service's documentation leaves some behaviour open. Each option below is one such behaviour: set it in the option `behaviour`, or later with `service.setBehaviour(…)`.",
    table(
      ["option", "values", "default", "description"],
      properties("world/behaviour", "Behaviour").map(({ path, type, text }) => {
        const value = defaultBehaviour[path as keyof Behaviour];
        return [
          code(path),
          code(plainType(type)),
          code(literal(value)),
          withoutDefault(text, literal(value)),
        ];
      }),
    ),
    "### Behaviour without an option",
    "The documentation leaves these points open too. The emulator has one behaviour for each, and the last column says how to get another one, if there is a way:",
    table(["behaviour", "instead"], WITHOUT_OPTION),
    "## Faults",
    "`service.inject(…)` adds a fault. Faults apply in the order in which they were added, and each is used up by the requests that it applies to. `service.faultsUsed` has the faults that were applied.",
    fields(properties("controls/faults", "Fault")),
    "### Effects",
    "Each line is one effect, by the field that it must have:",
    table(
      ["effect", "description", "other fields"],
      effects.map((name) => {
        const [effect, ...others] = properties("controls/faultEffects", name);
        if (effect === undefined) throw new Error(`${name} has no fields.`);
        const { text } = commentOf("testing/emulator/controls/faultEffects.ts", name);
        return [
          code(`${effect.path}: ${plainType(effect.type)}`),
          effect.text.startsWith("Always") ? text : `${text} ${code(effect.path)}: ${effect.text}`,
          others.map((field) => `${code(field.path)} (${typeCell(field)}): ${field.text}`).join("<br>") ||
            "none",
        ];
      }),
    ),
    "## Methods and properties",
    "`startEmulator` resolves with an object that has the members below. With the option `controls`, and with `pulumi-dynamiclink emulator`, programs in other languages use them over HTTP, under `/_emulator/`: a request with a JSON body of the given fields. The response has the value, or the status 204 if there is none; 400 says what is wrong with the request, 404 that an object does not exist, and 409 that it exists already. For who may send such requests, see [testing.md](testing.md#running-the-emulator-as-a-process).",
    table(
      ["member", "description", "over HTTP"],
      properties("controls/emulator", "Emulator").map(({ path, parameters, text }) => [
        code(parameters ? `${path}(${parameters.join(", ")})` : path),
        text,
        controlsOf(path).map(requestCell).join("<br>") || "none",
      ]),
    ),
  ];
  return page("Emulator reference", withContents(paragraphs), "the doc comments in testing/emulator/");
}

/** The controls over HTTP of a member of the emulator. */
function controlsOf(member: string): readonly Operation[] {
  return loadContract("controls.yaml").operations.filter(
    ({ operationId }) => operationId.split(".")[0] === member,
  );
}

/** A request to the controls, with the fields of its body: a link to them if they are those of a seed or of a fault. */
function requestCell({ method, path, body = {} }: Operation): string {
  const request = code(`${method.toUpperCase()} ${path.replace("/_emulator/", "")}`);
  const name = "$ref" in body ? String(body.$ref).split("/").at(-1) : undefined;
  if (name === undefined) return request;
  const heading = [name, name.replace("Seed", "New")].map((type) => HEADINGS.get(type)).find(Boolean);
  const linked = heading ?? { Behaviour: "Behaviour", Fault: "Faults" }[name];
  if (linked !== undefined) return `${request}, [${linked}](#${anchor(linked)})`;
  const { properties = {} } = loadContract("controls.yaml").document.components.schemas[name] as {
    readonly properties?: object;
  };
  return `${request}, ${code(`{ ${Object.keys(properties).join(", ")} }`)}`;
}

function fields(properties: readonly DocumentedProperty[]): string {
  return table(
    ["field", "type", "description"],
    properties.map((property) => [
      code(property.path),
      property.optional ? typeCell(property) : `${typeCell(property)}, required`,
      property.text,
    ]),
  );
}

/** The type of a field. Those of the seed are links to their tables. */
function typeCell({ path, type }: DocumentedProperty): string {
  const own = TYPES[path];
  if (own !== undefined) return own;
  const [, item = ""] = /^readonly (\w+)\[\]$/.exec(type) ?? [];
  const heading = HEADINGS.get(item);
  if (heading !== undefined) return `list of [${heading}](#${anchor(heading)})`;
  const [plain = "", ...rest] = plainType(type).split(" or null");
  return [code(plain), ...rest].join(" or null");
}

/** A type without the modifiers that only matter to the compiler. */
function plainType(type: string): string {
  return type === "{}" ? "any JSON value" : type.replaceAll("readonly ", "").replaceAll("; }", " }");
}

/** The text without its default, which has a column of its own. @throws Error if it is another one. */
function withoutDefault(text: string, value: string): string {
  const sentence = ` Default \`${value}\`.`;
  if (!text.endsWith(sentence))
    throw new Error(`The doc comment "${text}" does not end with "${sentence.trim()}".`);
  return text.slice(0, -sentence.length);
}

/** A value as the source has it. */
function literal(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, " $1: ")
    .replace(/\}$/, " }");
}
