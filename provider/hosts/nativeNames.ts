/**
 * The names of the native plugin in users' states and in programs in every language. They must never change. Each class
 * of the other host has an alias to them.
 */

export const PACKAGE_NAME = "dynamiclink";

/** The token of a resource, function or type of the package. */
export function nativeToken(name: string): string {
  return `${PACKAGE_NAME}:index:${name}`;
}
