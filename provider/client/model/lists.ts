/** What the service returns about many objects, or about none: lists, pages and availability. */
import { z } from "zod";
import { type Application, application } from "./application";
import { type CustomDomain, customDomain } from "./customDomain";
import { type Link, link } from "./link";
import { type Project, project } from "./project";

export const projectList = z.object({ projects: z.array(project as z.ZodType<Project>) });
export const applicationList = z.object({ applications: z.array(application as z.ZodType<Application>) });
export const customDomainList = z.object({ customDomains: z.array(customDomain as z.ZodType<CustomDomain>) });

export const linkPage = z.object({
  /** The links of this page. */
  links: z.array(link as z.ZodType<Link>),
  /** The `cursor` for the next page; null on the last page. */
  nextCursor: z.string().nullable(),
});
/** One page of a list of links. */
export interface LinkPage extends z.infer<typeof linkPage> {}

export const availability = z.object({
  /** Whether the suffix is available. It is not reserved. */
  available: z.boolean(),
});
/** Whether a link's suffix is available. */
export interface Availability extends z.infer<typeof availability> {}

export const nameAvailability = z.object({
  /** Whether the name is available. It is not reserved. */
  isAvailable: z.boolean(),
});
/** Whether a project's name is available. */
export interface NameAvailability extends z.infer<typeof nameAvailability> {}
