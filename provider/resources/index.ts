/** All resources. */
import type { ResourceDescription } from "../lifecycle/description";
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { customDomainActivationDescription } from "./customDomainActivation";
import { customDomainRecordsDescription } from "./customDomainRecords";
import { projectDescription } from "./project";

export const DESCRIPTIONS = {
  Project: projectDescription,
  Application: applicationDescription,
  CustomDomain: customDomainDescription,
  CustomDomainActivation: customDomainActivationDescription,
  CustomDomainRecords: customDomainRecordsDescription,
};

/** All descriptions, for code that passes them values of any kind: those that passed the check, or that the service sent. */
export const EVERY_DESCRIPTION = Object.values(DESCRIPTIONS) as unknown as readonly ResourceDescription[];
