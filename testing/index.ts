/**
 * What this package's users need to test their own programs.
 */
export * from "./engine";
