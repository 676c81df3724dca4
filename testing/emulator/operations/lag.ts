/** Reads that lag behind writes: they show objects as they were before they were created, changed or deleted. */

import { ServiceError } from "../wire/serviceError";
import { type Lagging, type LagOption, recordVersion, type Service, type Version } from "../world/world";

/** Records an object that was created over HTTP: reads may not find it yet. Returns it. */
export function startLag<Entity extends Lagging>(service: Service, entity: Entity): Entity {
  recordVersion(service, entity.id, undefined);
  return entity;
}

/** Records an object that the API or the console is about to change: reads may show it as it was. */
export function startChangeLag(service: Service, entity: Lagging): void {
  recordVersion(service, entity.id, entity);
}

/** The object of a GET, as the GET shows it. Refuses the GET if it does not find the object yet. Writes always find it. */
export function readable<Entity extends Lagging>(service: Service, entity: Entity, kind: string): Entity {
  const found = shown(service, "readLag", entity.id, entity);
  if (found === undefined) throw new ServiceError(404, `${kind} not found.`);
  return found;
}

/** The objects of a list as the list shows them: those that are `isHere`, without those that it lacks still, and with deleted ones. */
export function listed<Entity extends Lagging>(
  service: Service,
  present: ReadonlyMap<string, Entity>,
  deleted: ReadonlyMap<string, Entity>,
  isHere: (entity: Entity) => boolean,
): Entity[] {
  return [...present.values(), ...deleted.values()]
    .filter(isHere)
    .flatMap(({ id }) => shown(service, "listLag", id, present.get(id)) ?? []);
}

/** The object as a read shows it: after the latest change that the read does not lag behind. */
function shown<Entity extends Lagging>(
  { world: { lag }, behaviour, now }: Service,
  option: LagOption,
  id: string,
  current: Entity | undefined,
): Entity | undefined {
  const { [option]: until } = behaviour;
  if (until === "atOnce") return current;
  const versions = lag.versions.get(id)?.filter(({ reads }) => reads.has(option)) ?? [];
  const count = ({ reads }: Version) => reads.get(option) ?? 0;
  const past = versions.find((version) =>
    "afterPolls" in until
      ? count(version) < until.afterPolls
      : now().getTime() < version.until.getTime() + until.afterSeconds * 1_000,
  );
  for (const version of versions) version.reads.set(option, count(version) + 1);
  return past === undefined ? current : (past.before as Entity | undefined);
}
