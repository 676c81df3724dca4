/** The exports of the package `pulumi-dynamiclink/native`: those of `pulumi-dynamiclink`, for the native plugin. */
import "./requireNode";

export * from "../choices";
export type { ProviderArgs } from "../provider";
export * from "./functions";
export type { ResourceOptions } from "./nativeResource";
export { Provider } from "./provider";
export * from "./resources";
