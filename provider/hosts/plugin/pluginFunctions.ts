/** The functions of the package, which programs in every language call as invokes. */
import { z } from "zod";
import { application, customDomain, link } from "../../client/model";
import { uuid } from "../../client/model/formats";
import { UserError } from "../../errors";
import type { Properties } from "../../lifecycle/properties";
import {
  getApplication,
  getApplications,
  getCustomDomain,
  getCustomDomains,
  getLink,
  getProject,
  getProjects,
} from "../../resources/lookups";
import { projectPropertiesSchema } from "../../resources/project";
import type { Session } from "../../session/session";
import { suggestion } from "../../values/nearestName";
import type { Fields } from "../../values/schema";

export interface PluginFunction {
  run(session: Session, args: never): Promise<object>;
  readonly args: Fields;
  readonly result: z.ZodObject;
}

const BY_ID = { id: uuid };
const IN_PROJECT = { projectId: uuid };

export const FUNCTIONS: Readonly<Record<string, PluginFunction>> = {
  getProject: { run: getProject, args: BY_ID, result: projectPropertiesSchema },
  getProjects: {
    run: getProjects,
    args: {},
    result: z.object({ projects: z.array(projectPropertiesSchema) }),
  },
  getApplication: { run: getApplication, args: BY_ID, result: application },
  getApplications: {
    run: getApplications,
    args: IN_PROJECT,
    result: z.object({ applications: z.array(application) }),
  },
  getCustomDomain: { run: getCustomDomain, args: BY_ID, result: customDomain },
  getCustomDomains: {
    run: getCustomDomains,
    args: IN_PROJECT,
    result: z.object({ customDomains: z.array(customDomain) }),
  },
  getLink: { run: getLink, args: BY_ID, result: link },
};

/** The arguments of a call, whose values the function checks. @throws UserError for an argument that does not exist. */
export function argumentsOf({ args }: PluginFunction, values: Properties): never {
  const names = Object.keys(args);
  const unexpected = Object.keys(values).find((name) => !names.includes(name));
  if (unexpected !== undefined) {
    const allowed =
      names.length === 0 ? "it has none" : `allowed: ${names.join(", ")}${suggestion(unexpected, names)}`;
    throw new UserError(`${unexpected} is not an argument of the function; ${allowed}`);
  }
  return values as never;
}
