/**
 * The providers as Pulumi's dynamic-provider host finds them. The path of this module and the names below stand
 * in the state of every stack that ever used the package: they are never renamed.
 */
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { customDomainActivationDescription } from "./customDomainActivation";
import { dynamicProvider } from "./dynamicHost";
import { projectDescription } from "./project";

/** Runs projects. */
export const project = dynamicProvider(projectDescription);
/** Runs applications. */
export const application = dynamicProvider(applicationDescription);
/** Runs custom domains. */
export const customDomain = dynamicProvider(customDomainDescription);
/** Runs custom-domain activations. */
export const customDomainActivation = dynamicProvider(customDomainActivationDescription);
