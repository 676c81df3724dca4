/** All resources, by the names of their classes. */
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { customDomainActivationDescription } from "./customDomainActivation";
import { projectDescription } from "./project";

/** Their descriptions. What goes through all resources goes through these. */
export const DESCRIPTIONS = {
  Project: projectDescription,
  Application: applicationDescription,
  CustomDomain: customDomainDescription,
  CustomDomainActivation: customDomainActivationDescription,
};
