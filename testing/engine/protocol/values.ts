/**
 * Property values in wire form, as sent between program, engine and provider: plain JSON in which secrets, unknown
 * values and references to resources are marked. Only this file handles these marks. They are written out here, so that
 * the engine can contradict the provider.
 */

/** A property value in wire form: JSON, with marks for what JSON cannot express. */
export type Value = null | boolean | number | string | Value[] | Properties;

/** The properties of a resource, by name. */
export interface Properties {
  [name: string]: Value;
}

/**
 * Stands for a value that is not known in a preview, such as an output of a resource that is still to be created. It is
 * the text that Pulumi uses between its processes.
 */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

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

/** Whether the value is an object, marked or not. */
export function isObject(value: Value | undefined): value is Properties {
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
  return isSecret(value) ? value : secretMark({ value });
}

/** A secret with other contents than its value, as in a state file. */
export function secretMark(contents: Properties): Properties {
  return { [SIGNATURE]: SECRET, ...contents };
}

/** Whether the value is an object without a mark, which comparisons and paths can descend into. */
export function isPlainObject(value: Value | undefined): value is Properties {
  return isObject(value) && !(SIGNATURE in value);
}

/** Applies `change` to every direct part of a list or an object. */
export function mapParts(value: Value, change: (part: Value, key: string | number) => Value): Value {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]));
}

/** Whether the value, or anything in it, matches. */
function contains(value: Value | undefined, matches: (part: Value) => boolean): boolean {
  if (value === undefined) return false;
  if (matches(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => contains(part, matches));
}

function containsSecret(value: Value | undefined): boolean {
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
export function fromProgram(value: Properties): Properties;
export function fromProgram(value: Value): Value;
export function fromProgram(value: Value): Value {
  if (hasSignature(value, ASSET) || hasSignature(value, ARCHIVE))
    throw new Error("Assets and archives are not supported by the test engine.");
  if (hasSignature(value, OUTPUT)) {
    const plain = value.value === undefined ? UNKNOWN_VALUE : fromProgram(value.value);
    return value.secret === true ? secret(plain) : plain;
  }
  return mapParts(value, (part) => fromProgram(part));
}

/** Properties without marks, for a provider: secrets in plain text, and ids (or URNs) for references to resources. */
export function forProvider(properties: Properties): Properties {
  return unwrapSecrets(forPlugin(properties));
}

/** A value for a provider that takes secrets: only references to resources are replaced by their ids. */
export function forPlugin(value: Properties): Properties;
export function forPlugin(value: Value): Value;
export function forPlugin(value: Value): Value {
  if (hasSignature(value, RESOURCE)) return value.id ?? value.urn ?? null;
  return mapParts(value, (part) => forPlugin(part));
}

/** A value without secret marks. */
export function unwrapSecrets(value: Properties): Properties;
export function unwrapSecrets(value: Value): Value;
export function unwrapSecrets(value: Value): Value {
  return isSecret(value) ? unwrapSecrets(value.value) : mapParts(value, (part) => unwrapSecrets(part));
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
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((part, index) => equalValues(part, right[index]));
  if (isObject(left) && isObject(right))
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) =>
      equalValues(left[name], right[name]),
    );
  return (left ?? null) === (right ?? null);
}
