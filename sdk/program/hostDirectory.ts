/** The directory in which Pulumi starts the host of a program's dynamic providers. */
import { AsyncLocalStorage } from "node:async_hooks";

/** The directory of a host, and how the program that needs it runs. */
export interface HostDirectory {
  readonly path: string;
  /** Whether it is an inline program of the Automation API, which runs in the process that calls Pulumi. */
  readonly inline: boolean;
}

/** A run of an inline program, as the CLI requests it. */
interface RunCall {
  readonly request: { getPwd(): string };
}

/** The part of the SDK that runs inline programs. */
interface LanguageServer {
  run(call: RunCall, answer: unknown): unknown;
}

// The program may change its directory; the host does not.
const startDirectory = process.cwd();
const inlineDirectory = new AsyncLocalStorage<string>();

/** Undefined without a host, as in tests with mocks. */
export function hostDirectory(): HostDirectory | undefined {
  const path = inlineDirectory.getStore();
  if (path !== undefined) return { path, inline: true };
  return isStartedByPulumi() ? { path: startDirectory, inline: false } : undefined;
}

/** Whether Pulumi started this process for the program. */
function isStartedByPulumi(): boolean {
  return process.env.PULUMI_NODEJS_ENGINE !== undefined;
}

/** Remembers the directory that the CLI sends with each inline program. The SDK does not pass it to the program. */
function observeInlinePrograms(): void {
  const server = languageServer();
  const run = server?.run;
  if (server === undefined || run === undefined) return;
  server.run = function (this: LanguageServer, call, answer) {
    return inlineDirectory.run(call.request.getPwd(), () => run.call(this, call, answer));
  };
}

/** The class is internal to the SDK. Without it, an unreachable package fails with an error of Node.js. */
function languageServer(): LanguageServer | undefined {
  try {
    return require("@pulumi/pulumi/automation/server").LanguageServer?.prototype;
  } catch {
    return undefined;
  }
}

if (!isStartedByPulumi()) observeInlinePrograms();
