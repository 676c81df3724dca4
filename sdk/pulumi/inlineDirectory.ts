/**
 * The directory that the CLI sends with an inline program of the Automation API, in which it starts the host.
 *
 * The SDK passes it neither to the program nor to its settings. `LanguageServer.run` (automation/server.ts) receives it,
 * an internal class. Without it, a package that the host cannot load fails with an error of Node.js.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A run of an inline program, as the CLI requests it. */
interface RunCall {
  readonly request: { getPwd(): string };
}

/** The part of the SDK that runs inline programs. */
interface LanguageServer {
  run(call: RunCall, answer: unknown): unknown;
}

const directories = new AsyncLocalStorage<string>();

/** Undefined if the code does not run in an inline program that was observed. */
export function inlineDirectory(): string | undefined {
  return directories.getStore();
}

/** Remembers from now on the directory of each inline program, for the code that runs in it. */
export function observeInlinePrograms(): void {
  const server = languageServer();
  const run = server?.run;
  if (server === undefined || run === undefined) return;
  server.run = function (this: LanguageServer, call, answer) {
    return directories.run(call.request.getPwd(), () => run.call(this, call, answer));
  };
}

function languageServer(): LanguageServer | undefined {
  try {
    return require("@pulumi/pulumi/automation/server").LanguageServer?.prototype;
  } catch {
    return undefined;
  }
}
