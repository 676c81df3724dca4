/** Warns of valid values that the program probably does not mean. */
import { withArticle } from "../../values/phrases";
import { propertyAt, stepsOf, valueAt } from "../../values/walk";
import { resourceOf } from "../ledger/facts";
import type { Properties } from "../properties";
import type { ResourceRun } from "../run/runContext";

interface Doubtful {
  readonly resource: string | undefined;
  readonly inputs: Properties;
  /** The previous inputs; empty for a new resource. */
  readonly before: Properties;
  mayShow(name: string): boolean;
}

/** Warns of new and changed values. The dynamic host shows the warning on the stack, so it names the resource. */
export function reportDoubts(
  { description: { doubts = [], title }, session, isUnknown, report }: ResourceRun,
  { resource: by, inputs, before, mayShow }: Doubtful,
): void {
  const { sanitized } = session.client;
  const resource = by === undefined ? withArticle(title) : resourceOf({ by }, sanitized);
  for (const { path, usual, rule } of doubts) {
    const [value, earlier] = [inputs, before].map((values) => valueAt(values, stepsOf(path)));
    if (typeof value !== "string" || value === earlier || isUnknown(value) || usual.test(value)) continue;
    const shown = mayShow(propertyAt(path)) ? ` ${JSON.stringify(sanitized(value))}` : "";
    report(`The ${path}${shown} of ${resource} is probably wrong: ${rule}.`, {
      persistent: true,
      warning: true,
    });
  }
}
