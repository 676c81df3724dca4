/** Compares the schema with an earlier one: what is no longer there, or has another type, breaks the programs of users. */
import type { PackageSchema } from "../schema/packageSchema";
import { builtSchema } from "./builtSchema";

/** The parts of a schema that programs depend on, without texts: what is recorded of a release. */
export type Names = Pick<
  PackageSchema,
  "name" | "language" | "config" | "provider" | "types" | "resources" | "functions"
>;

/** The names in the schema that the build wrote. */
export function schemaNames(): Names {
  return namesOf(builtSchema());
}

/** The names in a schema. Programs depend neither on texts, nor on the files with which an SDK is built. */
export function namesOf({ name, language, config, provider, types, resources, functions }: Names): Names {
  const isName = (key: string, value: unknown) =>
    key !== "buildFiles" && (key !== "description" || typeof value !== "string");
  const text = JSON.stringify(
    { name, language, config, provider, types, resources, functions },
    (key, value) => (isName(key, value) ? value : undefined),
  );
  return JSON.parse(text);
}

/** What a schema lacks of an earlier one, as sentences. */
export function schemaBreaks(earlier: Names, now: Names): string[] {
  const inputs = Object.values(now.resources).flatMap((each) => Object.values(each.inputProperties));
  const inputTypes = inputs.flatMap(({ $ref }) => $ref?.replace("#/types/", "types.") ?? []);
  return breaksIn(namesOf(earlier), namesOf(now), "");

  function breaksIn(earlier: unknown, now: unknown, path: string): string[] {
    if (Array.isArray(earlier)) return listBreaks(earlier, Array.isArray(now) ? now : [], path);
    if (typeof earlier === "object" && earlier !== null) {
      if (typeof now !== "object" || now === null) return [`${path} was removed.`];
      return Object.entries(earlier).flatMap(([key, value]) =>
        breaksIn(value, (now as Record<string, unknown>)[key], path === "" ? key : `${path}.${key}`),
      );
    }
    if (now === undefined) return [`${path} was removed.`];
    return earlier === now ? [] : [`${path} was ${earlier}, and is ${now}.`];
  }

  function listBreaks(earlier: readonly unknown[], now: readonly unknown[], path: string): string[] {
    const texts = now.map((item) => JSON.stringify(item));
    const removed = earlier.map((item) => JSON.stringify(item)).filter((item) => !texts.includes(item));
    // A required input is asked of programs; a required output is promised to them. A type of both is written more often.
    const isInput =
      /(requiredInputs|inputs\.required)$/.test(path) ||
      inputTypes.some((type) => path === `${type}.required`);
    if (!isInput) return removed.map((item) => `${path} no longer contains ${item}.`);
    return now.filter((name) => !earlier.includes(name)).map((name) => `${path} now contains "${name}".`);
  }
}
