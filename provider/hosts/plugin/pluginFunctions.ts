/** The functions of the package, which programs in every language call as invokes. */
import { applicationShape, customDomainShape, linkShape } from "../../client/model";
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
import { projectPropertiesShape } from "../../resources/project";
import type { Session } from "../../session/session";
import { list, type ObjectShape, object, type ShapeFields, uuid } from "../../shapes/shape";
import { suggestion } from "../../values/nearestName";

export interface PluginFunction {
  run(session: Session, args: never): Promise<object>;
  readonly args: ShapeFields;
  readonly result: ObjectShape;
}

const BY_ID = { id: uuid() };
const IN_PROJECT = { projectId: uuid() };

export const FUNCTIONS: Readonly<Record<string, PluginFunction>> = {
  getProject: { run: getProject, args: BY_ID, result: projectPropertiesShape },
  getProjects: { run: getProjects, args: {}, result: object({ projects: list(projectPropertiesShape) }) },
  getApplication: { run: getApplication, args: BY_ID, result: applicationShape },
  getApplications: {
    run: getApplications,
    args: IN_PROJECT,
    result: object({ applications: list(applicationShape) }),
  },
  getCustomDomain: { run: getCustomDomain, args: BY_ID, result: customDomainShape },
  getCustomDomains: {
    run: getCustomDomains,
    args: IN_PROJECT,
    result: object({ customDomains: list(customDomainShape) }),
  },
  getLink: { run: getLink, args: BY_ID, result: linkShape },
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
