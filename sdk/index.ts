/** The exports of the package `pulumi-dynamiclink`, for Pulumi programs. */
import "../provider/requireNode";

export * from "./choices";
export type { ResourceOptions } from "./dynamicResource";
export * from "./functions";
export { Provider, type ProviderArgs } from "./provider";
export * from "./resources/application";
export * from "./resources/customDomain";
export * from "./resources/customDomainActivation";
export * from "./resources/customDomainRecords";
export * from "./resources/project";
