/** The plugin as a running server. */
import { newCalls } from "./calls";
import { listen } from "./listen";
import { methodsOf } from "./methods";
import type { PluginProcess } from "./run";

export interface RunningPlugin {
  readonly port: number;
  /** Has the same effect as the engine's Cancel, and ends the process although the engine may call again. */
  cancel(): void;
  close(): void;
}

/** Starts the plugin on a free port of this machine. */
export async function startPlugin(plugin: PluginProcess): Promise<RunningPlugin> {
  const calls = newCalls(() => plugin.end());
  return { ...(await listen(methodsOf(plugin, calls))), cancel: calls.end };
}
