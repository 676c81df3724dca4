// What an organization had before it had a program: written by `pulumi-dynamiclink discover`, then put in order. What
// a program is free to choose, variables and comments, was changed; logical names and values are as they were found.
import { Application, CustomDomain, Project } from "pulumi-dynamiclink";

// The shop and its applications.

const shop = new Project("shop", { name: "Shop", defaultHookupMsg: "Open it in the app" }, { protect: true });

new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: { appName: "Shop", appScheme: "shop", appIdPrefix: "A1B2C3D4E5", bundleId: "example.shop.app" },
});

new Application("shop-android", {
  projectId: shop.id,
  appType: "ANDROID",
  androidInfo: { appName: "Shop", appPackageName: "example.shop.app", appScheme: "shop" },
});

new CustomDomain("links-shop-example", { projectId: shop.id, hostname: "links.shop.example" });

// The mall: a web site, for now.

const mall = new Project("쇼핑몰", { name: "쇼핑몰" }, { protect: true });

new Application("쇼핑몰-web", { projectId: mall.id, appType: "WEB" });

new CustomDomain("go-shop-example", { projectId: mall.id, hostname: "go.shop.example" });
