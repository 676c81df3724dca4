import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const shop = new dynamiclink.Project("shop", {
    name: "Shop",
    defaultHookupMsg: "Open it in the app",
});
const shopIos = new dynamiclink.Application("shop-ios", {
    projectId: shop.id,
    appType: dynamiclink.AppType.IOS,
    appleInfo: {
        appName: "Shop",
        appScheme: "shop",
        bundleId: "example.shop.ios",
        appStoreId: "1234567890",
    },
});
const shopWeb = new dynamiclink.Application("shop-web", {
    projectId: shop.id,
    appType: dynamiclink.AppType.WEB,
});
const shopAndroid = new dynamiclink.Application("shop-android", {
    projectId: shop.id,
    appType: dynamiclink.AppType.ANDROID,
    androidInfo: {
        appName: "Shop",
        appScheme: "shop",
        appPackageName: "example.shop.android",
    },
});
