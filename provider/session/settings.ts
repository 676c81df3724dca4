/** Resolves the settings of a session, in pure functions, with the precedence and failures of the provider for Terraform. */
import type { SettingSources } from "../client";
import { problemOf, UserError } from "../errors";
import {
  API_KEY_VARIABLE,
  CONFIGURATION_NAMESPACE,
  DEFAULT_API_URL,
  LOG_VARIABLE,
  READ_ONLY_VARIABLE,
  SERVICE_NAME,
} from "../service";
import { isLoopback } from "../values/hostname";
import { nearestName, suggestion } from "../values/nearestName";

/** The names of the settings: arguments of `Provider` and keys in the stack's configuration. */
export const SETTING_NAMES = ["apiKey", "apiKeyEnvVar", "apiUrl", "readOnly"] as const;

export type SettingName = (typeof SETTING_NAMES)[number];

/** The error for a key that is not a setting: in the stack's configuration, or as an argument of a provider. */
export function unknownSettingProblem(name: string): string | undefined {
  const names: readonly string[] = SETTING_NAMES;
  if (names.includes(name)) return undefined;
  return [
    `${name} is not a setting of ${SERVICE_NAME}; allowed: ${names.join(", ")}${suggestion(name, names)}`,
    `If it is in the stack's configuration, remove it: \`pulumi config rm ${CONFIGURATION_NAMESPACE}:${name}\`.`,
  ].join("\n");
}

/** The errors for unknown settings in this package's namespace. If they may be those of a project, only misspelt names are errors. */
export function unknownSettingProblems(
  keys: readonly string[],
  { mayBeOthers }: { readonly mayBeOthers: boolean },
): string[] {
  const prefix = `${CONFIGURATION_NAMESPACE}:`;
  return keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !mayBeOthers || nearestName(name, SETTING_NAMES) !== undefined)
    .flatMap((name) => unknownSettingProblem(name) ?? []);
}

/** The problem of a key in plain text in the stack's configuration, with its consequence as a clause. */
export function plainKeyProblem(consequence = ""): string {
  const name = `${CONFIGURATION_NAMESPACE}:apiKey`;
  return [
    `The stack's configuration contains ${name} in plain text${consequence}.`,
    `To encrypt it, run \`pulumi config set --secret ${name}\`.`,
    "If others can read the stack's settings file, replace the key with a new one.",
  ].join(" ");
}

/** The settings of one source, not yet validated. Absent and null both mean not set. */
export type RawSettings = { readonly [Name in SettingName]?: unknown };

/** The settings of a source that returns each by its name. */
export function settingsFrom(read: (name: SettingName) => unknown): RawSettings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, read(name)]));
}

export interface Settings {
  readonly apiKey: string;
  /** Origin of the service, with an optional path, without a trailing slash. */
  readonly apiUrl: string;
  /** Whether every write is refused before it is sent. Only read scopes are required then. */
  readonly readOnly: boolean;
  /** Where the key and read-only mode come from, for messages. */
  readonly sources?: SettingSources;
  /** The file to which requests are logged. Default: they are not logged. */
  readonly log?: string;
}

/** What {@link resolveSettings} uses besides the settings. */
export interface SettingsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a value is not known yet. Default: all are known. */
  readonly isUnknown?: (value: unknown) => boolean;
  /** Of a command: whose settings they are, and how to set those that lack, for messages. Default: they are those of a program. */
  readonly command?: HowToSet & { readonly owner: string };
}

export type HowToSet = Readonly<Record<"howToSetUrl" | "howToSetKey", string>>;

/** How users of a program set `apiUrl`. */
const HOW_TO_SET_URL = `If you use a Provider, set its argument apiUrl: it does not use the stack's configuration. Otherwise run \`pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl https://…\`.`;

/**
 * Validates the settings of one source and adds those of the environment. `apiKey` precedes the environment variable. A
 * custom variable must be set: the default one could contain the key of another organization.
 *
 * @throws UserError that contains the names of all settings that are missing or invalid, never their values.
 */
export function resolveSettings(raw: RawSettings, options: SettingsOptions): Settings {
  const isUnknown = options.isUnknown ?? (() => false);
  const unknown = SETTING_NAMES.filter((name) => isUnknown(raw[name]));
  if (unknown.length > 0) throw new UserError(unknown.map(notKnown).join("\n"));
  const { environment, command } = options;
  const { owner, howToSetUrl, howToSetKey } = command ?? OF_PROGRAM;
  const { key, readOnlySources, ...settings } = eachOf({
    apiUrl: () => apiUrl(raw.apiUrl, howToSetUrl),
    key() {
      const variable = variableName(raw.apiKeyEnvVar);
      return raw.apiKey == null
        ? keyFromEnvironment(variable, environment, howToSetKey)
        : explicitKey(raw.apiKey, owner);
    },
    readOnlySources: () => [
      ...(flag("readOnly", raw.readOnly) ? [`readOnly of ${owner}`] : []),
      ...(flag(READ_ONLY_VARIABLE, environment[READ_ONLY_VARIABLE])
        ? [variableSource(READ_ONLY_VARIABLE)]
        : []),
    ],
  });
  const { [LOG_VARIABLE]: log = "" } = environment;
  return {
    ...settings,
    ...(log !== "" && { log }),
    apiKey: key.value,
    readOnly: readOnlySources.length > 0,
    sources: {
      apiKey: key.source,
      readOnly: readOnlySources.join(" and "),
      ...(command === undefined && {
        check: howToCheck(key.source, settings.apiUrl),
        ...(raw.apiKey != null && { ifReplaced: IF_REPLACED }),
      }),
    },
  };
}

