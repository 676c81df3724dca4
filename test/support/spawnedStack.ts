/**
 * A stack of declarations on the test engine as users have it: program and provider hosts are processes of their own, on
 * the real clock. It has the commands of the stack in this process, and takes some seconds for each.
 */

import { testStack } from "../../testing/engine";
import {
  COMPONENT_TYPE,
  type Declaration,
  type DeclaredStack,
  declaredStack,
  IDENTITY,
  isIdOf,
  namesOf,
  type StackSettings,
  urnOf,
} from "./declaredStack";
import { programDirectory } from "./scenarioStack";

/** Retries take their time on a real clock. */
const COMMAND_MS = 300_000;

/** Creates a stack. */
export async function spawnedStack({ environment, config }: StackSettings): Promise<DeclaredStack> {
  const directory = programDirectory();
  const stack = await testStack({
    program: directory.path,
    ...IDENTITY,
    config: { ...config },
    timeoutMs: COMMAND_MS,
  });
  return declaredStack(stack, environment, {
    set: (declarations) => directory.setProgram(programOf(declarations, config)),
    remove: directory.remove,
  });
}

/** The text of a program that declares this. A resource's variable is called like the resource. */
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
    ...declarations.map(
      ({ kind, name, properties, adopt, aliases = [], component, provider, ...options }) => {
        const args = Object.entries(properties).map(
          ([property, value]) => `${property}: ${isIdOf(value) ? `${value.idOf}.id` : JSON.stringify(value)}`,
        );
        const plain = JSON.stringify({ ...options, import: adopt, aliases: aliases.map(urnOf) });
        const references = [component && `parent: ${component}`, provider && `provider: ${provider}`];
        const opts = [`...${plain}`, ...references.filter((one) => one !== undefined)].join(", ");
        return `const ${name} = new ${kind}("${name}", { ${args.join(", ")} }, { ${opts} });`;
      },
    ),
  ].join("\n");
}
