/** Settings: where each comes from, which values are valid, and that no error contains a key. */
import { UserError } from "../../provider/errors";
import { resolveSettings } from "../../provider/session/settings";

const KEY = "canary-settings-key-1";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const URL = "https://links.example";
const SETTING = "apiKey of the Provider or of the stack's configuration";
const READ_ONLY = "readOnly of the Provider or of the stack's configuration";
const VARIABLE = "the environment variable DYNAMICLINK_READ_ONLY";

const ACCEPTED: [sentence: string, raw: object, environment: Record<string, string>, expected: object][] = [
  ["the default variable is read when nothing is set", {}, { DYNAMICLINK_API_KEY: KEY }, { apiKey: KEY }],
  [
    "an explicit key takes precedence over every variable",
    { apiKey: KEY, apiKeyEnvVar: "OTHER" },
    { DYNAMICLINK_API_KEY: "x", OTHER: "y" },
    { apiKey: KEY },
  ],
  [
    "the variable that apiKeyEnvVar names is read",
    { apiKeyEnvVar: "OTHER" },
    { OTHER: KEY, DYNAMICLINK_API_KEY: "x" },
    { apiKey: KEY, sources: { apiKey: "the environment variable OTHER", readOnly: "" } },
  ],
  [
    "null is the same as not set",
    { apiKey: null, apiKeyEnvVar: null, readOnly: null },
    { DYNAMICLINK_API_KEY: KEY },
    { apiKey: KEY },
  ],
  [
    "apiUrl loses its trailing slash",
    { apiKey: KEY, apiUrl: "https://dev.example/base/" },
    {},
    { apiKey: KEY, apiUrl: "https://dev.example/base" },
  ],
  [
    "plain http is accepted for loopback by name",
    { apiKey: KEY, apiUrl: "http://localhost:8080" },
    {},
    { apiKey: KEY, apiUrl: "http://localhost:8080" },
  ],
  [
    "plain http is accepted for loopback by address",
    { apiKey: KEY, apiUrl: "http://127.0.0.1:8080" },
    {},
    { apiKey: KEY, apiUrl: "http://127.0.0.1:8080" },
  ],
  [
    "plain http is accepted for loopback by IPv6 address",
    { apiKey: KEY, apiUrl: "http://[::1]:8080" },
    {},
    { apiKey: KEY, apiUrl: "http://[::1]:8080" },
  ],
  [
    "readOnly is turned on by the setting",
    { apiKey: KEY, readOnly: "true" },
    {},
    { apiKey: KEY, readOnly: true, sources: { apiKey: SETTING, readOnly: READ_ONLY } },
  ],
  [
    "readOnly is turned on by the variable",
    { apiKey: KEY },
    { DYNAMICLINK_READ_ONLY: "1" },
    { apiKey: KEY, readOnly: true, sources: { apiKey: SETTING, readOnly: VARIABLE } },
  ],
  [
    "readOnly is turned on by both",
    { apiKey: KEY, readOnly: true },
    { DYNAMICLINK_READ_ONLY: "1" },
    { apiKey: KEY, readOnly: true, sources: { apiKey: SETTING, readOnly: `${READ_ONLY} and ${VARIABLE}` } },
  ],
  [
    "the setting does not turn readOnly off that the variable turned on",
    { apiKey: KEY, readOnly: false },
    { DYNAMICLINK_READ_ONLY: "1" },
    { apiKey: KEY, readOnly: true, sources: { apiKey: SETTING, readOnly: VARIABLE } },
  ],
  ["a blank readOnly variable is not set", { apiKey: KEY }, { DYNAMICLINK_READ_ONLY: "" }, { apiKey: KEY }],
];

test.each(ACCEPTED)("%s", (_sentence, raw, environment, expected) => {
  expect(resolveSettings({ apiUrl: URL, ...raw }, { environment })).toEqual({
    apiUrl: URL,
    readOnly: false,
    sources: {
      apiKey:
        "apiKey" in raw && raw.apiKey !== null ? SETTING : "the environment variable DYNAMICLINK_API_KEY",
      readOnly: "",
    },
    ...expected,
  });
});

