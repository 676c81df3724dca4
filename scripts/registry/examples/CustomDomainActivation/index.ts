import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const shop = new dynamiclink.Project("shop", {
    name: "Shop",
    defaultHookupMsg: "Open it in the app",
});
const links = new dynamiclink.CustomDomain("links", {
    projectId: shop.id,
    hostname: "links.shop.example",
});
const linksActive = new dynamiclink.CustomDomainActivation("links-active", {
    customDomainId: links.id,
    timeoutSeconds: 60,
});
export const hostname = linksActive.hostname;
