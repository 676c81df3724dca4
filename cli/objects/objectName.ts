/** The names that people know objects of the service by, and logical names that are derived from them. */
import { isRecord } from "../../provider/values/walk";
import type { ReadObject } from "./identity";
import { KINDS } from "./kinds";
import { hyphenated, hyphenatedHostname } from "./logicalNames";

/** What the service keeps unique, such as the name of a project; else the platform and the name of an application. */
export function objectName(object: ReadObject): string {
  const { uniqueBy } = KINDS[object.kind].description;
  if (uniqueBy !== undefined) return String(object.reading.inputs[uniqueBy]);
  return [...choicesOf(object), appNameOf(object) ?? ""].join(" ").trim();
}

/** The name of an application on its platform. */
export function appNameOf({ reading: { inputs } }: ReadObject): string | undefined {
  const info = Object.values(inputs).find(isRecord);
  return typeof info?.appName === "string" && info.appName !== "" ? info.appName : undefined;
}

/** Logical names, the best one first. `parentName` is that of what the object is in. */
export function proposedNames(object: ReadObject, parentName: string | undefined): readonly string[] {
  const { title, uniqueBy, inputs } = KINDS[object.kind].description;
  const noun = title.split(" ").at(-1) ?? title;
  if (uniqueBy !== undefined) {
    const isHostname = inputs[uniqueBy]?.rules?.format === "hostname";
    return [(isHostname ? hyphenatedHostname : hyphenated)(objectName(object)) || noun];
  }
  const words = choicesOf(object).map((value) => value.toLowerCase());
  const short = [parentName ?? noun, ...words].join("-");
  const appName = hyphenated(appNameOf(object) ?? "");
  return appName === "" ? [short] : [short, `${short}-${appName}`];
}

/** The values of inputs that are choices, such as the platform of an application. */
function choicesOf({ kind, reading: { inputs } }: ReadObject): string[] {
  const fields = Object.entries(KINDS[kind].description.inputs);
  return fields.flatMap(([name, shape]) => (shape.kind === "choice" ? [String(inputs[name])] : []));
}
