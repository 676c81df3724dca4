/** What `discover` finds for the list of a converted program's resources. */
import { identityKey, type ObjectId } from "../objects/identity";
import { completed, type ImportList, problemsIn, uuidsIn } from "../program/importList";
import { type Discovery, withReason } from "./discovery";
import type { TerraformObject } from "./terraformState";

/** Writes the UUIDs of what was found into a list. What the list already has needs no key. */
export function listedDiscovery(
  discovery: Discovery,
  state: readonly TerraformObject[],
  list: ImportList,
): { readonly discovery: Discovery; readonly list: ImportList } {
  const objects = state.flatMap(({ kind, ...one }) =>
    kind === undefined || one.problem !== undefined ? [] : { ...one, kind },
  );
  const found = new Set(discovery.objects.map(identityKey));
  const problems = problemsIn(list, objects);
  const isFound = (object: ObjectId) => found.has(identityKey(object));
  const isListed = ({ uuid }: { readonly uuid: string }) => uuidsIn(list).has(uuid);
  const completedList = completed(
    list,
    objects.filter((one) => isFound(one) && !problems.has(identityKey(one))),
  );
  const uuids = uuidsIn(completedList);
  const unplaced = objects.filter(isFound).flatMap((one) => {
    const problem = problems.get(identityKey(one));
    return problem === undefined ? [] : withReason(one, problem);
  });
  return {
    list: completedList,
    discovery: {
      ...discovery,
      objects: discovery.objects.filter(({ uuid }) => uuids.has(uuid)),
      leftOut: [...discovery.leftOut.filter((one) => !isListed(one)), ...unplaced],
      elsewhere: discovery.elsewhere.filter((one) => !isListed(one)),
      addresses: objects.filter(({ uuid }) => uuids.has(uuid)).map(({ address }) => address),
    },
  };
}
