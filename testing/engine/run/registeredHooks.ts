import type { ErrorHook } from "../protocol/hooks";

/** The error hooks that the program of a run registers, by name. The messages are those of Pulumi. */
export function registeredHooks() {
  const hooks = new Map<string, ErrorHook>();
  return {
    register(hook: ErrorHook): void {
      if (hook.name === "") throw new Error("resource hook name cannot be empty");
      if (hooks.has(hook.name)) throw new Error(`resource hook already registered for name "${hook.name}"`);
      hooks.set(hook.name, hook);
    },
    errorHook(name: string): ErrorHook {
      const hook = hooks.get(name);
      if (hook === undefined) throw new Error(`error hook "${name}" was not registered`);
      return hook;
    },
  };
}
