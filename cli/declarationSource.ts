/** The TypeScript that declares imported objects, to paste into a program. */
import type { ImportedObject } from "./importFile";
import { KIND_NAMES } from "./kinds";
import { hyphenated, uniqueNames, variableName } from "./logicalNames";
import { CLASS_NAMES, type Code, code, programSource } from "./programSource";

/** Options of {@link declarationSource}. */
export interface DeclarationOptions {
  /** Whether the declarations protect the objects from deletion. */
  readonly protect: boolean;
}

/** Declares objects. An object that another one refers to is assigned to a variable. */
export function declarationSource(
  objects: readonly ImportedObject[],
  { protect }: DeclarationOptions,
): string {
  const parents = new Set(objects.map(({ parent }) => parent));
  const projects = new Set(objects.map(({ reading }) => reading.inputs.projectId));
  const referenced = objects
    .filter(({ name, reading }) => parents.has(name) || projects.has(reading.uuid))
    .map(({ name, reading }) => ({ name, uuid: reading.uuid }));
  const variables = uniqueNames(
    referenced,
    ({ name }) => [variableName(hyphenated(name), { taken: CLASS_NAMES })],
    { join: (name, uuid) => `${name}_${uuid}` },
  );
  const byName = new Map(referenced.map(({ name, uuid }) => [name, variables.get(uuid)]));

  function variableFor(name: string | undefined): Code | undefined {
    return name === undefined ? undefined : code(byName.get(name) ?? variableName(hyphenated(name)));
  }
  const elsewhere = [...new Set(objects.flatMap(({ parent, provider }) => [parent, provider]))]
    .filter((name) => name !== undefined && !byName.has(name))
    .map((name) => variableName(hyphenated(String(name))));
  const comment =
    elsewhere.length === 0
      ? []
      : [`Variables of your program: ${elsewhere.join(", ")}. Use the names in your program.`];

  const declarations = KIND_NAMES.flatMap((kind) => objects.filter((one) => one.kind === kind)).map(
    ({ kind, name, logicalName, parent, provider, reading: { uuid, inputs } }) => {
      const project = variables.get(String(inputs.projectId));
      return {
        kind,
        name: logicalName ?? name,
        variable: variables.get(uuid),
        inputs: project === undefined ? inputs : { ...inputs, projectId: code(`${project}.id`) },
        options: {
          parent: variableFor(parent),
          provider: variableFor(provider),
          protect: protect ? true : undefined,
        },
      };
    },
  );
  return programSource(declarations, { comment });
}
