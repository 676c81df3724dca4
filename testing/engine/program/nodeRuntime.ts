/** How Pulumi's language host runs a project's program with Node.js: the options of `runtime` in Pulumi.yaml. */

import type { Properties } from "../protocol/values";

/** A program without Pulumi.yaml: Node.js strips its types. */
export const STRIPPING_RUNTIME: NodeRuntime = { nodeArguments: [], environment: {} };

/** The options of a project, as the program's process receives them. */
export type NodeRuntime = ReturnType<typeof nodeRuntime>;

/** The options in the `runtime` of a Pulumi.yaml. The program runs with ts-node unless `typescript` is false. */
export function nodeRuntime(runtime: unknown) {
  // It may also be just the name `nodejs`.
  const { typescript, tsconfig, nodeargs } = (runtime as { options?: Properties } | null)?.options ?? {};
  return {
    /** Arguments for Node.js itself. */
    nodeArguments: typeof nodeargs === "string" ? words(nodeargs) : [],
    environment: {
      ...(typescript !== false && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      ...(typeof tsconfig === "string" && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    },
  };
}

/** The words of a command line. Quoted parts may contain spaces. */
function words(line: string): string[] {
  const found = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
