/**
 * What differs between a resource and what the program wants, after the resource options had their say.
 */
import type { Provider } from "./provider";
import {
  changedPaths,
  matchesPath,
  type Properties,
  type PropertyPath,
  parsePath,
  resetPath,
} from "./values";

/** The decision about a resource that exists. */
export interface Difference {
  readonly changes: boolean;
  /** The properties that make it a replacement; it is one when there are any. */
  readonly replaceKeys: readonly string[];
  readonly changedKeys: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** A difference that the engine itself sees, without a provider. */
export function difference(changes: boolean, replaceKeys: string[] = []): Difference {
  return {
    changes,
    replaceKeys,
    changedKeys: [],
    deleteBeforeReplace: false,
  };
}

/** The name that stands in `replaceOnChanges` for "it is not ready". */
const INIT_ERROR = "#initerror";

/** Asks the provider; compares the inputs where it leaves that to the engine. */
export async function askProvider(
  provider: Provider,
  request: Parameters<Provider["diff"]>[0],
): Promise<Difference & { paths: PropertyPath[] }> {
  const answer = await provider.diff(request);
  const { inputs } = ignoreChanges(request.ignoreChanges, request.oldInputs, request.news);
  const paths = answer.changes === undefined ? changedPaths(request.oldInputs, inputs) : [];
  return {
    changes: answer.changes ?? paths.length > 0,
    replaceKeys: answer.replaces,
    changedKeys: [...new Set(paths.map(([name]) => String(name)))],
    deleteBeforeReplace: answer.deleteBeforeReplace,
    paths,
  };
}

/** Adds what the option `replaceOnChanges` turns into a replacement. */
export function replaceOnChanges(
  found: Difference & { paths?: PropertyPath[] },
  patterns: readonly string[],
  hasInitErrors: boolean,
): Difference {
  if (!found.changes && !hasInitErrors) return found;
  const matching = (path: PropertyPath): boolean =>
    patterns.some((pattern) => matchesPath(parsePath(pattern), path));
  const unready = hasInitErrors && matching([INIT_ERROR]);
  const keys = (found.paths ?? []).filter(matching).map(([name]) => String(name));
  return {
    ...found,
    changes: found.changes || unready,
    replaceKeys: [...new Set([...found.replaceKeys, ...keys, ...(unready ? [INIT_ERROR] : [])])],
  };
}

/** The inputs with old values in place of those to be ignored, and the paths where that was impossible. */
export function ignoreChanges(
  patterns: readonly string[],
  oldInputs: Properties,
  inputs: Properties,
): { inputs: Properties; impossible: string[] } {
  if (patterns.length === 0) return { inputs, impossible: [] };
  const before = structuredClone(oldInputs);
  const after = structuredClone(inputs);
  const impossible = patterns.filter((pattern) => !resetPath(parsePath(pattern), before, after));
  return { inputs: after, impossible };
}
