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

/** A bundle with this number of characters. */
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

interface Case {
  readonly name: string;
  /** The declared info, beside what all cases declare. */
  readonly declared?: Properties;
  /** Default: the scheme. */
  readonly changed?: readonly `appleInfo.${string}`[];
  readonly state?: Properties;
  /** The info that was read, beside what all cases read; null for no info. */
  readonly current?: Properties | null;
  readonly ages: readonly Age[];
  /** The info that is sent, beside what the program declares in all cases. */
  readonly info: Properties;
  readonly set?: readonly string[];
}

const SCHEME = ["appleInfo.appScheme"] as const;
const ALL: readonly Age[] = ["older", "newer", "unclear"];

const CASES: readonly Case[] = [
  { name: "a changed value as declared", ages: ALL, info: {} },
  {
    name: "a declared value as declared, where a read may lag",
    current: { appName: "One" },
    ages: ["unclear", "older"],
    info: {},
    set: ["appleInfo.appName"],
  },
  {
    name: "a declared value as read, where a newer read shows another one",
    current: { appName: "Theirs" },
    ages: ["newer"],
    info: { appName: "Theirs" },
  },
  {
    name: "a declared value as read, where an earlier update has left it unchanged",
    state: { __changed: { outside: ["appleInfo.appName"] } },
    current: { appName: "Theirs" },
    ages: ALL,
    info: { appName: "Theirs" },
  },
  {
    name: "a declared value that a read lacks, where it may lag",
    current: null,
    ages: ["unclear"],
    info: {},
    set: ["appleInfo.appName", "appleInfo.bundleId"],
  },
  {
    name: "nothing for a declared value that a newer read lacks",
    current: { appName: null },
    ages: ["newer"],
    info: { appName: undefined },
  },
  {
    name: "a value that is not declared as read",
    current: { appStoreId: "1" },
    ages: ALL,
    info: { appStoreId: "1" },
  },
  {
    name: "nothing for a value that is not declared and that the read lacks",
    current: { appStoreId: null, appIdPrefix: undefined },
    ages: ALL,
    info: {},
  },
  {
    name: "null for a value that is no longer declared",
    changed: [...SCHEME, "appleInfo.appStoreId"],
    current: { appStoreId: "1" },
    ages: ALL,
    info: { appStoreId: null },
  },
  {
    name: "null for a value that is no longer declared, even if the read lacks it",
    changed: [...SCHEME, "appleInfo.appStoreId"],
    ages: ALL,
    info: { appStoreId: null },
  },
  {
    name: "null for a value that is declared as null for the first time",
    declared: { appStoreId: null },
    changed: [...SCHEME, "appleInfo.appStoreId"],
    current: { appStoreId: "1" },
    ages: ALL,
    info: { appStoreId: null },
  },
  {
    name: "null for a value that is declared as null, where a read may lag",
    declared: { appStoreId: null },
    current: { appStoreId: "1" },
    ages: ["unclear"],
    info: { appStoreId: null },
    set: ["appleInfo.appStoreId"],
  },
  {
    name: "a value that is declared as null as read, where a newer read shows one",
    declared: { appStoreId: null },
    current: { appStoreId: "1" },
    ages: ["newer"],
    info: { appStoreId: "1" },
  },
  {
    name: "an appId that the service derived, without a change of prefix and bundle",
    current: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
    ages: ALL,
    info: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
  },
  {
    name: "a derived appId that fits the declared bundle, where the read may lag",
    current: { bundleId: "example.old.app", appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.old.app" },
    ages: ["unclear"],
    info: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
    set: ["appleInfo.bundleId"],
  },
  ...[
    { what: "of 100 characters", length: 89, appId: `A1B2C3D4E5.${bundle(89)}` },
    { what: "of more, which the service would refuse, as null", length: 90, appId: null },
  ].map(({ what, length, appId }) => ({
    name: `a derived appId ${what}, where the bundle changes`,
    declared: { bundleId: bundle(length) },
    changed: ["appleInfo.bundleId"] as const,
    current: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
    ages: ["newer"] as const,
    info: { appScheme: "old", bundleId: bundle(length), appIdPrefix: "A1B2C3D4E5", appId },
  })),
  {
    name: "null for a derived appId whose prefix is no longer declared",
    changed: [...SCHEME, "appleInfo.appIdPrefix"],
    current: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
    ages: ALL,
    info: { appIdPrefix: null, appId: null },
  },
  {
    name: "a declared appId as declared, not as derived",
    declared: { appId: "Z1B2C3D4E5.example.shop.app" },
    changed: [...SCHEME, "appleInfo.appId"],
    current: { appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" },
    ages: ALL,
    info: { appIdPrefix: "A1B2C3D4E5", appId: "Z1B2C3D4E5.example.shop.app" },
  },
];

describe.each(CASES)(
  "sends $name",
  ({ declared, changed = SCHEME, state = {}, current = {}, ages, info, set = [] }) => {
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
      expect([...update.set].sort()).toEqual(age === "newer" ? [] : [...set]);
      expect(update.sent).toEqual(expect.arrayContaining([...update.set]));
    });
  },
);

test("the unchanged declared values that it sends are those that the response must have", () => {
  const change = { inputs: inputs(DECLARED), changed: SCHEME, state: {} };
  expect(applicationUpdate(change, read(READ), "newer").sent).toEqual([]);
  expect(applicationUpdate(change, read(READ), "unclear").sent).toEqual([
    "appleInfo.appName",
    "appleInfo.bundleId",
  ]);
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
  const { body } = applicationUpdate(
    { inputs: web, changed: ["appType", "appleInfo"], state: {} },
    read(READ),
    age,
  );
  expect(body).toStrictEqual({ appType: "WEB", appleInfo: null, androidInfo: null });
});

test.each(ALL)("another platform in a read whose time is %s is an error", (age) => {
  const change = { inputs: inputs(DECLARED), changed: SCHEME, state: {} };
  expect(() => applicationUpdate(change, read(null, { appType: "WEB" }), age)).toThrow(
    `The service returns the appType WEB for application ${ID}, not IOS as declared, so appleInfo.appScheme cannot be updated. Run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
});
