/** Declarations of each kind of resource, for the tests that go through all kinds. The type requires them for each kind. */
import type { ResourceDescription } from "../../../provider/lifecycle/description";
import { DESCRIPTIONS } from "../../../provider/resources";
import { uncapitalized } from "../../../provider/values/phrases";

export type Kind = keyof typeof DESCRIPTIONS;

/** The value of a property that a program declares. */
export type Declared = Plain | IdOf | { readonly [name: string]: Declared };
type Plain = string | number | boolean | null | readonly string[];

/** A reference to the id of the resource with that logical name; in examples, to the first one of a kind. */
export interface IdOf {
  readonly idOf: string;
}

/** A resource that a program declares. */
export interface Example {
  readonly kind: Kind;
  readonly name: string;
  readonly properties: Readonly<Record<string, Declared>>;
}

/** The inputs of a kind. Each can also be a reference. */
type Declarable<Inputs> = { readonly [Name in keyof Inputs]: Inputs[Name] | IdOf };
type InputsOf<Name extends Kind> =
  (typeof DESCRIPTIONS)[Name] extends ResourceDescription<infer Inputs, infer _Outputs>
    ? Declarable<Inputs>
    : never;

export interface ResourceExamples<Args> {
  /** Declarations of two resources at the same time, and others if their inputs have other shapes. */
  readonly valid: readonly [Args, Args, ...Args[]];
  /** The first one, changed one time after the other, and what each change leads to. */
  readonly changes: readonly { readonly to: Args; readonly is: "update" | "replace" }[];
  /** What a program can write, but the provider refuses, and the error. */
  readonly invalid: Args;
  readonly failure: string;
}

const projectId: IdOf = { idOf: "project" };
const customDomainId: IdOf = { idOf: "customDomain" };
const androidInfo = {
  appName: "Shop",
  appScheme: "shop",
  appPackageName: "example.shop.android",
  sha256Fingerprints: [fingerprintOf("AB")],
};

export const RESOURCE_EXAMPLES: { readonly [Name in Kind]: ResourceExamples<InputsOf<Name>> } = {
  Project: {
    valid: [{ name: "Shop", defaultHookupMsg: "Open it in the app" }, { name: "Market" }],
    changes: [
      { to: { name: "The shop", defaultHookupMsg: "Buy it in the app" }, is: "update" },
      { to: { name: "The shop" }, is: "update" },
    ],
    invalid: { name: "" },
    failure: "name must be text of 1 to 100 characters",
  },
  Application: {
    valid: [
      {
        projectId,
        appType: "IOS",
        appleInfo: {
          ...{ appName: "Shop", appScheme: "shop", bundleId: "example.shop.ios", appStoreId: "1234567890" },
          ...{ appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.ios" },
        },
      },
      { projectId, appType: "WEB" },
      { projectId, appType: "ANDROID", androidInfo },
    ],
    changes: [
      {
        to: {
          projectId,
          appType: "IOS",
          appleInfo: {
            ...{ appName: "The shop", appScheme: "the-shop", bundleId: "example.shop.the" },
            ...{ appStoreId: "1234567891", appIdPrefix: "F6G7H8I9J0", appId: "F6G7H8I9J0.example.shop.the" },
          },
        },
        is: "update",
      },
      { to: { projectId, appType: "ANDROID", androidInfo }, is: "update" },
    ],
    invalid: {
      projectId,
      appType: "IOS",
      appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "shop" },
    },
    failure: "appleInfo.bundleId must be ",
  },
  CustomDomain: {
    valid: [
      { projectId, hostname: "links.shop.example" },
      { projectId, hostname: "app.shop.example" },
    ],
    changes: [{ to: { projectId, hostname: "new.shop.example" }, is: "replace" }],
    invalid: { projectId, hostname: "" },
    failure: "hostname must be ",
  },
  CustomDomainActivation: {
    valid: [
      { customDomainId, timeoutSeconds: 60 },
      { customDomainId, retryFailed: true },
    ],
    changes: [{ to: { customDomainId, timeoutSeconds: 120, retryFailed: true }, is: "update" }],
    invalid: { customDomainId, timeoutSeconds: 0 },
    failure: "timeoutSeconds must be ",
  },
  CustomDomainRecords: {
    valid: [
      { customDomainId, timeoutSeconds: 30 },
      { customDomainId, waitFor: ["ownership"] },
    ],
    changes: [{ to: { customDomainId, timeoutSeconds: 120, waitFor: ["ownership"] }, is: "update" }],
    invalid: { customDomainId, waitFor: ["ownership"], timeoutSeconds: 0 },
    failure: "timeoutSeconds must be ",
  },
};

/** A fingerprint in which every pair of digits is the same. */
export function fingerprintOf(pair: string): string {
  return Array(32).fill(pair).join(":");
}

/** The kinds, each after those that it refers to. */
export const EXAMPLE_KINDS = Object.keys(DESCRIPTIONS) as readonly Kind[];

/** The declarations of an example: what it refers to, and the resource itself with the name of its kind. */
export function examplesOf(kind: Kind, example: object = RESOURCE_EXAMPLES[kind].valid[0]): Example[] {
  const referred = Object.values(example).map((value: Partial<IdOf> | null) => value?.idOf);
  const parents = EXAMPLE_KINDS.filter((parent) => referred.includes(uncapitalized(parent)));
  const itself = { kind, name: uncapitalized(kind), properties: example as Example["properties"] };
  return [...parents.flatMap((parent) => examplesOf(parent)), itself];
}
