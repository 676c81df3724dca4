/**
 * Settings: from what a program, a stack or the environment says to what a session needs. Pure, so that every
 * rule is a row in a table. The rules of precedence and failure are those of release 0.3.1.
 */

import { UserError } from "../lifecycle/errors";
import { isLoopback } from "../shapes/hostname";
import { API_KEY_VARIABLE, DEFAULT_API_URL, READ_ONLY_VARIABLE } from "./service";

/** The names of the settings: arguments of `Provider` and keys of the stack's configuration. */
export const SETTING_NAMES = ["apiKey", "apiKeyEnvVar", "apiUrl", "readOnly"] as const;

/** The name of a setting. */
export type SettingName = (typeof SETTING_NAMES)[number];

/** What one source says, unchecked. Absent and null mean that it does not say. */
export type RawSettings = { readonly [Name in SettingName]?: unknown };

/** Checked settings. */
export interface Settings {
  readonly apiKey: string;
  /** Origin of the service, with a path if it has one, without a trailing slash. */
  readonly apiUrl: string;
  /** Refuse every write before it is sent, and ask for read scopes only. */
  readonly readOnly: boolean;
}

/** What a check of settings may look at besides the settings. */
export interface SettingsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Tells a value that is not known yet. */
  readonly isUnknown?: (value: unknown) => boolean;
}

/**
 * Checks what one source says and completes it from the environment.
 *
 * An explicit `apiKey` wins; else the variable that `apiKeyEnvVar` names is read, by default
 * `DYNAMICLINK_API_KEY`. A custom variable that is missing or blank fails: falling back to the default one could
 * use the key of another organization.
 *
 * @throws UserError that names the setting, never its value.
 */
export function resolveSettings(raw: RawSettings, options: SettingsOptions): Settings {
  const isUnknown = options.isUnknown ?? (() => false);
  for (const name of SETTING_NAMES) {
    if (isUnknown(raw[name])) {
      throw new UserError(
        `${name} is not known yet. The provider needs it in preview as well: give it a value that does not depend on another resource's output.`,
      );
    }
  }
  const variable = variableName(raw.apiKeyEnvVar);
  return {
    apiKey: raw.apiKey == null ? keyFromEnvironment(variable, options.environment) : explicitKey(raw.apiKey),
    apiUrl: apiUrl(raw.apiUrl),
    readOnly:
      flag("readOnly", raw.readOnly) || flag(READ_ONLY_VARIABLE, options.environment[READ_ONLY_VARIABLE]),
  };
}

function explicitKey(value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") {
    throw new UserError(
      `apiKey is blank. Give it a value, or leave it out so that the key is read from the environment variable ${API_KEY_VARIABLE}.`,
    );
  }
  return headerSafe(value, "apiKey");
}

function variableName(value: unknown): string {
  if (value == null) return API_KEY_VARIABLE;
  if (typeof value !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) {
    throw new UserError(
      "apiKeyEnvVar is not the name of an environment variable: letters, digits and underscores, and no digit first. It names the variable; it does not hold the key.",
    );
  }
  return value;
}

function keyFromEnvironment(variable: string, environment: SettingsOptions["environment"]): string {
  const value = environment[variable];
  if (value === undefined || value.trim() === "") {
    throw new UserError(
      `No API key: the environment variable ${variable} is ${value === undefined ? "not set" : "blank"}. Set it to an organization API key, or set apiKey.`,
    );
  }
  return headerSafe(value, `the environment variable ${variable}`);
}

function headerSafe(value: string, source: string): string {
  // Only what every HTTP server takes in a header: a line break could smuggle a second one.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new UserError(
      `The API key in ${source} has characters that no API key has (white space, a line break, or others outside ASCII). Copy it again.`,
    );
  }
  return value;
}

function apiUrl(value: unknown): string {
  if (value == null) return DEFAULT_API_URL;
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UserError(`apiUrl is not a URL. Give an origin like ${DEFAULT_API_URL}, or leave it out.`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new UserError(
      "apiUrl must use https: a key sent over plain http can be read on the way. Plain http is for loopback only.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError("apiUrl must not hold a user name or password: the service knows API keys only.");
  }
  if (url.search !== "" || url.hash !== "" || String(value).includes("?") || String(value).includes("#")) {
    throw new UserError("apiUrl must not have a query or a fragment.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function flag(name: string, value: unknown): boolean {
  if (value == null || value === "" || value === false || value === "false" || value === "0") return false;
  if (value === true || value === "true" || value === "1") return true;
  throw new UserError(`${name} is neither true nor false. Write one of them.`);
}
