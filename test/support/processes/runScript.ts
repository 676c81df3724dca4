/** Runs the build in a plain Node.js process, for tests of what a process loads and of its environment. */
import { execFile } from "node:child_process";
import { ROOT } from "../../release/package/unpackedProgram";

/** How a process ended. */
export interface ScriptProcess {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly elapsedMs: number;
}

/** Runs a script at the root of the repository, which can load `./dist`, with additional environment variables. */
export function runScript(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ScriptProcess> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["-e", script],
      { cwd: ROOT, env: { ...process.env, ...environment } },
      (_error, stdout, stderr) =>
        resolve({ stdout, stderr, status: child.exitCode, elapsedMs: performance.now() - startMs }),
    );
  });
}
