/** Reports what needs review in an organization: similar problems together, and objects by name. */
import { counted } from "../../provider/values/phrases";
import { KINDS, type KindName } from "../objects/kinds";
import type { Problem, ProblemObject } from "../service/inventory";
import { type Console, printMessage } from "../terminal/console";

/** Whether a problem leaves something undone. A domain that has failed or expired is declared like any other. */
export function needsReview({ object }: Problem): boolean {
  return object?.reason !== "FAILED" && object?.reason !== "EXPIRED";
}

/** Prints the problems as warnings. */
export function reportProblems(problems: readonly Problem[], console: Console): void {
  for (const [first, ...others] of Map.groupBy(problems, groupOf).values()) {
    if (first === undefined) continue;
    const { kind, object, message } = first;
    if (object === undefined || kind === "link") {
      printMessage(console, "warning", message);
      continue;
    }
    const group = [first, ...others];
    printMessage(console, "warning", heading(kind, object, group.length), group.map(subject));
  }
}

/** Problems of objects are grouped by type and reason. */
function groupOf({ kind, object, message }: Problem): string {
  return object === undefined ? message : `${kind} ${object.reason}`;
}

function heading(kind: KindName, { reason }: ProblemObject, count: number): string {
  const objects = counted(count, KINDS[kind].description.title);
  const [are, them, serve] = count === 1 ? ["is", "it", "serves"] : ["are", "them", "serve"];
  switch (reason) {
    case "DELETING":
      return `${objects} ${are} being deleted, and not declared:`;
    case "unknownValue":
      return `${objects} ${count === 1 ? "has a value" : "have values"} that this version does not know, and ${are} not declared. Use a newer version of this package:`;
    case "undeclarable":
      return `${objects} cannot be imported. Correct ${them} in the service first:`;
    default:
      return `${objects} ${are} ${reason}: declared, but ${serve} no links:`;
  }
}

function subject({ uuid, object }: Problem): string {
  const { name = "", projectName, detail } = object ?? {};
  const place = projectName === undefined ? "" : `in project ${projectName}`;
  const words = [name, place, `(${uuid})`].filter((word) => word !== "").join(" ");
  return detail === undefined ? words : `${words}: ${detail}`;
}
