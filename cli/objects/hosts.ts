/** The two ways in which a program's resources run, and the kinds of their types. */
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../provider/hosts/hosts";
import { KIND_NAMES, KINDS, type KindName } from "./kinds";

export const HOSTS: Readonly<Record<"dynamic" | "native", Host>> = {
  dynamic: DYNAMIC_HOST,
  native: NATIVE_HOST,
};

/** The kind of a resource type of any host; undefined if it is none that can be imported. */
export function importableKind(type: string): KindName | undefined {
  return KIND_NAMES.find((kind) => Object.values(HOSTS).some((host) => host.typeToken(KINDS[kind]) === type));
}
