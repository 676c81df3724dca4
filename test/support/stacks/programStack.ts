/** A stack with a program in files. */
import type { Emulator } from "../../../testing/emulator";
import type { Processes } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { serviceClock, stopClock } from "../providers/clocks";
import { inProcessProviders } from "../providers/inProcessProviders";
import { KEY } from "../values/organizations";
import { sharedProcess } from "./sharedProcess";

const programs = sharedProcess();
afterAll(programs.close);

/** The options, and a service: the stack has its URL and a key, and providers in this process wait on its clock. */
type ProgramStackOptions = TestStackOptions & { readonly service?: Emulator };

/** Creates a stack as `testStack` does, but its programs share a process, and its providers run in this one by default. */
export function programStack(
  { service, program, project, ...options }: ProgramStackOptions,
  { startHost, startPlugin }: Pick<Processes, "startHost" | "startPlugin"> = inProcessProviders(
    service && { clock: (killed) => serviceClock(service, killed) },
  ),
): TestStack {
  if (service) stopClock();
  const given = service && {
    config: { "dynamiclink:apiUrl": service.url, ...options.config },
    environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: undefined, ...options.environment },
  };
  return createStack(
    { ...options, ...given, program: findProgram(program, project) },
    { ...programs, startHost, startPlugin },
  );
}
