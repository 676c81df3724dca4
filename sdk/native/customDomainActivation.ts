/** The `CustomDomainActivation` class of the native plugin. */
import {
  type CustomDomainActivationInputs,
  type CustomDomainActivationOutputs,
  customDomainActivationDescription,
} from "../../provider/resources/customDomainActivation";
import type { CustomDomainActivationArgs } from "../customDomainActivation";
import { resourceClass } from "./resource";

/** {@inheritDoc CustomDomainActivation} */
export class CustomDomainActivation extends resourceClass<
  CustomDomainActivation,
  CustomDomainActivationArgs,
  CustomDomainActivationInputs & CustomDomainActivationOutputs
>(customDomainActivationDescription) {}
