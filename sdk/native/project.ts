/** The `Project` class of the native plugin. */
import {
  type ProjectInputs,
  type ProjectOutputs,
  projectDescription,
} from "../../provider/resources/project";
import type { ProjectArgs } from "../project";
import { resourceClass } from "./resource";

/** {@inheritDoc Project} */
export class Project extends resourceClass<Project, ProjectArgs, ProjectInputs & ProjectOutputs>(
  projectDescription,
) {}
