/** Paths to values in the properties of a resource, and what is found or changed by path. */
import {
  equalValues,
  isObject,
  isPlainObject,
  isSecret,
  mapParts,
  type Properties,
  secret,
  unwrapSecrets,
  type Value,
} from "./values";

/** The path to a value in the properties: names and indices. */
export type PropertyPath = (string | number)[];

/** Reads a path such as `tags.owner`, `ports[0]`, `["a.b"].*`. */
export function parsePath(text: string): PropertyPath {
  const path: PropertyPath = [];
  const part = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|\.?([^.[\]]+)/gy;
  let end = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, quoted, index, name] = match;
    if (quoted !== undefined) path.push(quoted.replace(/\\(.)/g, "$1"));
    else if (index !== undefined) path.push(index === "*" ? index : Number(index));
    else path.push(name as string);
    end = part.lastIndex;
  }
  if (end !== text.length || path.length === 0) throw new Error(`"${text}" is not a property path.`);
  return path;
}

/** Formats a path in the syntax that `parsePath` reads. */
export function formatPath(path: PropertyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    if (!/^[A-Za-z0-9_]+$/.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

/** Whether `path` is at or below a path that `pattern` matches. `*` in the pattern matches any name or index. */
export function matchesPath(pattern: PropertyPath, path: PropertyPath): boolean {
  return pattern.length <= path.length && pattern.every((part, at) => part === "*" || part === path[at]);
}

/** The paths at which the two differ. Secrets are compared by value, and null counts as absent. */
export function changedPaths(oldProperties: Properties, newProperties: Properties): PropertyPath[] {
  const compare = (left: Value | undefined, right: Value | undefined, path: PropertyPath): PropertyPath[] => {
    if (equalValues(left, right)) return [];
    const areObjects = isPlainObject(left) && isPlainObject(right);
    if (!areObjects && !(Array.isArray(left) && Array.isArray(right))) return [path];
    const parts = keysOf(left, right);
    return parts.flatMap((key) => compare(partAt(left, key), partAt(right, key), [...path, key]));
  };
  return compare(unwrapSecrets(oldProperties), unwrapSecrets(newProperties), []);
}

/** Restores the old value at a path of the new properties, in place. It adds and removes no elements of lists. */
export function resetPath(
  [part, ...rest]: PropertyPath,
  oldValue: Value | undefined,
  newValue: Value | undefined,
): void {
  const before = isSecret(oldValue) ? oldValue.value : oldValue;
  const after = isSecret(newValue) ? newValue.value : newValue;
  if (part === "*") {
    for (const key of keysOf(before, after)) resetPath([key, ...rest], before, after);
  } else if (Array.isArray(before) && Array.isArray(after) && typeof part === "number") {
    if (part >= before.length || part >= after.length) return;
    if (rest.length > 0) resetPath(rest, before[part], after[part]);
    else after[part] = before[part] as Value;
  } else if (part !== undefined && isObject(after)) {
    const old = isObject(before) ? before[part] : undefined;
    if (rest.length > 0) resetPath(rest, old, after[part]);
    else if (old === undefined) delete after[part];
    else after[part] = isSecret(oldValue) && !isSecret(newValue) ? secret(old) : old;
  }
}

/** The names or indices of the parts of values, without repetition. */
function keysOf(...values: readonly (Value | undefined)[]): (string | number)[] {
  const keys = values.flatMap((value): (string | number)[] => {
    if (Array.isArray(value)) return [...value.keys()];
    return isObject(value) ? Object.keys(value) : [];
  });
  return [...new Set(keys)];
}

function partAt(value: Value | undefined, key: string | number): Value | undefined {
  return (value as Readonly<Record<string | number, Value>>)[key];
}

/** Properties without secret marks, and the paths of the secrets, such as `["apiKey", "accounts[0].key"]`. */
export function separateSecrets(properties: Properties): { value: Properties; secrets: string[] } {
  const secrets: string[] = [];
  const visit = (value: Value, path: PropertyPath): Value => {
    if (isSecret(value)) {
      secrets.push(formatPath(path));
      return unwrapSecrets(value.value);
    }
    return mapParts(value, (part, key) => visit(part, [...path, key]));
  };
  return { value: visit(properties, []) as Properties, secrets };
}
