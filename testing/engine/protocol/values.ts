/**
 * Property values in wire form, as sent between program, engine and provider: plain JSON in which secrets, unknown
 * values and references to resources are marked. Only this file handles these marks.
 */
import { UNKNOWN_VALUE } from "../../../provider/hosts/values";

/** A property value in wire form: JSON, with marks for what JSON cannot express. */
export type Value = null | boolean | number | string | Value[] | Properties;

/** The properties of a resource, by name. */
export interface Properties {
  [name: string]: Value;
}

/** The key that turns an object into a mark. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";

interface Secret extends Properties {
  readonly value: Value;
}

function isObject(value: Value | undefined): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasSignature(value: Value | undefined, signature: string): value is Properties {
  return isObject(value) && value[SIGNATURE] === signature;
}

/** Whether the value itself is marked as secret. */
export function isSecret(value: Value | undefined): value is Secret {
  return hasSignature(value, SECRET);
}

/** Marks a value as secret, unless it is already marked. */
export function secret(value: Value): Value {
  return isSecret(value) ? value : { [SIGNATURE]: SECRET, value };
}

/** Whether the value is an object without a mark, which comparisons and paths can descend into. */
function isPlainObject(value: Value | undefined): value is Properties {
  return isObject(value) && !(SIGNATURE in value);
}

/** Applies `change` to every direct part of a list or an object. */
function mapParts(value: Value, change: (part: Value) => Value): Value {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]));
}

/** Whether the value, or anything in it, matches. */
function contains(value: Value | undefined, matches: (part: Value) => boolean): boolean {
  if (value === undefined) return false;
  if (matches(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => contains(part, matches));
}

/** Whether a secret is anywhere in the value. */
export function containsSecret(value: Value | undefined): boolean {
  return contains(value, isSecret);
}

/** Whether something in the value is not known yet. */
export function containsUnknown(value: Value | undefined): boolean {
  return contains(value, (part) => part === UNKNOWN_VALUE);
}

/**
 * A value from a program in the form that the engine uses: output values become plain, unknown or secret values. Throws
 * for assets and archives, which the engine does not support.
 */
export function fromProgram(value: Value): Value {
  if (hasSignature(value, ASSET) || hasSignature(value, ARCHIVE)) {
    throw new Error("Assets and archives are not supported by the test engine.");
  }
  if (hasSignature(value, OUTPUT)) {
    const plain = value.value === undefined ? UNKNOWN_VALUE : fromProgram(value.value);
    return value.secret === true ? secret(plain) : plain;
  }
  return mapParts(value, fromProgram);
}

/** A value without marks, for a provider: secrets in plain text, and ids (or URNs) for references to resources. */
export function forProvider(value: Value): Value {
  if (isSecret(value)) return forProvider(value.value);
  if (hasSignature(value, RESOURCE)) return forProvider(value.id ?? value.urn ?? null);
  return mapParts(value, forProvider);
}

/** A value for a provider that takes secrets: only references to resources are replaced by their ids. */
export function forPlugin(value: Value): Value {
  if (hasSignature(value, RESOURCE)) return value.id ?? value.urn ?? null;
  return mapParts(value, forPlugin);
}

/** A value without secret marks. */
export function unwrapSecrets(value: Value): Value {
  return isSecret(value) ? unwrapSecrets(value.value) : mapParts(value, unwrapSecrets);
}

/** Properties without secret marks, and the paths of the secrets, such as `["apiKey", "accounts[0].key"]`. */
export function separateSecrets(properties: Properties): { value: Properties; secrets: string[] } {
  const secrets: string[] = [];
  const visit = (value: Value, path: PropertyPath): Value => {
    if (isSecret(value)) {
      secrets.push(formatPath(path));
      return unwrapSecrets(value.value);
    }
    if (Array.isArray(value)) return value.map((part, index) => visit(part, [...path, index]));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, visit(part, [...path, name])]),
    );
  };
  return { value: visit(properties, []) as Properties, secrets };
}

/**
 * Marks the values in a provider's response that were secret in its request. Objects are compared member by member. A
 * single secret in a list makes the whole list secret, because the provider may have reordered it.
 */
