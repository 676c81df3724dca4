/** The source text of a program that adopts objects: their declarations, with the option `import`. */
import { identityKey, parentKeyOf } from "../objects/identity";
import { KINDS } from "../objects/kinds";
import { hyphenated, uniqueNames, variableName } from "../objects/logicalNames";
import type { NamedObject } from "./names";
import { CLASS_NAMES, code, programSource } from "./programSource";

/**
 * The program: each project, followed by what is in it. An object whose parent is not among them refers to it by UUID.
 *
 * @param provider the logical name of the provider, if it is not the default one.
 */
export function adoptingProgram(
  objects: readonly NamedObject[],
  comment: readonly string[],
  provider?: string,
): string {
  const ofProvider = provider === undefined ? [] : [variableName(hyphenated(provider), CLASS_NAMES)];
  const reserved = [...CLASS_NAMES, ...ofProvider];
  const named = uniqueNames(
    objects.filter(({ kind }) => kind === "project"),
    ({ name }) => [variableName(hyphenated(name), reserved)],
    { reserved, join: (name, uuid) => `${name}_${uuid}` },
  );
  const variables = new Map([...named].map(([project, variable]) => [identityKey(project), variable]));
  const groups = Map.groupBy(objects, (object) => parentKeyOf(object) || identityKey(object));
  const declarations = [...groups.values()].flat().map((object) => {
    const { kind, name, uuid, reading } = object;
    const { parentId } = KINDS[kind];
    const parent = variables.get(parentKeyOf(object));
    return {
      kind,
      name,
      variable: variables.get(identityKey(object)),
      inputs: {
        ...reading.inputs,
        ...(parentId !== undefined && parent !== undefined && { [parentId]: code(`${parent}.id`) }),
      },
      options: { import: uuid, ...Object.fromEntries(ofProvider.map((each) => ["provider", code(each)])) },
    };
  });
  const notes = ofProvider.map((each) => `${each} is the provider with that name in your program.`);
  return programSource(declarations, [...comment, ...notes]);
}
