/** Compares the schema with an earlier one: what is no longer there, or has another type, breaks the programs of users. */
import type { PackageSchema } from "../../provider/hosts/plugin/schema";

/** The parts of a schema that programs depend on. */
type Names = Pick<
  PackageSchema,
  "name" | "language" | "config" | "provider" | "types" | "resources" | "functions"
>;

/** A part of the schema, as data. */
type Part = Readonly<Record<string, unknown>>;

/** The parts of a schema that programs depend on, without texts: what is recorded of a release. */
export function namesOf(schema: PackageSchema): Names {
  const { name, language, config, provider, types, resources, functions } = schema;
  const text = JSON.stringify(
    { name, language, config, provider, types, resources, functions },
    (key, value) => (key === "description" && typeof value === "string" ? undefined : value),
  );
  return JSON.parse(text);
}

/** What a schema lacks of an earlier one, as sentences. */
export function schemaBreaks(earlier: Names, now: Names): string[] {
  return breaksIn(namesOf(earlier as PackageSchema), namesOf(now as PackageSchema), "");
}

function breaksIn(earlier: unknown, now: unknown, path: string): string[] {
  if (Array.isArray(earlier)) return listBreaks(earlier, Array.isArray(now) ? now : [], path);
  if (typeof earlier === "object" && earlier !== null) {
    if (typeof now !== "object" || now === null) return [`${path} was removed.`];
    return Object.entries(earlier).flatMap(([key, value]) =>
      breaksIn(value, (now as Part)[key], path === "" ? key : `${path}.${key}`),
    );
  }
  if (now === undefined) return [`${path} was removed.`];
  return earlier === now ? [] : [`${path} was ${earlier}, and is ${now}.`];
}

function listBreaks(earlier: readonly unknown[], now: readonly unknown[], path: string): string[] {
  const texts = now.map((item) => JSON.stringify(item));
  const removed = earlier.map((item) => JSON.stringify(item)).filter((item) => !texts.includes(item));
  // A required input is asked of programs; a required output is promised to them.
  const isInput = /(requiredInputs|inputs\.required)$/.test(path);
  if (!isInput) return removed.map((item) => `${path} no longer contains ${item}.`);
  return now.filter((name) => !earlier.includes(name)).map((name) => `${path} now contains "${name}".`);
}
