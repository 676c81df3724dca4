/** What `discover` finds for the list of a converted program's resources. */
import { identityKey } from "../objects/identity";
import { completed, type ImportList, problemIn, uuidsIn } from "../program/importList";
import { type Discovery, selectionIn, withReason } from "./discovery";
import type { TerraformObject } from "./terraformState";

/** Writes the UUIDs of what was found into a list. What the list already has needs no key. */
export function listedDiscovery(
  discovery: Discovery,
  state: readonly TerraformObject[],
  list: ImportList,
): { readonly discovery: Discovery; readonly list: ImportList } {
  const { objects } = selectionIn(state);
  const found = new Set(discovery.objects.map(identityKey));
  const listed = uuidsIn(list);
  const isOpen = ({ uuid }: { readonly uuid: string }) => !listed.has(uuid);
  const { placed = [], unplaced = [] } = Object.groupBy(
    objects
      .filter((one) => isOpen(one) && found.has(identityKey(one)))
      .map((object) => ({ ...object, problem: problemIn(list, object, objects) })),
    ({ problem }) => (problem === undefined ? "placed" : "unplaced"),
  );
  const completedList = completed(list, placed);
  const uuids = uuidsIn(completedList);
  return {
    list: completedList,
    discovery: {
      ...discovery,
      objects: discovery.objects.filter(({ uuid }) => uuids.has(uuid)),
      leftOut: [
        ...discovery.leftOut.filter(isOpen),
        ...unplaced.map(({ problem, ...object }) => withReason(object, problem ?? "")),
      ],
      elsewhere: discovery.elsewhere.filter(isOpen),
      // Also those that were left out, because Terraform would destroy or replace the object there.
      addresses: state.filter(({ uuid }) => uuids.has(uuid)).map(({ address }) => address),
    },
  };
}
