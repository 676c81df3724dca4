import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const found = dynamiclink.getCustomDomainsOutput({
    projectId: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e",
});
export const customDomains = found.apply(found => found.customDomains);
