/** Tools to test programs: the emulator of the service, and the test engine. */
export * from "./emulator";
export * from "./engine";
