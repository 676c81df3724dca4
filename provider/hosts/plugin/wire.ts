/**
 * Property values as they travel between engine and plugin: plain JSON in which a secret, an unknown value, an output or
 * a reference to a resource is marked. The core works with values in clear, so the marks are taken off here, with a
 * record of what was secret, and secrets are marked again in what is answered.
 */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { UserError } from "../../lifecycle/errors";
import type { Properties } from "../../lifecycle/properties";
import { isRecord } from "../../shapes/walk";
import { UNKNOWN_VALUE } from "../dynamic/names";

/** The key that turns an object into a mark. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";

/** The names that lead to a secret value. A list with a secret in it is secret as a whole: its order may change. */
export type SecretPath = readonly string[];

/** Property values without marks. */
export interface Received {
  readonly values: Properties;
  readonly secrets: readonly SecretPath[];
}

/** Whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN_VALUE;
}

/** What the engine sent; nothing when the message lacks it. @throws UserError for what no property can hold. */
export function fromStruct(struct: Struct | undefined): Received {
  return fromWire((struct?.toJavaScript() ?? {}) as Properties);
}

/** Values as the engine takes them, with what is at the secret paths marked as secret. */
export function toStruct(values: Properties, secrets: readonly SecretPath[] = []): Struct {
  return Struct.fromJavaScript(toWire(values, secrets) as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** Takes the marks off. @throws UserError for what no property can hold. */
export function fromWire(marked: Properties): Received {
  const secrets = new Map<string, SecretPath>();
  const values = membersOf(marked, [], (path) => void secrets.set(JSON.stringify(path), path));
  return { values, secrets: [...secrets.values()] };
}

/** Marks secrets. What is absent is left out: a message cannot hold it. */
export function toWire(values: Properties, secrets: readonly SecretPath[] = []): Properties {
  return secrets.reduce<Properties>(
    (marked, path) => markedAt(marked, path) as Properties,
    withoutAbsent(values) as Properties,
  );
}

/** The secrets that lead to one of the given properties. */
export function secretsAt(
  secrets: readonly SecretPath[],
  isWanted: (name: string) => boolean,
): readonly SecretPath[] {
  return secrets.filter(([name]) => name !== undefined && isWanted(name));
}

type NoteSecret = (path: SecretPath) => void;

function membersOf(values: Properties, path: SecretPath, note: NoteSecret): Properties {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, plain(value, [...path, name], note)]),
  );
}

function plain(value: unknown, path: SecretPath, note: NoteSecret): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, path, () => note(path)));
  if (!isRecord(value)) return value;
  switch (value[SIGNATURE]) {
    case undefined:
      return membersOf(value, path, note);
    case SECRET:
      note(path);
      return plain(value.value, path, note);
    case OUTPUT:
      if (value.secret === true) note(path);
      return "value" in value ? plain(value.value, path, note) : UNKNOWN_VALUE;
    case RESOURCE:
      // A component has no id, and one that is still to be created has an empty one.
      return "id" in value ? plain(value.id || UNKNOWN_VALUE, path, note) : value.urn;
    case ASSET:
      throw notText(path, "an asset");
    case ARCHIVE:
      throw notText(path, "an archive");
    default:
      throw notText(path, "a value of a kind that this version of the plugin does not know");
  }
}

function notText(path: SecretPath, what: string): UserError {
  return new UserError(`${path.join(".")} is ${what}; no property takes one. Give the value itself.`);
}

function markedAt(value: unknown, [name, ...rest]: SecretPath): unknown {
  if (value == null || isMarked(value)) return value;
  // What has become another kind of value than it was may hold the secret anywhere.
  if (name === undefined || !isRecord(value)) return { [SIGNATURE]: SECRET, value };
  return Object.hasOwn(value, name) ? { ...value, [name]: markedAt(value[name], rest) } : value;
}

function isMarked(value: unknown): boolean {
  return isRecord(value) && SIGNATURE in value;
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAbsent(item) ?? null);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, withoutAbsent(member)]),
  );
}