export function markSecrets(answer: Properties, sent: Properties | undefined): Properties {
  const marked = { ...answer };
  for (const [name, original] of Object.entries(sent ?? {})) {
    const value = marked[name];
    if (value === undefined) continue;
    if (isPlainObject(value) && isPlainObject(original)) marked[name] = markSecrets(value, original);
    else if (containsSecret(original)) marked[name] = secret(value);
  }
  return marked;
}

/** Whether two values are equal, marks included. A missing property equals one that is null. */
export function equalValues(left: Value | undefined, right: Value | undefined): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((part, index) => equalValues(part, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) =>
      equalValues(left[name], right[name]),
    );
  }
  return (left ?? null) === (right ?? null);
}

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
  return (
    pattern.length <= path.length && pattern.every((part, index) => part === "*" || part === path[index])
  );
}

/** The paths at which the two differ. Secrets are compared by value, and null counts as absent. */
export function changedPaths(oldProperties: Properties, newProperties: Properties): PropertyPath[] {
  const compare = (left: Value | undefined, right: Value | undefined, path: PropertyPath): PropertyPath[] => {
    if (equalValues(left, right)) return [];
    if (isPlainObject(left) && isPlainObject(right)) {
      return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
        compare(left[name], right[name], [...path, name]),
      );
    }
    if (Array.isArray(left) && Array.isArray(right)) {
      return Array.from({ length: Math.max(left.length, right.length) }).flatMap((_, index) =>
        compare(left[index], right[index], [...path, index]),
      );
    }
    return [path];
  };
  return compare(unwrapSecrets(oldProperties), unwrapSecrets(newProperties), []);
}

/**
 * Restores the old value at a path of the new properties, in place. Returns false if an element of a list would have to
 * be added or removed.
 */
export function resetPath(path: PropertyPath, oldValue: Value | undefined, newValue: Value): boolean {
  const [part, ...rest] = path;
  const before = isSecret(oldValue) ? oldValue.value : oldValue;
  const after = isSecret(newValue) ? newValue.value : newValue;
  if (part === undefined) return false;
  if (part === "*") {
    const names = new Set([...partNames(before), ...partNames(after)]);
    return [...names].every((name) => resetPath([name, ...rest], before, after));
  }
  if (Array.isArray(before) && Array.isArray(after) && typeof part === "number") {
    if (part >= before.length && part >= after.length) return true;
    if (part >= before.length || part >= after.length) return false;
    if (rest.length > 0) return resetPath(rest, before[part], after[part] as Value);
    after[part] = before[part] as Value;
    return true;
  }
  if (!isObject(after)) return !isObject(before);
  const old = isObject(before) ? before[part] : undefined;
  if (rest.length > 0) {
    const present = after[part];
    return present === undefined ? old === undefined : resetPath(rest, old, present);
  }
  if (old === undefined) delete after[part];
  else after[part] = isSecret(oldValue) && !isSecret(newValue) ? secret(old) : old;
  return true;
}

function partNames(value: Value | undefined): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return isObject(value) ? Object.keys(value) : [];
}

/** The plain texts of secrets by their reference in an exported state. It replaces encryption. */
const secretsByCiphertext = new Map<string, string>();

/**
 * A value in the form of a state file. Secrets that are not shown become references that only this process resolves.
 */
export function toDeployment(value: Value, showSecrets: boolean): Value {
  if (!isSecret(value)) return mapParts(value, (part) => toDeployment(part, showSecrets));
  const plaintext = JSON.stringify(toDeployment(value.value, true));
  if (showSecrets) return { [SIGNATURE]: SECRET, plaintext };
  const known = [...secretsByCiphertext].find(([, text]) => text === plaintext)?.[0];
  const ciphertext = known ?? `test:${secretsByCiphertext.size + 1}`;
  secretsByCiphertext.set(ciphertext, plaintext);
  return { [SIGNATURE]: SECRET, ciphertext };
}

/** A value of a state or import file, in wire form. */
export function fromDeployment(value: Value): Value {
  if (!isSecret(value)) return mapParts(value, fromDeployment);
  const { plaintext, ciphertext } = value as Properties;
  const text = typeof plaintext === "string" ? plaintext : secretsByCiphertext.get(String(ciphertext));
  if (text === undefined) {
    throw new Error("The state holds encrypted secrets. Export it with secrets shown (--show-secrets).");
  }
  return secret(fromDeployment(JSON.parse(text) as Value));
}
