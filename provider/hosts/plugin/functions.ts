/** The functions of the package: lookups by UUID, which programs in every language call as invokes. */
import { applicationShape, customDomainShape, linkShape, projectShape } from "../../client/model";
import { UserError } from "../../errors";
import type { Properties } from "../../lifecycle/properties";
import {
  getApplication,
  getCustomDomain,
  getLink,
  getProject,
  type LookUpArgs,
} from "../../resources/lookups";
import type { Session } from "../../session/session";
import { suggestion } from "../../shapes/nearestName";
import { type ObjectShape, object } from "../../shapes/shape";

export interface PluginFunction {
  lookUp(session: Session, args: LookUpArgs): Promise<object>;
  readonly result: ObjectShape;
}

const { projectName, ...projectFields } = projectShape.fields;

export const FUNCTIONS: Readonly<Record<string, PluginFunction>> = {
  getProject: { lookUp: getProject, result: object({ ...projectFields, name: projectName }) },
  getApplication: { lookUp: getApplication, result: applicationShape },
  getCustomDomain: { lookUp: getCustomDomain, result: customDomainShape },
  getLink: { lookUp: getLink, result: linkShape },
};

/** The arguments of a lookup. @throws UserError for an argument that does not exist. */
export function lookUpArgs(values: Properties): LookUpArgs {
  const unexpected = Object.keys(values).find((name) => name !== "id");
  if (unexpected !== undefined) {
    throw new UserError(
      `${unexpected} is not an argument of the function; allowed: id${suggestion(unexpected, ["id"])}`,
    );
  }
  // The lookup checks that it is a UUID.
  return { id: values.id as string };
}
