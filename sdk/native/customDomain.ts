/** The `CustomDomain` class of the native plugin. */
import {
  type CustomDomainInputs,
  type CustomDomainOutputs,
  customDomainDescription,
} from "../../provider/resources/customDomain";
import type { CustomDomainArgs } from "../customDomain";
import { resourceClass } from "./resource";

/** {@inheritDoc CustomDomain} */
export class CustomDomain extends resourceClass<
  CustomDomain,
  CustomDomainArgs,
  CustomDomainInputs & CustomDomainOutputs
>(customDomainDescription) {}
