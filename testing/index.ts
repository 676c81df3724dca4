/**
 * What this package's users need to test their own programs.
 */

export * from "./emulator";
export * from "./engine";
