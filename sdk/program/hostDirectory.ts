/** The directory in which Pulumi starts the host of a program's dynamic providers. */
import { inlineDirectory, observeInlinePrograms } from "../pulumi/inlineDirectory";

/** The directory of a host, and how the program that needs it runs. */
export interface HostDirectory {
  readonly path: string;
  /** Whether it is an inline program of the Automation API, which runs in the process that calls Pulumi. */
  readonly inline: boolean;
}

// The program may change its directory; the host does not.
const startDirectory = process.cwd();

/** Undefined without a host, as in tests with mocks. */
export function hostDirectory(): HostDirectory | undefined {
  const path = inlineDirectory();
  if (path !== undefined) return { path, inline: true };
  return isStartedByPulumi() ? { path: startDirectory, inline: false } : undefined;
}

/** Whether Pulumi started this process for the program. */
function isStartedByPulumi(): boolean {
  return process.env.PULUMI_NODEJS_ENGINE !== undefined;
}

if (!isStartedByPulumi()) observeInlinePrograms();
