/**
 * Where the program creates a resource. Pulumi finds it in a stack trace and records it in the state, with all frames.
 *
 * The SDK does not let a class say where it was created: `Resource.stackTrace` (resource.ts) skips a fixed number of frames.
 * See docs/internals/sdk.md#call-site.
 */

/** Pulumi's own frames: two functions and two classes. One class after them is taken for that of the resource. */
const PULUMI_FRAMES = 4;

/** Files whose frames say nothing about the program: those of Node.js, and Pulumi's start of the program. */
const NOT_PROGRAM = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;

/**
 * Prepares for the constructor of Pulumi's resources, called by a base class of the class of a resource. Pulumi then
 * records the place in the program, and not that class, and formats and sends no frames but the program's.
 *
 * @returns ends what it has prepared.
 */
export function recordCallSite(): () => void {
  const { stackTraceLimit, prepareStackTrace } = Error;
  // To find leaked promises, Pulumi captures a stack trace for each of the resource's dozens of promises. In a program
  // with a thousand resources, that would take a fifth of the time. For the place in the program it sets its own limit.
  Error.stackTraceLimit = 0;
  // Pulumi has installed a function that looks each frame up in the source map of its file.
  if (prepareStackTrace !== undefined) {
    Error.prepareStackTrace = (error, frames) =>
      prepareStackTrace(
        error,
        frames.filter(
          (frame, index) =>
            index < PULUMI_FRAMES ||
            (index > PULUMI_FRAMES && !NOT_PROGRAM.test(frame.getFileName() ?? "node:")),
        ),
      );
  }
  return () => Object.assign(Error, { stackTraceLimit, prepareStackTrace });
}
