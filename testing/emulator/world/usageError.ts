/** The error of a call of the emulator's own methods with an invalid value. It has no effect. */
export class UsageError extends Error {}
