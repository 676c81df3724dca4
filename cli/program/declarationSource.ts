/** The TypeScript that declares imported objects, to paste into a program. */

import { identityKey, parentKeyOf, parentOf, withParent } from "../objects/identity";
import { KIND_NAMES, KINDS } from "../objects/kinds";
import { hyphenated, variableName } from "../objects/logicalNames";
import type { ImportedObject } from "../pulumi/importFile";
import { isProviderType, nameInUrn, typeOf } from "../pulumi/urn";
import { CLASS_NAMES, type Code, code, literal, programSource, variablesFor } from "./programSource";

export interface DeclarationOptions {
  /** Whether the declarations protect the objects from deletion. */
  readonly protect: boolean;
  /** The URNs of the parents and providers in the stack, by the names that the objects use for them. */
  readonly nameTable?: Readonly<Record<string, string>>;
  /** The logical names of the projects in the stack, by key. */
  readonly stackProjects?: ReadonlyMap<string, string>;
}

/** Declares objects. An object that another one refers to is assigned to a variable. */
export function declarationSource(
  objects: readonly ImportedObject[],
  { protect, nameTable = {}, stackProjects = new Map() }: DeclarationOptions,
): string {
  const parents = new Set(objects.map(({ parent }) => parent));
  const containers = new Map(
    objects.flatMap((object) => parentOf(object) ?? []).map((id) => [identityKey(id), id]),
  );
  const referenced = objects
    .map(({ kind, name, reading: { uuid } }) => ({ kind, name, uuid }))
    .filter((object) => parents.has(object.name) || containers.has(identityKey(object)));
  const importedNames = new Set(referenced.map(({ name }) => name));

  // Variables of the program for resources that are not imported, by name in the table or key of a project.
  const elsewhere = new Map<string, string>();
  const comment: string[] = [];
  function addElsewhere(key: string, name: string, type: string, uuid?: string): void {
    const taken = new Set(elsewhere.values());
    const proposed = programVariable(name);
    const variable = taken.has(proposed) ? programVariable(key) : proposed;
    elsewhere.set(key, variable);
    const id = uuid === undefined ? "" : `, ${uuid}`;
    comment.push(`  ${variable}: ${type} ${literal(name)}${id}`);
  }
  for (const name of objects.flatMap(({ parent, provider }) => [parent, provider])) {
    const isImported = name !== undefined && !Object.hasOwn(nameTable, name) && importedNames.has(name);
    if (name === undefined || isImported || elsewhere.has(name)) continue;
    const urn = nameTable[name] ?? "";
    const type = typeOf(urn).split(":").at(-1) || "resource";
    addElsewhere(name, nameInUrn(urn) || name, isProviderType(typeOf(urn)) ? "Provider" : type);
  }
  for (const [key, { kind, uuid }] of containers) {
    const name = stackProjects.get(key);
    if (name !== undefined) addElsewhere(key, name, KINDS[kind].description.type, uuid);
  }
  if (comment.length > 0)
    comment.unshift(
      "The code uses these resources of your program. Assign them to variables with these names, or use yours:",
    );

  const variables = variablesFor(referenced, ({ name }) => hyphenated(name), {
    key: identityKey,
    taken: [...elsewhere.values()],
  });
  const byName = new Map(referenced.map((object) => [object.name, variables.get(identityKey(object))]));

  function variableFor(name: string | undefined): Code | undefined {
    const variable = name === undefined ? undefined : (elsewhere.get(name) ?? byName.get(name));
    return variable === undefined ? undefined : code(variable);
  }

  const declarations = KIND_NAMES.flatMap((kind) => objects.filter((one) => one.kind === kind)).map(
    (object) => {
      const { kind, name, logicalName, parent, provider, reading } = object;
      const container = parentKeyOf(object) ?? "";
      // Undefined if neither the program nor the import has it.
      const variable = variables.get(container) ?? elsewhere.get(container);
      return {
        kind,
        name: logicalName ?? name,
        variable: variables.get(identityKey({ kind, uuid: reading.uuid })),
        inputs: withParent(object, variable && code(`${variable}.id`)),
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
