/** The names that people know objects of the service by, and logical names that are derived from them. */
import { isRecord } from "../../provider/values/walk";
import type { ReadObject } from "./identity";
import { KINDS, type KindName } from "./kinds";
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
  const { uniqueBy } = KINDS[object.kind];
  const noun = nounOf(object.kind);
  if (uniqueBy !== undefined) {
    const name = objectName(object);
    return [(uniqueBy === "hostname" ? hyphenatedHostname(name) : hyphenated(name)) || noun];
  }
  const short = `${parentName ?? noun}-${String(object.reading.inputs.appType).toLowerCase()}`;
  const appName = hyphenated(appNameOf(object));
  return appName === "" ? [short] : [short, `${short}-${appName}`];
}

/** What an object of a kind is in a name: a custom domain is a `domain`. */
export function nounOf(kind: KindName): string {
  return KINDS[kind].title.replace(/.* /, "");
}

function appNameOf({ reading: { inputs } }: ReadObject): string {
  const info = Object.values(inputs).find(isRecord);
  return typeof info?.appName === "string" ? info.appName : "";
}
