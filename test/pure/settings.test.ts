/** Settings: where each comes from, which values are valid, and that no error contains a key. */
import { UserError } from "../../provider/errors";
import { isShownName, resolveSettings } from "../../provider/session/settings";

const KEY = "canary-settings-key-1";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const URL = "https://links.example";
const SETTING = "apiKey of the Provider or of the stack's configuration";
const READ_ONLY = "readOnly of the Provider or of the stack's configuration";
const VARIABLE = "the environment variable DYNAMICLINK_READ_ONLY";

type Environment = Readonly<Record<string, string | undefined>>;

const ON = { DYNAMICLINK_READ_ONLY: "1" };
const NEITHER = { DYNAMICLINK_READ_ONLY: "yes" };
const NULLS = { apiKey: null, apiKeyEnvVar: null, readOnly: null };
const OTHER = { apiKey: null, apiKeyEnvVar: "OTHER" };

/** Settings in addition to the key and the URL, and what they lead to. Null is not set. */
const ACCEPTED: [sentence: string, raw: object, expected: object, environment?: Environment][] = [
  ["an explicit key takes precedence over every variable", { apiKeyEnvVar: "OTHER" }, {}, { OTHER: "y" }],
  ["apiUrl loses its trailing slash", { apiUrl: `${URL}/base/` }, { apiUrl: `${URL}/base` }],
  ...["localhost", "127.12.34.56", "[::1]"]
    .map((host) => ({ apiUrl: `http://${host}:8080` }))
    .map((loopback): (typeof ACCEPTED)[number] => ["plain http is accepted", loopback, loopback]),
  ["readOnly is turned on by the setting", { readOnly: "true" }, readOnlyBy(READ_ONLY)],
  ["readOnly is turned on by the variable", {}, readOnlyBy(VARIABLE), ON],
  ["readOnly is turned on by both", { readOnly: true }, readOnlyBy(`${READ_ONLY} and ${VARIABLE}`), ON],
  ["the setting does not turn readOnly off", { readOnly: false }, readOnlyBy(VARIABLE), ON],
  ["a blank readOnly variable is not set", {}, {}, { DYNAMICLINK_READ_ONLY: "" }],
  ["null is the same as not set", NULLS, keyFrom("DYNAMICLINK_API_KEY"), { DYNAMICLINK_API_KEY: KEY }],
  ["the variable that apiKeyEnvVar names is read", OTHER, keyFrom("OTHER"), { OTHER: KEY }],
];

/** The command reads no other variable, and with the URL no setting of a stack. */
function sourcesOf(apiKey: string, readOnly = "", url = URL) {
  const isDefault = apiKey.endsWith("DYNAMICLINK_API_KEY");
  const set = isDefault ? "" : "set DYNAMICLINK_API_KEY to it and ";
  const command = `run \`npx pulumi-dynamiclink whoami --api-url ${url}\``;
  const check = expect.stringContaining(` To check it, ${set}${command}`);
  const ifReplaced = " If you have set another one since, run `pulumi up` without `--refresh` first.";
  return { apiKey, readOnly, check, ...(apiKey === SETTING && { ifReplaced }) };
}

function keyFrom(variable: string) {
  return { sources: sourcesOf(`the environment variable ${variable}`) };
}

function readOnlyBy(source: string) {
  return { readOnly: true, sources: sourcesOf(SETTING, source) };
}

test.each(ACCEPTED)("%s", (_sentence, raw, expected, environment = {}) => {
  const settings = resolveSettings(
    { apiUrl: URL, apiKey: KEY, ...raw },
    { environment: { DYNAMICLINK_API_KEY: "x", ...environment } },
  );
  expect(settings).toEqual({
    apiUrl: URL,
    apiKey: KEY,
    readOnly: false,
    sources: sourcesOf(SETTING, "", settings.apiUrl),
    ...expected,
  });
});

test("a command says whose setting it is, and advises no command, because it is the one that checks", () => {
  const { sources } = resolveSettings(
    { apiUrl: URL, apiKey: KEY },
    { environment: {}, command: { owner: "provider team", howToSetUrl: "", howToSetKey: "" } },
  );
  expect(sources).toEqual({ apiKey: "apiKey of provider team", readOnly: "" });
});

