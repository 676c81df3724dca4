import { Application, Project } from "pulumi-dynamiclink";

const shop = new Project("shop", { name: "Shop", defaultHookupMsg: "Open it in the app" });

new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
});

export const subDomain = shop.subDomain;
