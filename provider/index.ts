/**
 * The providers as Pulumi's dynamic-provider host finds them. The path of this module and the names below stand
 * in the state of every stack that ever used the package: they are never renamed.
 */

import { dynamicProvider } from "./hosts/dynamic/provider";
import { DESCRIPTIONS } from "./resources";

/** Runs projects. */
export const project = dynamicProvider(DESCRIPTIONS.Project);
/** Runs applications. */
export const application = dynamicProvider(DESCRIPTIONS.Application);
/** Runs custom domains. */
export const customDomain = dynamicProvider(DESCRIPTIONS.CustomDomain);
/** Runs custom-domain activations. */
export const customDomainActivation = dynamicProvider(DESCRIPTIONS.CustomDomainActivation);
