/**
 * A stack of declarations on the test engine as users run it: program and provider hosts are separate processes, on the
 * real clock. It has the same commands as the stack in this process; each takes some seconds.
 */
import { type Processes, SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { createStack } from "../../../testing/engine/testStack";
import {
  COMPONENT_TYPE,
  type Declaration,
  type DeclaredStack,
  declaredStack,
  hookName,
  IDENTITY,
  isIdOf,
  namesOf,
  retriesOf,
  type StackSettings,
  urnOf,
} from "./declaredStack";
import { programDirectory } from "./scenarioStack";

/** Long enough for retries on a real clock. */
const COMMAND_MS = 300_000;

/** Creates a stack. Its programs are started in another way if that is given. */
export function spawnedStack(
  { environment, config }: StackSettings,
  startProgram: Processes["startProgram"] = SEPARATE_PROCESSES.startProgram,
): DeclaredStack {
  const directory = programDirectory();
  const program = findProgram(directory.path, IDENTITY.project);
  const stack = createStack(
    { program, stack: IDENTITY.stack, config: { ...config }, timeoutMs: COMMAND_MS },
    { ...SEPARATE_PROCESSES, startProgram },
  );
  return declaredStack(stack, environment, {
    set: (declarations) => directory.setProgram(programOf(declarations, config)),
    remove: directory.remove,
  });
}

/** The text of a program with these declarations. The variable of a resource has its logical name. */
function programOf(declarations: readonly Declaration[], config: StackSettings["config"]): string {
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.split(":").at(-1), value]),
  );
  return [
    ...namesOf(declarations, "component").map(
      (name) => `const ${name} = new pulumi.ComponentResource("${COMPONENT_TYPE}", "${name}");`,
    ),
    ...namesOf(declarations, "provider").map(
      (name) => `const ${name} = new Provider("${name}", ${JSON.stringify(settings)});`,
    ),
    ...retriesOf(declarations).map((retries) => {
      const name = hookName(retries);
      return `const ${name} = new pulumi.ErrorHook("${name}", ({ errors }) => errors.length <= ${retries});`;
    }),
    ...declarations.map(
      ({ kind, name, properties, adopt, aliases = [], component, provider, retries, ...options }) => {
        const args = Object.entries(properties).map(
          ([property, value]) => `${property}: ${isIdOf(value) ? `${value.idOf}.id` : JSON.stringify(value)}`,
        );
        const plain = JSON.stringify({
          ...options,
          import: adopt,
          aliases: aliases.map((alias) => urnOf(alias)),
        });
        const references = [
          component && `parent: ${component}`,
          provider && `provider: ${provider}`,
          retries === undefined ? undefined : `hooks: { onError: [${hookName(retries)}] }`,
        ];
        const opts = [`...${plain}`, ...references.filter((one) => one !== undefined)].join(", ");
        return `const ${name} = new ${kind}("${name}", { ${args.join(", ")} }, { ${opts} });`;
      },
    ),
  ].join("\n");
}
