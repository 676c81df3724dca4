// `pulumi-dynamiclink discover --out` wrote this program. Logical names must stay; variables need not.
// Objects of organization 2b7e4a10-5c1d-4f0a-9b3e-7d6f8a1c2e30.

import { Application, CustomDomain, Project } from "pulumi-dynamiclink";

const shop = new Project(
  "shop",
  {
    name: "Shop",
    defaultHookupMsg: "Open it in the app",
  },
  { import: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" },
);

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
  { import: "9a1f2b3c-0d4e-4f5a-8b6c-7d8e9f0a1b2c" },
);

new Application(
  "shop-android",
  {
    projectId: shop.id,
    appType: "ANDROID",
    androidInfo: {
      appName: "Shop",
      appPackageName: "example.shop.app",
      appScheme: "shop",
    },
  },
  { import: "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f" },
);

new CustomDomain(
  "links-shop-example",
  {
    projectId: shop.id,
    hostname: "links.shop.example",
  },
  { import: "7e8f9a0b-1c2d-4e3f-9a4b-5c6d7e8f9a0b" },
);

const 쇼핑몰 = new Project(
  "쇼핑몰",
  {
    name: "쇼핑몰",
  },
  { import: "c3d4e5f6-a7b8-4c9d-8e0f-1a2b3c4d5e6f" },
);

new Application(
  "쇼핑몰-web",
  {
    projectId: 쇼핑몰.id,
    appType: "WEB",
  },
  { import: "d5e6f7a8-b9c0-4d1e-9f2a-3b4c5d6e7f80" },
);

new CustomDomain(
  "go-shop-example",
  {
    projectId: 쇼핑몰.id,
    hostname: "go.shop.example",
  },
  { import: "e7f8a9b0-c1d2-4e3f-8a4b-5c6d7e8f9a01" },
);
