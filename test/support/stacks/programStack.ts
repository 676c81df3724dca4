/** A stack with a program in files. */
import type { Processes } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";
import { sharedProcess } from "./sharedProcess";

const programs = sharedProcess();
afterAll(programs.close);

/** Creates a stack as `testStack` does, but its programs share a process, and its providers run in this one by default. */
export function programStack(
  { program, project, ...options }: TestStackOptions,
  { startHost, startPlugin }: Pick<Processes, "startHost" | "startPlugin"> = inProcessProviders(),
): TestStack {
  return createStack(
    { ...options, program: findProgram(program, project) },
    { ...programs, startHost, startPlugin },
  );
}
