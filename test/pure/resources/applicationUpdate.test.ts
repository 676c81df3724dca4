/** What an update of an application sends, by what changed in the program and by what a read shows: tables. */
import type { Application } from "../../../provider/client";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { Age } from "../../../provider/lifecycle/version";
import type { ApplicationInputs } from "../../../provider/resources/application";
import { applicationUpdate } from "../../../provider/resources/applicationUpdate";

const ID = "0d0d0d0d-0000-4000-8000-000000000004";
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DECLARED = { appName: "Two", appScheme: "new", bundleId: "example.shop.app" };
const READ = { appName: "Two", appScheme: "old", bundleId: "example.shop.app" };

function inputs(appleInfo: object): ApplicationInputs {
  return { projectId: PROJECT, appType: "IOS", appleInfo } as ApplicationInputs;
}

function bundle(length: number): string {
  return `example.${"a".repeat(length - "example.".length)}`;
}

function read(appleInfo: object | null, more: Partial<Application> = {}): Application {
  return {
    id: ID,
    projectId: PROJECT,
    appType: "IOS",
    appleInfo: appleInfo as Application["appleInfo"],
    androidInfo: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: null,
    ...more,
  };
}

interface Given {
  /** The declared info, beside what all rows declare. */
  readonly declared?: Properties;
  /** Default: the scheme. */
  readonly changed?: readonly `appleInfo.${string}`[];
  readonly state?: Properties;
  /** The info that was read, beside what all rows read; null for no info. */
  readonly current?: Properties | null;
}

const SCHEME = ["appleInfo.appScheme"] as const;
const STORE_ID = [...SCHEME, "appleInfo.appStoreId"] as const;
const PREFIX = [...SCHEME, "appleInfo.appIdPrefix"] as const;
const ID_TOO = [...SCHEME, "appleInfo.appId"] as const;
const BUNDLE = "appleInfo.bundleId";
const NAME = "appleInfo.appName";
const UNCHANGED = [NAME, BUNDLE];
const ALL: readonly Age[] = ["older", "newer", "unclear"];
const OTHER = { appName: "One" };
const THEIRS = { appName: "Theirs" };
const LEFT = { __changed: { outside: ["appleInfo.appName"] } };
const ONE = { appStoreId: "1" };
const NULL = { appStoreId: null };
/** An appId that the service derived from prefix and bundle. */
const DERIVED = { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" };
const OLD = { bundleId: "example.old.app", appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.old.app" };
const OWN = { appId: "Z1B2C3D4E5.example.shop.app" };
const BOTH = { ...DERIVED, ...OWN };
const NONE = { appIdPrefix: null, appId: null };

/** The name, what is declared and read, and the info that is sent, beside what the program declares in all rows. */
const CASES: readonly [string, Given, ages: readonly Age[], info: Properties][] = [
  ["a changed value as declared", {}, ALL, {}],
  ["a declared value, where a read may lag", { current: OTHER }, ["unclear", "older"], {}],
  ["a declared value as a newer read shows it", { current: THEIRS }, ["newer"], THEIRS],
  ["a declared value as read, where an update has left it", { state: LEFT, current: THEIRS }, ALL, THEIRS],
  ["a declared value that a read lacks, where it may lag", { current: null }, ["unclear"], {}],
  ["nothing that a newer read lacks", { current: { appName: null } }, ["newer"], { appName: undefined }],
  ["a value that is not declared as read", { current: ONE }, ALL, ONE],
  ["no value that is neither declared nor read", { current: { ...NULL, appIdPrefix: undefined } }, ALL, {}],
  ["null for a value that is no longer declared", { changed: STORE_ID, current: ONE }, ALL, NULL],
  ["null for a value that is no longer declared, nor read", { changed: STORE_ID }, ALL, NULL],
  ["a new null", { declared: NULL, changed: STORE_ID, current: ONE }, ALL, NULL],
  ["a null, where a read may lag", { declared: NULL, current: ONE }, ["unclear"], NULL],
  ["a declared null as a newer read shows it", { declared: NULL, current: ONE }, ["newer"], ONE],
  ["an appId that the service derived", { current: DERIVED }, ALL, DERIVED],
  ["an appId of the declared bundle, where a read may lag", { current: OLD }, ["unclear"], DERIVED],
  ...[
    { what: "of 100 characters", length: 89, appId: `A1B2C3D4E5.${bundle(89)}` },
    { what: "of more, which the service would refuse, as null", length: 90, appId: null },
  ].map(({ what, length, appId }): (typeof CASES)[number] => [
    `a derived appId ${what}, where the bundle changes`,
    { declared: { bundleId: bundle(length) }, changed: [BUNDLE], current: DERIVED },
    ["newer"],
    { ...DERIVED, appScheme: "old", bundleId: bundle(length), appId },
  ]),
  ["null for a derived appId without a declared prefix", { changed: PREFIX, current: DERIVED }, ALL, NONE],
  ["a declared appId, not the derived one", { declared: OWN, changed: ID_TOO, current: DERIVED }, ALL, BOTH],
];

describe.each(CASES)("sends %s", (_name, given, ages, info) => {
  const { declared, changed = SCHEME, state = {}, current = {} } = given;
  test.each(ages)("after a read whose time is %s", (age) => {
    const update = applicationUpdate(
      { inputs: inputs({ ...DECLARED, ...declared }), changed, state },
      read(current && { ...READ, ...current }),
      age,
    );
    // Unlike toEqual, this tells null, undefined and absent apart.
    expect(JSON.parse(JSON.stringify(update.body))).toStrictEqual({
      appleInfo: JSON.parse(JSON.stringify({ ...DECLARED, ...info })),
    });
  });
});

test("the unchanged declared values that it sends are those that the response must have", () => {
  const change = { inputs: inputs(DECLARED), changed: SCHEME, state: {} };
  expect(applicationUpdate(change, read(READ), "newer").alsoSent).toEqual([]);
  expect(applicationUpdate(change, read(READ), "unclear").alsoSent).toEqual(UNCHANGED);
});

test.each(ALL)("a new platform clears the info of the other one, after a read whose time is %s", (age) => {
  const { body } = applicationUpdate(
    { inputs: inputs(DECLARED), changed: ["appType", "appleInfo", "androidInfo"], state: {} },
    read(null, { appType: "ANDROID", androidInfo: { appName: "Shop" } as Application["androidInfo"] }),
    age,
  );
  expect(body).toStrictEqual({ appType: "IOS", androidInfo: null, appleInfo: DECLARED });
});

test.each(ALL)("a platform without an info clears both, after a read whose time is %s", (age) => {
  const web = { projectId: PROJECT, appType: "WEB" } as ApplicationInputs;
  const change = { inputs: web, changed: ["appType", "appleInfo"] as const, state: {} };
  const { body } = applicationUpdate(change, read(READ), age);
  expect(body).toStrictEqual({ appType: "WEB", appleInfo: null, androidInfo: null });
});

test.each(ALL)("another platform in a read whose time is %s is an error", (age) => {
  const change = { inputs: inputs(DECLARED), changed: SCHEME, state: {} };
  expect(() => applicationUpdate(change, read(null, { appType: "WEB" }), age)).toThrow(
    `The service returns the appType WEB for application ${ID}, not IOS as declared, so appleInfo.appScheme cannot be updated. Run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
});
