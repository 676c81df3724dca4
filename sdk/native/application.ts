/** The `Application` class of the native plugin. */
import {
  type ApplicationInputs,
  type ApplicationOutputs,
  applicationDescription,
} from "../../provider/resources/application";
import type { ApplicationArgs } from "../application";
import { resourceClass } from "./resource";

/** {@inheritDoc Application} */
export class Application extends resourceClass<
  Application,
  ApplicationArgs,
  ApplicationInputs & ApplicationOutputs
>(applicationDescription) {}
