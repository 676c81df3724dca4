/** The provider processes that a Pulumi CLI has started. */
import { execute } from "./execute";

/** What the command line of a provider process contains: that of the dynamic-provider host, or of the plugin. */
const PROVIDER = /dynamic-provider|plugin\/start\.js/;

/**
 * The ids of the provider processes among the descendants of a process.
 *
 * @throws Error if there is none.
 */
export async function providersOf(ancestor: number): Promise<number[]> {
  const printed = await execute("ps", ["-A", "-o", "pid=,ppid=,args="], {
    directory: process.cwd(),
    environment: process.env,
  });
  const processes = printed.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const descendants = [ancestor];
  for (const pid of descendants)
    descendants.push(...processes.filter(({ parent }) => parent === pid).map((each) => each.pid));
  const providers = processes
    .filter(({ pid, command }) => pid !== ancestor && descendants.includes(pid) && PROVIDER.test(command))
    .map(({ pid }) => pid);
  if (providers.length === 0) throw new Error("There is no provider process.");
  return providers;
}
