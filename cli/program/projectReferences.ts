/** Projects that another stack manages, as a program refers to them: by an output of that stack. */
import { UserError } from "../../provider/errors";
import { identityKey } from "../objects/identity";
import { hyphenated } from "../objects/logicalNames";
import type { StackState } from "../pulumi/stackState";
import { type Code, code, literal, variablesFor } from "./programSource";

/** The option `--reference <stack>=<output>`. */
export interface ReferenceOption {
  /** The stack: its name, optionally preceded by its project, and by its organization in the backend. */
  readonly stack: string;
  readonly output: string;
}

/** A project whose UUID is in an output of a stack. */
export interface ProjectReference {
  readonly kind: "project";
  readonly uuid: string;
  /** Project and stack, such as `shop/production`. */
  readonly stack: string;
  /** Source text of the full name of the stack. */
  readonly fullName: string;
  readonly output: string;
  /** Where the UUID is in the output, if that is an object or a list. */
  readonly key: string | number | undefined;
  /** The option that it follows from. */
  readonly option: ReferenceOption;
}

/** Parses an option. @throws UserError */
export function parseReference(text: string): ReferenceOption {
  const [, stack = "", output = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (stack === "") {
    throw new UserError(
      `--reference ${text} must be the name of a stack and of one of its outputs, such as shop/production=projectId.`,
    );
  }
  return { stack, output };
}

/**
 * Finds the projects in the outputs of the compared stacks. If several outputs have the UUID of a project, the first
 * counts.
 *
 * @throws UserError when an option does not lead to a project that one of the stacks manages.
 */
export function projectReferences(
  options: readonly ReferenceOption[],
  states: readonly StackState[],
): readonly ProjectReference[] {
  const managed = new Set(
    states.flatMap(({ objects }) => objects.filter(({ kind }) => kind === "project").map(({ uuid }) => uuid)),
  );
  const found = options.flatMap((reference) => {
    const { stack, output } = reference;
    const option = `--reference ${stack}=${output}`;
    const state = stateNamed(stack, states, option);
    const uuids = state.outputs.get(output);
    if (uuids === undefined) {
      throw new UserError(
        `${option}: stack ${state.name} has no output ${output}. Export it in its program and run \`pulumi up\`, or specify another one.`,
      );
    }
    if (uuids === "secret") {
      throw new UserError(
        `${option}: the output is a secret, or contains one. Export the UUID of the project as an output that is not secret; a UUID grants no access.`,
      );
    }
    const ofProjects = uuids.filter(({ uuid }) => managed.has(uuid));
    if (ofProjects.length === 0) {
      throw new UserError(
        `${option}: the output contains no UUID of a project that one of the stacks manages. It must be the UUID of a project, or an object or list of UUIDs.`,
      );
    }
    const fullName = fullNameOf(state, stack);
    return ofProjects.map(({ uuid, key }) => ({
      kind: "project" as const,
      uuid,
      stack: state.name,
      fullName,
      output,
      key,
      option: reference,
    }));
  });
  return [...new Map(found.toReversed().map((one) => [one.uuid, one])).values()].toReversed();
}

/** The compared stack with a name. */
function stateNamed(name: string, states: readonly StackState[], option: string): StackState {
  const [stack, project] = name.split("/").toReversed();
  const named = new Map(
    states
      .filter(
        (state) => state.name.endsWith(`/${stack}`) && (project ?? projectIn(state)) === projectIn(state),
      )
      .map((state) => [state.name, state]),
  );
  const [state, ...others] = named.values();
  if (state === undefined) {
    throw new UserError(
      `${option}: ${name} is not one of the compared stacks: ${listed(states)}. Add it with --stack or --state.`,
    );
  }
  if (others.length > 0) {
    throw new UserError(
      `${option}: several of the compared stacks have this name: ${listed([state, ...others])}. Add the project, as in ${state.name}.`,
    );
  }
  return state;
}

function projectIn({ name }: StackState): string | undefined {
  return name.split("/")[0];
}

function listed(states: readonly StackState[]): string {
  return [...new Set(states.map(({ name }) => name))].join(", ");
}

/**
 * Source text of a stack's full name. A state does not contain the organization of its stack; by default it is that of the
 * stack in which the program runs.
 */
function fullNameOf({ name }: StackState, given: string): string {
  if (given.split("/").length > 2) return literal(given);
  const text = literal(name).slice(1, -1).replaceAll(/[`$]/g, "\\$&");
  return `\`\${pulumi.getOrganization()}/${text}\``;
}

/** The statements that read projects from other stacks, and the code that refers to each project, by key. */
export function referenceSource(
  references: readonly ProjectReference[],
  {
    names,
    taken,
  }: {
    /** The logical names of the projects, by key. */
    readonly names: ReadonlyMap<string, string>;
    /** The variables of the program. */
    readonly taken: readonly string[];
  },
): { readonly statements: readonly string[]; readonly codes: ReadonlyMap<string, Code> } {
  const stacks = new Map(references.map(({ stack, fullName }) => [fullName, stack]));
  const proposals = [
    ...[...stacks].map(([fullName, stack]) => ({ uuid: fullName, name: `${hyphenated(stack)}-stack` })),
    ...references.map((one) => ({ uuid: one.uuid, name: `${names.get(identityKey(one))}-id` })),
  ];
  const variables = variablesFor(proposals, ({ name }) => name, { taken });
  const variableOf = (id: string) => variables.get(id) ?? id;
  return {
    statements: [
      ...[...stacks.keys()].map(
        (fullName) => `const ${variableOf(fullName)} = new pulumi.StackReference(${fullName});`,
      ),
      ...references.map(({ uuid, fullName, output, key }) => {
        const part = typeof key === "string" ? literal(key) : key;
        const value = part === undefined ? "value" : `value[${part}]`;
        const required = `${variableOf(fullName)}.requireOutput(${literal(output)})`;
        // Outputs of other stacks have no type.
        return `const ${variableOf(uuid)} = ${required}.apply((value): string => ${value});`;
      }),
    ],
    codes: new Map(references.map((one) => [identityKey(one), code(variableOf(one.uuid))])),
  };
}
