/**
 * The providers that Pulumi's dynamic-provider host loads. The path of this module and the names of its exports are
 * stored in the state of every stack that uses the package, so they must never change.
 */

import "./requireNode";
import { dynamicProvider } from "./hosts/dynamic/provider";
import { DESCRIPTIONS } from "./resources";

/** The provider of projects. */
export const project = dynamicProvider(DESCRIPTIONS.Project);
/** The provider of applications. */
export const application = dynamicProvider(DESCRIPTIONS.Application);
/** The provider of custom domains. */
export const customDomain = dynamicProvider(DESCRIPTIONS.CustomDomain);
/** The provider of custom-domain activations. */
export const customDomainActivation = dynamicProvider(DESCRIPTIONS.CustomDomainActivation);
