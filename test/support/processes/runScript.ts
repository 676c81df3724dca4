/** Runs the build in a plain Node.js process, for tests of what a process loads and of its environment. */
import { ROOT } from "../../release/package/unpackedProgram";
import { type Ended, start } from "./execute";

/** Runs a script at the root of the repository, which can load `./dist`, with additional environment variables. */
export async function runScript(
  script: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const options = { directory: ROOT, environment: { ...process.env, ...environment } };
  return await start(process.execPath, ["-e", script], options).ended;
}
