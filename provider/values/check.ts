import type { z } from "zod";
import { describeKind, describeSchema } from "./describe";
import { nearestName, suggestion } from "./nearestName";
import { fieldsOf, schemaAt, unwrapped } from "./schema";
import { textProblems } from "./texts";
import { type Path, pathText, valueAt } from "./walk";

/** One violation: its path, and what is allowed there. It never contains the value. */
export interface Problem {
  /** Path of the value, such as `androidInfo.sha256Fingerprints[3]`; empty for the value itself. */
  readonly path: string;
  /** What is allowed, as text that follows the path. */
  readonly reason: string;
}

/**
 * Validates a declared value and returns every violation once, with its path. In an optional field, null counts as absent.
 *
 * @example
 * checkValue(createProject, { projectName: "" }, { isUnknown: () => false });
 * // [{ path: "projectName", reason: "must be text of 1 to 100 characters" }]
 */
export function checkValue(
  schema: z.ZodType,
  value: unknown,
  { isUnknown, noun = "a property" }: { isUnknown(value: unknown): boolean; readonly noun?: string },
): Problem[] {
  const isUnknownAt = (path: Path) =>
    [...path, ""].some((_, length) => isUnknown(valueAt(value, path.slice(0, length))));
  const issues = schema.safeParse(value).error?.issues ?? [];
  const invalid = issues
    .filter(({ path }) => !isUnknownAt(path))
    .flatMap((issue): { path: Path; reason: string }[] => {
      const { path } = issue;
      const [at = schema, found] = [schemaAt(schema, path), valueAt(value, path)];
      if (issue.code === "unrecognized_keys") {
        const names = issue.keys.filter((name) => valueAt(found, [name]) !== undefined);
        return unrecognized(names, Object.keys(fieldsOf(at) ?? {}), path, noun);
      }
      if (found == null && unwrapped(at).optional) return [];
      if (found == null) return [{ path, reason: `is required: ${describeSchema(at)}` }];
      return [{ path, reason: `must be ${describeSchema(at)}${quotesHint(at, found)}` }];
    });
  const problems = [...textProblems(value), ...invalid].map(({ path, reason }) => ({
    path: pathText(path),
    reason,
  }));
  // A description names every rule of the schema, so one problem of a value is enough.
  return problems.filter(({ path }, index) => problems.findIndex((each) => each.path === path) === index);
}

/** YAML and the stack's configuration have numbers and booleans where a text lacks its quotes. */
function quotesHint(schema: z.ZodType, found: unknown): string {
  const type = typeof found;
  if ((type !== "number" && type !== "boolean") || describeKind(schema) !== "text") return "";
  return `; it is a ${type}, so put it into quotes`;
}

/** The names in a secret object are secret, too. Only a misspelt one is shown, and all names of the outermost object. */
function unrecognized(names: readonly string[], allowed: readonly string[], path: Path, noun: string) {
  const holder = path.findLast((step) => typeof step === "string");
  const what = holder === undefined ? noun : `a property of ${holder}`;
  const list = allowed.length === 0 ? "none is allowed" : `allowed: ${allowed.join(", ")}`;
  const isShown = (name: string) => path.length === 0 || nearestName(name, allowed) !== undefined;
  const shown = names.filter(isShown).map((name) => ({
    path: [...path, name],
    reason: `is not ${what}; ${list}${suggestion(name, allowed)}`,
  }));
  if (shown.length === names.length) return shown;
  const reason = `has a property that does not exist, and whose name may be secret; ${list}`;
  return [{ path, reason }, ...shown];
}
