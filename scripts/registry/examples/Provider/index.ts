import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const europe = new dynamiclink.Provider("europe", {
    apiKeyEnvVar: "DYNAMICLINK_API_KEY_EUROPE",
    apiUrl: "https://api.dynamiclink.example",
});
const shop = new dynamiclink.Project("shop", {name: "Shop"}, {
    provider: europe,
});
