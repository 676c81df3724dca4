/** The names that people know objects of the service by, and logical names that are derived from them. */
import { isRecord } from "../../provider/values/walk";
import type { ReadObject } from "./identity";
import { KINDS } from "./kinds";
import { hyphenated, hyphenatedHostname } from "./logicalNames";

/** What the service keeps unique, such as the name of a project; else the platform and the name of an application. */
export function objectName(object: ReadObject): string {
  const { uniqueBy } = KINDS[object.kind];
  const { inputs } = object.reading;
  if (uniqueBy !== undefined) return String(inputs[uniqueBy]);
  return `${inputs.appType} ${appNameOf(object)}`.trim();
}

/** Logical names, the best one first. `parentName` is that of the parent. */
export function proposedNames(object: ReadObject, parentName: string | undefined): readonly string[] {
  const { title, uniqueBy } = KINDS[object.kind];
  const noun = title.split(" ").at(-1) ?? title;
  if (uniqueBy !== undefined) {
    const name = objectName(object);
    return [(uniqueBy === "hostname" ? hyphenatedHostname(name) : hyphenated(name)) || noun];
  }
  const short = `${parentName ?? noun}-${String(object.reading.inputs.appType).toLowerCase()}`;
  const appName = hyphenated(appNameOf(object));
  return appName === "" ? [short] : [short, `${short}-${appName}`];
}

function appNameOf({ reading: { inputs } }: ReadObject): string {
  const info = Object.values(inputs).find(isRecord);
  return typeof info?.appName === "string" ? info.appName : "";
}
