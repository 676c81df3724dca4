/** The functions of the package. The plugin has them as invokes; on the dynamic host, they run in the program. */
import { z } from "zod";
import { application, customDomain, link } from "../client/model";
import { uuid } from "../client/model/formats";
import { UserError } from "../errors";
import {
  getApplication,
  getApplications,
  getCustomDomain,
  getCustomDomains,
  getLink,
  getProject,
  getProjects,
} from "../resources/lookups";
import { projectPropertiesSchema } from "../resources/project";
import type { Session } from "../session/session";
import { suggestion } from "../values/nearestName";
import type { Fields } from "../values/schema";

export interface PackageFunction {
  run(session: Session, args: never): Promise<object>;
  readonly args: Fields;
  readonly result: z.ZodObject;
}

/** The names of the functions. */
export type FunctionName = keyof typeof import("../resources/lookups");

const BY_ID = { id: uuid };
const IN_PROJECT = { projectId: uuid };

export const FUNCTIONS: Readonly<Record<FunctionName, PackageFunction>> = {
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

/**
 * Calls a function, which checks the values of its arguments.
 *
 * @throws UserError for an argument that does not exist: it would be ignored.
 */
export async function callFunction(
  name: FunctionName,
  values: object,
  open: () => Promise<Session> | Session,
): Promise<object> {
  const { run, args } = FUNCTIONS[name];
  const names = Object.keys(args);
  const given = Object.keys(values ?? {});
  const unexpected = given.find((each) => !names.includes(each));
  if (unexpected === undefined) return await run(await open(), values as never);
  const allowed =
    names.length === 0 ? "it has none" : `allowed: ${names.join(", ")}${suggestion(unexpected, names)}`;
  const list = `${name}s`;
  const finder = list in FUNCTIONS && !given.includes("id") ? ` To find a UUID by name, use ${list}.` : "";
  throw new UserError(`${unexpected} is not an argument of ${name}; ${allowed}.${finder}`);
}