/** The problem of a setting whose value is not known in a preview. */
export function notKnown(setting: string): string {
  return `${setting} is not known yet, and the provider needs it in preview as well. If a resource supplies it, create that first with \`pulumi up --skip-preview --target\` and its URN, or run \`pulumi up --skip-preview\` once. Or give it a value that does not depend on another resource's output.`;
}

/** The problem of the value of one setting, without the value. Undefined if it is valid or not set. */
export function settingProblem(name: SettingName, value: unknown): string | undefined {
  return value == null ? undefined : problemOf(() => VALIDATORS[name](value));
}

const VALIDATORS: { readonly [Name in SettingName]: (value: unknown) => unknown } = {
  apiKey: explicitKey,
  apiKeyEnvVar: variableName,
  apiUrl: (value) => apiUrl(value, HOW_TO_SET_URL),
  readOnly: (value) => flag("readOnly", value),
};

/** Whose settings those of a program are: no host says which. */
const OWNER = "the Provider or of the stack's configuration";
const OF_PROGRAM = {
  ...{ owner: OWNER, howToSetUrl: HOW_TO_SET_URL },
  howToSetKey: "Set it to an organization API key, or set apiKey.",
};

/** How to check a key in place of that of a source. With the URL, the command uses no settings of a stack. */
function howToCheck(source: string, url: string): string {
  const set = source === variableSource(API_KEY_VARIABLE) ? "" : `set ${API_KEY_VARIABLE} to it and `;
  return ` To check it, ${set}run \`npx pulumi-${SERVICE_NAME} whoami --api-url ${url}\`, which also lists what each kind of resource lacks.`;
}

/** Pulumi stores an explicit key: a refresh or a deletion has that of the last deployment. */
const IF_REPLACED = " If you have set another one since, run `pulumi up` without `--refresh` first.";

function variableSource(name: string): string {
  return `the environment variable ${isShownName(name) ? name : "that apiKeyEnvVar names"}`;
}

/** Whether messages show the name of a variable, in place of which a key may be set: capital letters, and two digits at the end. */
export function isShownName(name: string): boolean {
  return /^[A-Z]{1,15}(_[A-Z]{1,15})*(_?[0-9]{1,2})?$/.test(name);
}

/** Resolves each setting. @throws UserError with the messages of all settings that fail. */
function eachOf<Values extends object>(
  resolvers: { readonly [Name in keyof Values]: () => Values[Name] },
): Values {
  const values: Record<string, unknown> = {};
  const problems = Object.entries<() => unknown>(resolvers).flatMap(
    ([name, resolve]) => problemOf(() => Reflect.set(values, name, resolve())) ?? [],
  );
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return values as Values;
}

function explicitKey(value: unknown, owner = OWNER) {
  if (typeof value !== "string" || value.trim() === "")
    throw new UserError(
      `apiKey is blank. Set it to an API key, or omit it to read the key from the environment variable ${API_KEY_VARIABLE}.`,
    );
  return { value: headerSafe(value, "apiKey"), source: `apiKey of ${owner}` };
}

function variableName(value: unknown): string {
  if (value == null) return API_KEY_VARIABLE;
  if (typeof value !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(value))
    throw new UserError(
      "apiKeyEnvVar must be the name of an environment variable: letters, digits and underscores, not starting with a digit. Do not set it to the key itself.",
    );
  return value;
}

function keyFromEnvironment(variable: string, environment: SettingsOptions["environment"], howToSet: string) {
  const value = environment[variable];
  const source = variableSource(variable);
  if (value === undefined || value.trim() === "") {
    const hint = isShownName(variable)
      ? ""
      : " The name is not shown, because it may be a key: set apiKeyEnvVar to the name of the variable, not to the key.";
    throw new UserError(
      `No API key: ${source} is ${value === undefined ? "not set" : "blank"}. ${howToSet}${hint}`,
    );
  }
  return { value: headerSafe(value, source), source };
}

function headerSafe(value: string, source: string): string {
  // Only characters that every HTTP server accepts in a header: a line break could inject another header.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new UserError(
      `The API key in ${source} contains characters that are not allowed: white space, line breaks or characters outside ASCII. Copy the key again.`,
    );
  return value;
}

function apiUrl(value: unknown, howToSet: string): string {
  const given = value ?? DEFAULT_API_URL;
  const url = typeof given === "string" ? URL.parse(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      `apiUrl must be an http or https URL. Set it to the URL of the service: in the Provider, in ${CONFIGURATION_NAMESPACE}:apiUrl of the configuration, or with the option --api-url of the command.`,
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new UserError(
      "apiUrl must use https, because a key sent over http can be intercepted. http is allowed for loopback addresses only.",
    );
  if (url.username !== "" || url.password !== "" || /[?#]/.test(url.href))
    throw new UserError("apiUrl must not have a user name, a password, a query or a fragment.");
  // Requests to a placeholder would fail, but only after retries.
  if (url.hostname.endsWith(".example") && url.hostname === new URL(DEFAULT_API_URL).hostname)
    throw new UserError(`apiUrl is not set to the URL of the service. ${howToSet}`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function flag(name: string, value: unknown): boolean {
  if (isOff(value)) return false;
  if (isOneOf(["true", "1"], value)) return true;
  throw new UserError(`${name} must be true or false, or 1 or 0.`);
}

/** Whether a flag is not set, or is turned off. Languages and configuration pass it as text, number or truth value. */
export function isOff(value: unknown): boolean {
  return value == null || isOneOf(["", "false", "0"], value);
}

function isOneOf(texts: readonly string[], value: unknown): boolean {
  return Object(value) !== value && texts.includes(String(value));
}
