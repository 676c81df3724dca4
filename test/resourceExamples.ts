/**
 * Declarations of each kind of resource, for every test that goes through all kinds. The type requires examples for
 * each kind, and that programs can declare them.
 */
import type * as sdk from "pulumi-dynamiclink";
import { exportName } from "../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../provider/resources";
import type { Declaration, IdOf, Kind } from "./support/stacks/declaredStack";

/** The arguments of a class, in which a reference can be the id of the first example of a kind. */
type Declarable<Args> = { readonly [Name in keyof Args]: Args[Name] | IdOf };
type ArgsOf<Name extends Kind> = Declarable<ConstructorParameters<(typeof sdk)[Name]>[1]>;

/** The examples of a kind. */
interface ResourceExamples<Args> {
  /**
   * Declarations of two resources at the same time. The examples of the schema show the first one, and the others if their
   * inputs have other shapes.
   */
  readonly valid: readonly [Args, Args, ...Args[]];
  /** The logical names of the valid declarations in examples. */
  readonly names: readonly [string, string, ...string[]];
  /** The first one, changed, and what the change leads to. */
  readonly changed: Args;
  readonly change: "update" | "replace";
  /** What a program can write, but the provider refuses, and the error. */
  readonly invalid: Args;
  readonly failure: string;
}

const projectId: IdOf = { idOf: "project" };
const customDomainId: IdOf = { idOf: "customDomain" };

export const RESOURCE_EXAMPLES: { readonly [Name in Kind]: ResourceExamples<ArgsOf<Name>> } = {
  Project: {
    valid: [{ name: "Shop", defaultHookupMsg: "Open it in the app" }, { name: "Market" }],
    names: ["shop", "market"],
    changed: { name: "The shop" },
    change: "update",
    invalid: { name: "" },
    failure: "name must be text of 1 to 100 characters",
  },
  Application: {
    valid: [
      {
        projectId,
        appType: "IOS",
        appleInfo: {
          appName: "Shop",
          appScheme: "shop",
          bundleId: "example.shop.ios",
          appStoreId: "1234567890",
        },
      },
      { projectId, appType: "WEB" },
      {
        projectId,
        appType: "ANDROID",
        androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.android" },
      },
    ],
    names: ["shop-ios", "shop-web", "shop-android"],
    changed: {
      projectId,
      appType: "ANDROID",
      androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.android" },
    },
    change: "update",
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
    names: ["links", "app"],
    changed: { projectId, hostname: "new.shop.example" },
    change: "replace",
    invalid: { projectId, hostname: "" },
    failure: "hostname must be ",
  },
  CustomDomainActivation: {
    valid: [
      { customDomainId, timeoutSeconds: 60 },
      { customDomainId, retryFailed: true },
    ],
    names: ["links-active", "links-retried"],
    changed: { customDomainId, timeoutSeconds: 120 },
    change: "update",
    invalid: { customDomainId, timeoutSeconds: 0 },
    failure: "timeoutSeconds must be ",
  },
};

/** The kinds, each after those that it refers to. */
export const EXAMPLE_KINDS = Object.keys(DESCRIPTIONS) as readonly Kind[];

/** The kind that a property refers to; undefined if its value is not a reference. */
export function kindOf(value: Partial<IdOf> | null): Kind | undefined {
  return EXAMPLE_KINDS.find((kind) => exportName(DESCRIPTIONS[kind]) === value?.idOf);
}

/** The declarations of an example: what it refers to, and the resource itself with the name of its kind. */
export function examplesOf(kind: Kind, example: object = RESOURCE_EXAMPLES[kind].valid[0]): Declaration[] {
  const parents = Object.values(example).flatMap((value) => {
    const parent = kindOf(value);
    return parent === undefined ? [] : examplesOf(parent);
  });
  const name = exportName(DESCRIPTIONS[kind]);
  return [...parents, { kind, name, properties: example as Declaration["properties"] }];
}
