/** The TypeScript that declares imported objects, to paste into a program. */

import { KIND_NAMES } from "../objects/kinds";
import { hyphenated, uniqueNames, variableName } from "../objects/logicalNames";
import type { ImportedObject } from "../pulumi/importFile";
import { nameOf } from "../pulumi/urn";
import { CLASS_NAMES, type Code, code, programSource } from "./programSource";

/** Options of {@link declarationSource}. */
export interface DeclarationOptions {
  /** Whether the declarations protect the objects from deletion. */
  readonly protect: boolean;
  /** The URNs of the parents and providers in the stack, by the names that the objects use for them. */
  readonly nameTable?: Readonly<Record<string, string>>;
  /** The logical names of the projects in the stack, by UUID. */
  readonly stackProjects?: ReadonlyMap<string, string>;
}

/** Declares objects. An object that another one refers to is assigned to a variable. */
export function declarationSource(
  objects: readonly ImportedObject[],
  { protect, nameTable = {}, stackProjects = new Map() }: DeclarationOptions,
): string {
  const parents = new Set(objects.map(({ parent }) => parent));
  const projects = new Set(objects.map(({ reading }) => String(reading.inputs.projectId)));
  const referenced = objects
    .filter(({ name, reading }) => parents.has(name) || projects.has(reading.uuid))
    .map(({ name, reading }) => ({ name, uuid: reading.uuid }));
  const importedNames = new Set(referenced.map(({ name }) => name));

  // Variables of the program for resources that are not imported, by name in the table or UUID of a project.
  const elsewhere = new Map<string, string>();
  function addElsewhere(key: string, name: string): void {
    const taken = new Set(elsewhere.values());
    const variable = programVariable(name);
    elsewhere.set(key, taken.has(variable) ? programVariable(key) : variable);
  }
  for (const name of objects.flatMap(({ parent, provider }) => [parent, provider])) {
    const isImported = name !== undefined && !Object.hasOwn(nameTable, name) && importedNames.has(name);
    if (name === undefined || isImported || elsewhere.has(name)) continue;
    addElsewhere(name, nameOf(nameTable[name] ?? "") || name);
  }
  for (const uuid of projects) {
    const name = stackProjects.get(uuid);
    if (name !== undefined) addElsewhere(uuid, name);
  }
  const comment =
    elsewhere.size === 0
      ? []
      : [
          `Variables of your program: ${[...new Set(elsewhere.values())].join(", ")}. Use the names in your program.`,
        ];

  const variables = uniqueNames(
    referenced,
    ({ name }) => [variableName(hyphenated(name), { taken: [...CLASS_NAMES, ...elsewhere.values()] })],
    { join: (name, uuid) => `${name}_${uuid}` },
  );
  const byName = new Map(referenced.map(({ name, uuid }) => [name, variables.get(uuid)]));

  function variableFor(name: string | undefined): Code | undefined {
    const variable = name === undefined ? undefined : (elsewhere.get(name) ?? byName.get(name));
    return variable === undefined ? undefined : code(variable);
  }

  /** The reference to a project; undefined if neither the program nor the import has it. */
  function projectReference(uuid: string): Code | undefined {
    const variable = variables.get(uuid) ?? elsewhere.get(uuid);
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
