/**
 * Converts property values between the engine's encoding and plain values. The encoding is JSON in which secrets,
 * unknown values, outputs and references to resources are marked. The core works with plain values, so decoding removes
 * the marks and records what was secret, and encoding marks the secrets again.
 */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { UserError } from "../../errors";
import type { Properties } from "../../lifecycle/properties";
import { isUuid } from "../../values/uuid";
import { isRecord, valueAt } from "../../values/walk";
import { SECRET, SIGNATURE, UNKNOWN_VALUE } from "../values";

const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";

/** The property names on the path to a secret. A list with a secret is secret as a whole, as its order may change. */
export type SecretPath = readonly string[];

/** Plain property values, and which of them are secret. */
export interface PropertyValues {
  readonly values: Properties;
  readonly secrets: readonly SecretPath[];
}

/** Decodes properties; none if they are missing. @throws UserError for a value that no property can have. */
export function fromStruct(struct: Struct | undefined): PropertyValues {
  return fromWire(struct?.toJavaScript() ?? {});
}

/** Encodes properties, and marks the values at the secret paths as secret. */
export function toStruct(properties: PropertyValues): Struct {
  return Struct.fromJavaScript(withMarks(properties) as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** Removes the marks. @throws UserError for a value that no property can have. */
export function fromWire(marked: Properties): PropertyValues {
  const secrets = new Map<string, SecretPath>();
  const values = plainMembers(marked, [], (path) => void secrets.set(JSON.stringify(path), path));
  return { values, secrets: [...secrets.values()] };
}

/** Marks secrets. Omits undefined values, which a message cannot contain. */
export function withMarks({ values, secrets }: PropertyValues): Properties {
  return secrets.reduce<Properties>(
    (marked, path) => markedAt(marked, path) as Properties,
    withoutAbsent(values) as Properties,
  );
}

/** The secret paths in the wanted properties. */
export function secretsAt(
  secrets: readonly SecretPath[],
  isWanted: (name: string) => boolean,
): readonly SecretPath[] {
  return secrets.filter(([name]) => name !== undefined && isWanted(name));
}

/** The texts in the values at the secret paths. UUIDs are not secret: messages need them, and states have them. */
export function secretTexts({ values, secrets }: PropertyValues): string[] {
  return secrets.flatMap((path) => textsIn(valueAt(values, path))).filter((text) => !isUuid(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

type NoteSecret = (path: SecretPath) => void;

function plainMembers(
  values: Properties,
  path: SecretPath,
  note: NoteSecret,
  secret?: SecretPath,
): Properties {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, plain(value, [...path, name], note, secret)]),
  );
}

/** @param secret the path of the secret that has the value. The names in it may be secret, too. */
function plain(value: unknown, path: SecretPath, note: NoteSecret, secret?: SecretPath): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, path, () => note(path), secret));
  if (!isRecord(value)) return value;
  switch (value[SIGNATURE]) {
    case undefined:
      return plainMembers(value, path, note, secret);
    case SECRET:
      note(path);
      return plain(value.value, path, note, secret ?? path);
    case OUTPUT:
      if (value.secret === true) note(path);
      return "value" in value
        ? plain(value.value, path, note, value.secret === true ? (secret ?? path) : secret)
        : UNKNOWN_VALUE;
    case RESOURCE:
      // A component has no id. A resource that is not created yet has an empty id.
      return "id" in value ? plain(value.id || UNKNOWN_VALUE, path, note) : value.urn;
    case ASSET:
      throw notPlain(secret ?? path, "an asset");
    case ARCHIVE:
      throw notPlain(secret ?? path, "an archive");
    default:
      throw notPlain(secret ?? path, "a value of a kind that this version of the plugin does not support");
  }
}

function notPlain(path: SecretPath, what: string): UserError {
  return new UserError(`${path.join(".")} must be a plain value, not ${what}.`);
}

function markedAt(value: unknown, [name, ...rest]: SecretPath): unknown {
  if (value == null || isMarked(value)) return value;
  // A value whose kind has changed may contain the secret anywhere.
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
