/** What must compile in a program, and what must not. `npm run check` compiles this file; it never runs. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "pulumi-dynamiclink";
import {
  Application,
  type ApplicationArgs,
  CustomDomain,
  CustomDomainActivation,
  getLink,
  type IosApplicationArgs,
  Project,
  Provider,
} from "pulumi-dynamiclink";
import * as native from "pulumi-dynamiclink/native";

const shop = new Project("shop", { name: "Shop" });
const projectId = shop.id;
const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };

new Project("output", { name: pulumi.output("Shop"), defaultHookupMsg: null });
new Application("ios", { projectId, appType: "IOS", appleInfo });
new Application("nested", { projectId, appType: "IOS", appleInfo: { ...appleInfo, appName: shop.name } });
new Application("output-info", {
  projectId,
  appType: "IOS",
  appleInfo: pulumi.output(appleInfo),
  androidInfo: null,
});
const iosArgs: IosApplicationArgs = { projectId, appType: pulumi.output("IOS" as const), appleInfo };
new Application("typed", iosArgs);
export const anyArgs: ApplicationArgs = iosArgs;
new CustomDomain("links", { projectId, hostname: "links.shop.example" }, { import: "uuid", protect: true });
new CustomDomainActivation(
  "active",
  { customDomainId: projectId, timeoutSeconds: 60 },
  { dependsOn: [shop] },
);
new Provider("europe", { apiKeyEnvVar: "KEY", readOnly: true });
export const TEXTS: pulumi.Output<string>[] = [shop.name, shop.createdAt, shop.organizationId];
export const OPTIONAL_TEXTS: pulumi.Output<string | undefined>[] = [shop.defaultHookupMsg, shop.subDomain];
export const action: Promise<string | null | undefined> = getLink({ id: "uuid" }).then(
  ({ appleOptions }) => appleOptions?.notInstalledOptions?.notInstalledOptionsAction,
);

// @ts-expect-error A name is required.
new Project("nameless", {});
// @ts-expect-error There is no such property.
new Project("extra", { name: "Shop", logo: "x" });
// @ts-expect-error A timeout does not reach the provider.
new Project("timeouts", { name: "Shop" }, { customTimeouts: { create: "1m" } });
// @ts-expect-error An iOS application needs its info.
new Application("bare", { projectId, appType: "IOS" });
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
// @ts-expect-error Links are not managed.
shop.links;

// The native classes have the same names, arguments and outputs.
const nativeShop = new native.Project("shop", { name: "Shop" }, { customTimeouts: { create: "1m" } });
new native.Application("android", {
  androidInfo: { appName: "Shop", appPackageName: "example.shop.app", appScheme: "shop" },
  // As Pulumi writes it in the code that it generates.
  appType: native.AppType.ANDROID,
  projectId: nativeShop.id,
});
new dynamic.Application("android", {
  androidInfo: { appName: "Shop", appPackageName: "example.shop.app", appScheme: "shop" },
  appType: dynamic.AppType.ANDROID,
  projectId,
});
new native.CustomDomain("links", { projectId, hostname: "links.shop.example" }, { import: "uuid" });
new native.Provider("europe", { apiKeyEnvVar: "KEY", readOnly: true });

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
