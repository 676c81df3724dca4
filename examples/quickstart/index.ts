// A shop: a project, its applications on three platforms, and a custom domain for its links.
import * as pulumi from "@pulumi/pulumi";
import { Application, CustomDomain, getProjectOutput, Project } from "pulumi-dynamiclink";

const config = new pulumi.Config();

const shop = new Project("shop", {
  name: config.get("projectName") ?? "Shop",
  defaultHookupMsg: "Open it in the app",
});

new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", appIdPrefix: "A1B2C3D4E5" },
});

new Application("shop-android", {
  projectId: shop.id,
  appType: "ANDROID",
  androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" },
});

new Application("shop-web", { projectId: shop.id, appType: "WEB" });

const links = new CustomDomain("shop-links", { projectId: shop.id, hostname: "links.shop.example" });

export const projectId = shop.id;
export const subDomain = getProjectOutput({ id: shop.id }).subDomain;
/** The target of the CNAME record of links.shop.example. */
export const cnameTarget = links.cnameTarget;
