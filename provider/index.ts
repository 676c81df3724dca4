/**
 * The providers that Pulumi's dynamic-provider host loads. The path of this module and the names of its exports are
 * stored in the state of every stack that uses the package, so they must never change: see docs/internals/dynamic-host.md#provider-text.
 */
import "./requireNode";
import { dynamicProvider } from "./hosts/dynamic/dynamicProvider";
import { DESCRIPTIONS } from "./resources";

export const project = dynamicProvider(DESCRIPTIONS.Project);
export const application = dynamicProvider(DESCRIPTIONS.Application);
export const customDomain = dynamicProvider(DESCRIPTIONS.CustomDomain);
export const customDomainActivation = dynamicProvider(DESCRIPTIONS.CustomDomainActivation);
export const customDomainRecords = dynamicProvider(DESCRIPTIONS.CustomDomainRecords);
