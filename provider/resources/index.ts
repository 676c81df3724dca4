import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { customDomainActivationDescription } from "./customDomainActivation";
import { projectDescription } from "./project";

/** The descriptions of all resources, by the names of their classes. */
export const DESCRIPTIONS = {
  Project: projectDescription,
  Application: applicationDescription,
  CustomDomain: customDomainDescription,
  CustomDomainActivation: customDomainActivationDescription,
};