/** Settings in addition to the key and the URL. The default variable has a key, which must not be used. */
const REFUSED: [sentence: string, raw: object, message: RegExp, environment?: Environment][] = [
  ["no key", { apiKey: null }, /DYNAMICLINK_API_KEY is not set/, { DYNAMICLINK_API_KEY: undefined }],
  ["a blank variable", { apiKey: null }, /DYNAMICLINK_API_KEY is blank/, { DYNAMICLINK_API_KEY: "  " }],
  ["a missing custom variable, without a fallback", OTHER, /OTHER is not set/],
  ["a blank custom variable, without a fallback", OTHER, /OTHER is blank/, { OTHER: "" }],
  [
    "a missing custom variable whose name may be a key",
    { apiKey: null, apiKeyEnvVar: KEY.replaceAll("-", "_") },
    /^No API key: the environment variable that apiKeyEnvVar names is not set\. .* not to the key\.$/,
  ],
  ["a blank explicit key, without a fallback", { apiKey: " " }, /apiKey is blank/],
  ["an unknown key", { apiKey: UNKNOWN }, /apiKey is not known yet/],
  ["an unknown variable name", { apiKeyEnvVar: UNKNOWN }, /apiKeyEnvVar is not known yet/],
  ["an unknown readOnly", { readOnly: UNKNOWN }, /readOnly is not known yet/],
  ["an invalid variable name, even with a key", { apiKeyEnvVar: "9-lives" }, /apiKeyEnvVar must be the name/],
  ["a key instead of a variable name", { apiKeyEnvVar: KEY }, /apiKeyEnvVar must be the name/],
  ["a key with a line break", { apiKey: `${KEY}\r\nx-other: 1` }, /apiKey contains characters/],
  ["plain http to a host like loopback", { apiUrl: "http://127.0.0.1.evil.example" }, /must use https/],
  ["credentials in the URL", { apiUrl: `https://user:${KEY}@api.example` }, /must not have a user name/],
  ["a query in the URL", { apiUrl: `https://api.example/?key=${KEY}` }, /query or a fragment/],
  ["an empty query in the URL", { apiUrl: "https://api.example/?" }, /query or a fragment/],
  [
    "text that is not a URL",
    { apiUrl: "TODO: var.api_url" },
    /^apiUrl must be an http or https URL\. Set it to the URL of the service: in the Provider, /,
  ],
  ["the URL of the placeholder", { apiUrl: "https://API.dynamiclink.example/v2" }, /apiUrl is not set/],
  ["another protocol", { apiUrl: "ftp://api.example" }, /apiUrl must be an http or https URL/],
  ["a variable that is neither true nor false", {}, /^DYNAMICLINK_READ_ONLY must be true or/, NEITHER],
];

test.each(REFUSED)("settings are rejected for %s", async (_sentence, raw, message, environment = {}) => {
  const isUnknown = (value: unknown) => value === UNKNOWN;
  const resolve = async () =>
    resolveSettings(
      { apiUrl: URL, apiKey: KEY, ...raw },
      { environment: { DYNAMICLINK_API_KEY: KEY, ...environment }, isUnknown },
    );
  const error = await resolve().catch((reason: unknown) => reason as Error);
  if (!(error instanceof UserError)) throw new Error("The settings were accepted.");
  expect(error.message).toMatch(message);
  const shown = `${error}${error.message}${error.stack}`;
  for (const key of [KEY, KEY.replaceAll("-", "_")]) expect(shown).not.toContain(key);
});

test.each([
  ["TOKEN", true],
  ["DYNAMICLINK_API_KEY_EUROPE", true],
  ["TEAM_KEY2", true],
  ["TEAM_KEY_12", true],
  ["dlk_live_abc", false],
  ["Team_Key", false],
  ["QWERTYUIOPASDFG_QWERTYUIOPASDFG", true],
  ["QWERTYUIOPASDFGH", false],
  ["TEAM_KEY_123", false],
  ["AKIA2E0A8F3B244C9986", false],
  ["DLK_LIVE_QWERTYUIOPASDFGH", false],
])("the name of a variable is shown only if it cannot be a key: %s, %s", (name, isShown) => {
  expect(isShownName(name)).toBe(isShown);
});

test("the source of a key does not show a name that may be a key", () => {
  const environment = { team_key: KEY };
  const { sources } = resolveSettings({ apiUrl: URL, apiKeyEnvVar: "team_key" }, { environment });
  expect(sources?.apiKey).toBe("the environment variable that apiKeyEnvVar names");
});

const TRUE = [true, 1, "true", "1"];

test.each([...TRUE, false, 0, "false", "0", "", null, undefined])("readOnly can be %j", (value) => {
  const { readOnly } = resolveSettings({ apiUrl: URL, apiKey: KEY, readOnly: value }, { environment: {} });
  expect(readOnly).toBe(TRUE.includes(value as never));
});

test.each([2, "yes", "True", "10", [1], ["true"], {}])("readOnly cannot be %j", (readOnly) => {
  const resolve = () => resolveSettings({ apiUrl: URL, apiKey: KEY, readOnly }, { environment: {} });
  expect(resolve).toThrow("readOnly must be true or false, or 1 or 0.");
});

test("one error names every setting that is missing or invalid", () => {
  const resolve = (raw: object) => () =>
    resolveSettings(raw, { environment: {}, isUnknown: (value) => value === UNKNOWN });
  expect(resolve({ readOnly: "yes" })).toThrow(
    /^apiUrl is not set [^\n]*\nNo API key: [^\n]*\nreadOnly must be true or false, or 1 or 0\.$/,
  );
  expect(resolve({ apiKey: UNKNOWN, apiUrl: UNKNOWN })).toThrow(
    /^apiKey is not known yet[^\n]*\napiUrl is not known yet[^\n]*$/,
  );
});
