/**
 * A stack of declarations on the test engine as users have it: a program and provider hosts in processes of their
 * own, on the real clock. It takes the same commands as the stack in this process, and some seconds for each.
 */

import type { ImportFile } from "../../provider/hosts/dynamic/importFile";
import { StackFailure, type TestResult, testStack } from "../../testing/engine";
import type { Deployment } from "../../testing/engine/deployment";
import {
  COMPONENT_TYPE,
  type Declaration,
  type DeclaredStack,
  isIdOf,
  isManaged,
  namesOf,
  type Outcome,
  PLACE,
  urnOf,
} from "./declaredStack";
import { programDirectory } from "./scenarioStack";

/** Retries take their time on a real clock. */
const COMMAND_MS = 300_000;

/** How the processes of a stack are set up. */
export interface SpawnedOptions {
  readonly environment: () => Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, string>>;
}

/** Makes a stack. */
export async function spawnedStack({ environment, config }: SpawnedOptions): Promise<DeclaredStack> {
  const directory = programDirectory();
  const stack = await testStack({
    program: directory.path,
    ...PLACE,
    config: { ...config },
    timeoutMs: COMMAND_MS,
  });
  const stored = () => stack.exportState().deployment;

  async function outcomeOf(command: () => Promise<TestResult>): Promise<Outcome> {
    stack.setEnvironment({ DYNAMICLINK_READ_ONLY: undefined, ...environment() });
    try {
      return { failed: false, ...(await command()) };
    } catch (error) {
      if (error instanceof StackFailure) return { failed: true, ...error.result };
      throw error;
    }
  }

  return {
    async up(declarations, replace = []) {
      directory.setProgram(programOf(declarations, config));
      return await outcomeOf(() => stack.up({ replace }));
    },
    async preview(declarations, replace = []) {
      directory.setProgram(programOf(declarations, config));
      return await outcomeOf(() => stack.preview({ replace }));
    },
    refresh: async () => await outcomeOf(() => stack.refresh()),
    destroy: async () => await outcomeOf(() => stack.destroy()),
    importFile: async (file: ImportFile) => await outcomeOf(() => stack.importFile(file, { protect: false })),
    kill: () => stack.killHosts(),
    get resources() {
      return (stored().resources ?? []).filter(isManaged);
    },
    get pending() {
      return (stored().pending_operations ?? [])
        .filter(({ type }) => type === "creating")
        .map(({ resource }) => resource.urn);
    },
    clearPending() {
      const { version, deployment } = stack.exportState();
      stack.importState({ version, deployment: { ...deployment, pending_operations: [] } } as Deployment);
    },
    stateText: () => JSON.stringify(stack.exportState()),
    async close() {
      await stack.close();
      directory.remove();
    },
  };
}

/** The text of a program that declares this. A resource's variable is called like the resource. */
function programOf(declarations: readonly Declaration[], config: SpawnedOptions["config"]): string {
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
