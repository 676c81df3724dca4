/** Tools to test programs: the emulator of the service, and the test engine. */
import "../provider/requireNode";

export * from "./emulator";
export * from "./engine";
