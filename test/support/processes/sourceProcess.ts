/** Runs the sources in a plain Node.js process, for tests of what a process loads and of its environment. */
import { execFile } from "node:child_process";
import { ROOT } from "../../release/package/unpackedProgram";

/** How a process ended. */
export interface SourceProcess {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly elapsedMs: number;
}

/** Runs a script at the root of the repository, with additional environment variables. */
export function runSource(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<SourceProcess> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--require", "./scripts/fromSource.cjs", "-e", script],
      { cwd: ROOT, env: { ...process.env, ...environment } },
      (_error, stdout, stderr) =>
        resolve({ stdout, stderr, status: child.exitCode, elapsedMs: performance.now() - startMs }),
    );
  });
}
