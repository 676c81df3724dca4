import type { ErrorHook, Hook, ResourceHook } from "../protocol/hooks";

/** The hooks that the program of a run registers, by name. The messages are those of Pulumi. */
export function registeredHooks() {
  const hooks = new Map<string, Hook>();
  return {
    register(hook: Hook): void {
      if (hook.name === "") throw new Error("resource hook name cannot be empty");
      if (hooks.has(hook.name)) throw new Error(`resource hook already registered for name "${hook.name}"`);
      hooks.set(hook.name, hook);
    },
    /** A hook to call before or after an operation. */
    resourceHook(name: string): ResourceHook {
      const hook = hooks.get(name);
      if (hook?.kind !== "resource") throw new Error(`hook "${name}" was not registered`);
      return hook;
    },
    /** A hook to call when an operation has failed. */
    errorHook(name: string): ErrorHook {
      const hook = hooks.get(name);
      if (hook?.kind !== "error") throw new Error(`error hook "${name}" was not registered`);
      return hook;
    },
  };
}
