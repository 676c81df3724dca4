import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const shop = new dynamiclink.Project("shop", {
    name: "Shop",
    defaultHookupMsg: "Open it in the app",
});
export const subDomain = shop.subDomain;