const REFUSED: [sentence: string, raw: object, environment: Record<string, string>, message: RegExp][] = [
  ["no key", {}, {}, /DYNAMICLINK_API_KEY is not set/],
  ["a blank default variable", {}, { DYNAMICLINK_API_KEY: "  " }, /DYNAMICLINK_API_KEY is blank/],
  [
    "a missing custom variable, without a fallback",
    { apiKeyEnvVar: "OTHER" },
    { DYNAMICLINK_API_KEY: KEY },
    /OTHER is not set/,
  ],
  [
    "a blank custom variable, without a fallback",
    { apiKeyEnvVar: "OTHER" },
    { DYNAMICLINK_API_KEY: KEY, OTHER: "" },
    /OTHER is blank/,
  ],
  [
    "a blank explicit key, without a fallback",
    { apiKey: " " },
    { DYNAMICLINK_API_KEY: KEY },
    /apiKey is blank/,
  ],
  [
    "an empty explicit key, without a fallback",
    { apiKey: "" },
    { DYNAMICLINK_API_KEY: KEY },
    /apiKey is blank/,
  ],
  ["an unknown key", { apiKey: UNKNOWN }, { DYNAMICLINK_API_KEY: KEY }, /apiKey is not known yet/],
  ["an unknown URL", { apiUrl: UNKNOWN }, { DYNAMICLINK_API_KEY: KEY }, /apiUrl is not known yet/],
  [
    "an unknown variable name",
    { apiKeyEnvVar: UNKNOWN },
    { DYNAMICLINK_API_KEY: KEY },
    /apiKeyEnvVar is not known yet/,
  ],
  ["an unknown readOnly", { readOnly: UNKNOWN }, { DYNAMICLINK_API_KEY: KEY }, /readOnly is not known yet/],
  [
    "an invalid variable name, even with an explicit key",
    { apiKey: KEY, apiKeyEnvVar: "9-lives" },
    {},
    /apiKeyEnvVar must be the name/,
  ],
  [
    "a key instead of a variable name",
    { apiKeyEnvVar: KEY },
    { DYNAMICLINK_API_KEY: KEY },
    /apiKeyEnvVar must be the name/,
  ],
  ["a key with a line break", { apiKey: `${KEY}\r\nx-other: 1` }, {}, /apiKey contains characters/],
  [
    "a variable with characters that a header cannot contain",
    {},
    { DYNAMICLINK_API_KEY: `${KEY}\u2028` },
    /DYNAMICLINK_API_KEY contains characters/,
  ],
  [
    "plain http to another host than loopback",
    { apiKey: KEY, apiUrl: "http://api.example" },
    {},
    /must use https/,
  ],
  [
    "plain http to a host whose name only begins like loopback",
    { apiKey: KEY, apiUrl: "http://127.0.0.1.evil.example" },
    {},
    /must use https/,
  ],
  [
    "credentials in the URL",
    { apiKey: KEY, apiUrl: `https://user:${KEY}@api.example` },
    {},
    /must not contain a user name/,
  ],
  [
    "a query in the URL",
    { apiKey: KEY, apiUrl: `https://api.example/?key=${KEY}` },
    {},
    /query or a fragment/,
  ],
  ["an empty query in the URL", { apiKey: KEY, apiUrl: "https://api.example/?" }, {}, /query or a fragment/],
  ["a fragment in the URL", { apiKey: KEY, apiUrl: "https://api.example/#a" }, {}, /query or a fragment/],
  [
    "text that is not a URL",
    { apiKey: KEY, apiUrl: "api.example" },
    {},
    /apiUrl must be an http or https URL/,
  ],
  ["no URL, because the default is a placeholder", { apiKey: KEY, apiUrl: null }, {}, /apiUrl is not set/],
  [
    "the URL of the placeholder",
    { apiKey: KEY, apiUrl: "https://API.dynamiclink.example/v2" },
    {},
    /apiUrl is not set/,
  ],
  [
    "another protocol",
    { apiKey: KEY, apiUrl: "ftp://api.example" },
    {},
    /apiUrl must be an http or https URL/,
  ],
  [
    "a readOnly that is neither true nor false",
    { apiKey: KEY, readOnly: "yes" },
    {},
    /readOnly must be true or false/,
  ],
  [
    "a readOnly variable that is neither true nor false",
    { apiKey: KEY },
    { DYNAMICLINK_READ_ONLY: "yes" },
    /^DYNAMICLINK_READ_ONLY must be true or false, or 1 or 0\.$/,
  ],
];

test.each(REFUSED)("settings are rejected for %s", (_sentence, raw, environment, message) => {
  const isUnknown = (value: unknown) => value === UNKNOWN;
  let error: unknown;
  try {
    resolveSettings({ apiUrl: URL, ...raw }, { environment, isUnknown });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(UserError);
  expect((error as Error).message).toMatch(message);
  expect(`${error}${(error as Error).message}${(error as Error).stack}`).not.toContain(KEY);
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
