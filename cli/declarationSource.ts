/** The TypeScript that declares imported objects, to paste into a program. */
import type { ImportedObject } from "./importFile";
import { KIND_NAMES } from "./kinds";
import { hyphenated, uniqueNames, variableName } from "./logicalNames";
import { CLASS_NAMES, type Code, code, programSource } from "./programSource";

/** Options of {@link declarationSource}. */
export interface DeclarationOptions {
  /** Whether the declarations protect the objects from deletion. */
  readonly protect: boolean;
  /** The logical names of the projects that the program declares already, by UUID. */
  readonly stackProjects?: ReadonlyMap<string, string>;
}

/** Declares objects. An object that another one refers to is assigned to a variable. */
export function declarationSource(
  objects: readonly ImportedObject[],
  { protect, stackProjects = new Map() }: DeclarationOptions,
): string {
  const parents = new Set(objects.map(({ parent }) => parent));
  const projects = new Set(objects.map(({ reading }) => reading.inputs.projectId));
  const referenced = objects
    .filter(({ name, reading }) => parents.has(name) || projects.has(reading.uuid))
    .map(({ name, reading }) => ({ name, uuid: reading.uuid }));
  const importedNames = new Set(referenced.map(({ name }) => name));

  // Resources of the program that are not imported.
  const references = objects.flatMap(({ parent, provider }) => [parent, provider]);
  const stackNames = [...projects].map((uuid) => stackProjects.get(String(uuid)));
  const elsewhere = [
    ...new Set(
      [...references.filter((name) => !importedNames.has(String(name))), ...stackNames]
        .filter((name) => name !== undefined)
        .map((name) => programVariable(name)),
    ),
  ];
  const comment =
    elsewhere.length === 0
      ? []
      : [`Variables of your program: ${elsewhere.join(", ")}. Use the names in your program.`];

  const variables = uniqueNames(
    referenced,
    ({ name }) => [variableName(hyphenated(name), { taken: [...CLASS_NAMES, ...elsewhere] })],
    { join: (name, uuid) => `${name}_${uuid}` },
  );
  const byName = new Map(referenced.map(({ name, uuid }) => [name, variables.get(uuid)]));

  function variableFor(name: string | undefined): Code | undefined {
    return name === undefined ? undefined : code(byName.get(name) ?? programVariable(name));
  }

  /** The reference to a project; undefined if neither the program nor the import has it. */
  function projectReference(uuid: string): Code | undefined {
    const stackName = stackProjects.get(uuid);
    const variable = variables.get(uuid) ?? (stackName && programVariable(stackName));
    return variable === undefined ? undefined : code(`${variable}.id`);
  }

  const declarations = KIND_NAMES.flatMap((kind) => objects.filter((one) => one.kind === kind)).map(
    ({ kind, name, logicalName, parent, provider, reading: { uuid, inputs } }) => {
      const project = projectReference(String(inputs.projectId));
      return {
        kind,
        name: logicalName ?? name,
        variable: variables.get(uuid),
        inputs: project === undefined ? inputs : { ...inputs, projectId: project },
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

/** The variable that a program probably uses for a resource. */
function programVariable(name: string): string {
  return variableName(hyphenated(name), { taken: CLASS_NAMES });
}
