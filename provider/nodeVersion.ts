/** The version of Node.js that the package needs. Code that is loaded before this check has only syntax of old versions. */

/** The oldest version, major and minor, as in `engines` of package.json. */
export const OLDEST_NODE = "22.19";

/** Other runtimes, which pretend to be a version of Node.js. */
const OTHERS = { bun: "Bun", deno: "Deno" };

/** What is wrong with the Node.js that runs this process, if anything. */
export function unsupportedNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `${wrong(process.version)} Install a newer version, and put it first on PATH.`;
}

/** What is wrong with the runtime of this process, if anything. Its HTTP client, for example, differs from that of Node.js. */
export function unsupportedRuntime(): string | undefined {
  for (const [name, title] of Object.entries(OTHERS)) {
    const version = process.versions[name];
    if (version !== undefined)
      return `${wrong(`${title} ${version}`)} Use Node.js; for programs, that is the runtime nodejs in Pulumi.yaml. Or import pulumi-dynamiclink/native there, which works with other runtimes.`;
  }
  return unsupportedNode();
}

function wrong(runtime: string): string {
  return `pulumi-dynamiclink needs Node.js ${OLDEST_NODE} or newer; this is ${runtime} (${process.execPath}).`;
}

/** Fails the import of a module with a problem, if there is one. */
export function throwProblem(problem: string | undefined): void {
  if (problem === undefined) return;
  // Pulumi prints the message of such an error without a stack. Its own class for them is not loaded yet.
  throw Object.assign(new Error(problem), { __pulumiRunError: true, stack: problem });
}
