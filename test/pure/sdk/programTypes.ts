/**
 * What must compile in a program, and what must not, beside what test/release/package/types.test.ts compiles. `npm run check`
 * compiles this file; it never runs.
 */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "pulumi-dynamiclink";
import {
  Application,
  type ApplicationArgs,
  type IosApplicationArgs,
  Project,
  Provider,
} from "pulumi-dynamiclink";
import * as native from "pulumi-dynamiclink/native";

const shop = new Project("shop", { name: "Shop", defaultHookupMsg: null });
const projectId = shop.id;
const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
const output = pulumi.output(appleInfo);

new Application("output-info", { projectId, appType: "IOS", appleInfo: output, androidInfo: null });
const iosArgs: IosApplicationArgs = { projectId, appType: pulumi.output("IOS" as const), appleInfo };
new Application("typed", iosArgs);
export const anyArgs: ApplicationArgs = iosArgs;

// @ts-expect-error A name is required.
new Project("nameless", {});
// @ts-expect-error A timeout does not reach the provider.
new Project("timeouts", { name: "Shop" }, { customTimeouts: { create: "1m" } });
new native.Project("timeouts", { name: "Shop" }, { customTimeouts: { create: "1m" } });
// @ts-expect-error The info must be complete.
new Application("incomplete", { projectId, appType: "IOS", appleInfo: { appName: "Shop" } });
// @ts-expect-error Android's info does not go with iOS.
new Application("mixed", { projectId, appType: "IOS", appleInfo, androidInfo: { appName: "Shop" } });
// @ts-expect-error A web application has no info.
new Application("web-info", { projectId, appType: "WEB", appleInfo });
// @ts-expect-error There is no such platform.
new Application("desktop", { projectId, appType: "DESKTOP" });
// @ts-expect-error The setting is called apiKeyEnvVar.
new Provider("typo", { apiKeyVar: "KEY" });

// As Pulumi writes it in the code that it generates.
for (const { Application, AppType } of [dynamic, native])
  new Application("web", { projectId, appType: AppType.WEB });

/** The constructor's arguments, the outputs, and the functions, which must be equal. */
type Comparable<Module> = {
  -readonly [Name in keyof Module]: Module[Name] extends new (
    name: string,
    args: infer Args,
    ...rest: never
  ) => infer Self
    ? { args: Args; outputs: { [Output in keyof Self]: Self[Output] } }
    : Module[Name];
};
type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
export const same: Equal<Comparable<typeof dynamic>, Comparable<typeof native>> = true;
