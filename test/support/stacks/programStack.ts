/** A stack with a program in files, which runs in a process of its own as with Pulumi. */
import { type Processes, SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";

/** Creates a stack as `testStack` does, but its providers run in this process by default: a process takes time to start. */
export function programStack(
  { program, project, ...options }: TestStackOptions,
  { startHost, startPlugin }: Pick<Processes, "startHost" | "startPlugin"> = inProcessProviders(),
): TestStack {
  return createStack(
    { ...options, program: findProgram(program, project) },
    { ...SEPARATE_PROCESSES, startHost, startPlugin },
  );
}
