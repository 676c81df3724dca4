/** Imported first: fails on a Node.js that is too old. Other runtimes work, because the plugin runs on Node.js. */
import { throwProblem, unsupportedNode } from "../../provider/nodeVersion";

throwProblem(unsupportedNode());
