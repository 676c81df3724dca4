// An imported organization. `pulumi-dynamiclink discover` wrote this program, and it was then edited: variables and
// comments have changed, logical names and values have not.
//
// All resources are protected. To delete one, remove `protect` first and run `pulumi up`, then remove the resource.
import { Application, CustomDomain, Project } from "pulumi-dynamiclink";

// The shop and its applications.

const shop = new Project("shop", { name: "Shop", defaultHookupMsg: "Open it in the app" }, { protect: true });

new Application(
  "shop-ios",
  {
    projectId: shop.id,
    appType: "IOS",
    appleInfo: {
      appName: "Shop",
      appScheme: "shop",
      appIdPrefix: "A1B2C3D4E5",
      bundleId: "example.shop.app",
    },
  },
  { protect: true },
);

new Application(
  "shop-android",
  {
    projectId: shop.id,
    appType: "ANDROID",
    androidInfo: { appName: "Shop", appPackageName: "example.shop.app", appScheme: "shop" },
  },
  { protect: true },
);

new CustomDomain(
  "links-shop-example",
  { projectId: shop.id, hostname: "links.shop.example" },
  { protect: true },
);

// The mall and its web application.

const mall = new Project("쇼핑몰", { name: "쇼핑몰" }, { protect: true });

new Application("쇼핑몰-web", { projectId: mall.id, appType: "WEB" }, { protect: true });

new CustomDomain("go-shop-example", { projectId: mall.id, hostname: "go.shop.example" }, { protect: true });
