/** The difference between a resource and its goal, with the options `ignoreChanges` and `replaceOnChanges` applied. */
import { changedPaths, matchesPath, type PropertyPath, parsePath, resetPath } from "../protocol/paths";
import type { Properties } from "../protocol/values";
import type { Provider, ResourceChange } from "../providers/provider";

export interface DiffResult {
  readonly changes: boolean;
  /** The properties that require a replacement, if any. */
  readonly replaceKeys: readonly string[];
  /** The paths that differ, as far as they are known. */
  readonly paths: readonly PropertyPath[];
  readonly deleteBeforeReplace: boolean;
}

/** A difference that the engine finds without a provider. */
export function difference(changes: boolean, replaceKeys: string[] = []): DiffResult {
  return { changes, replaceKeys, paths: [], deleteBeforeReplace: false };
}

/** The path in `replaceOnChanges` that matches a resource which is not ready. */
const INIT_ERROR = "#initerror";

/** Asks the provider. The engine compares the inputs if the provider does not decide. */
export async function askProvider(provider: Provider, change: ResourceChange): Promise<DiffResult> {
  const answer = await provider.diff(change);
  const inputs = ignoreChanges(change.ignoreChanges, change.oldInputs, change.news);
  const compared = answer.changes === undefined ? changedPaths(change.oldInputs, inputs) : [];
  const paths = answer.paths?.map(parsePath) ?? compared;
  return {
    changes: answer.changes ?? paths.length > 0,
    replaceKeys: answer.replaces,
    deleteBeforeReplace: answer.deleteBeforeReplace,
    paths,
  };
}

export function namesIn(paths: readonly PropertyPath[]): string[] {
  return [...new Set(paths.map(([name]) => String(name)))];
}

/** Adds the replacements that the option `replaceOnChanges` requires. */
export function replaceOnChanges(
  found: DiffResult,
  patterns: readonly string[],
  hasInitErrors: boolean,
): DiffResult {
  if (!found.changes && !hasInitErrors) return found;
  const matching = (path: PropertyPath): boolean =>
    patterns.some((pattern) => matchesPath(parsePath(pattern), path));
  const unready = hasInitErrors && matching([INIT_ERROR]);
  const keys = namesIn(found.paths.filter(matching));
  return {
    ...found,
    changes: found.changes || unready,
    replaceKeys: [...new Set([...found.replaceKeys, ...keys, ...(unready ? [INIT_ERROR] : [])])],
  };
}

/** The inputs with the old values at the ignored paths. A list keeps its added or removed elements. */
export function ignoreChanges(patterns: readonly string[], olds: Properties, inputs: Properties): Properties {
  if (patterns.length === 0) return inputs;
  const before = structuredClone(olds);
  const after = structuredClone(inputs);
  for (const pattern of patterns) resetPath(parsePath(pattern), before, after);
  return after;
}
