/** Imported first by the modules of the package: fails on a Node.js that is too old, before anything else is loaded. */
import { throwProblem, unsupportedRuntime } from "./nodeVersion";

throwProblem(unsupportedRuntime());
