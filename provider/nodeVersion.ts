/**
 * The version of Node.js that the package needs. Every entry point checks it before it loads anything else, so this
 * file, the two that use it and the entry points contain only syntax that old versions can parse.
 */

/** The oldest version, major and minor, as in `engines` of package.json. */
export const OLDEST_NODE = "22.19";

/** What is wrong with the Node.js that runs this process, if anything. */
export function unsupportedNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `pulumi-dynamiclink needs Node.js ${OLDEST_NODE} or newer; this is ${process.version} (${process.execPath}). Install a newer version, and put it first on PATH.`;
}
