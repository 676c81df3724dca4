/** Reads that lag behind writes: objects that are not found or not listed yet, and deleted ones that are still listed. */

import { ServiceError } from "../wire/serviceError";
import type { Behaviour } from "../world/behaviour";
import type { Service } from "../world/world";

interface Identified {
  readonly id: string;
}

/** Records an object that was created over HTTP: reads of it may lag. Returns it. */
export function startLag<Entity extends Identified>({ world }: Service, entity: Entity): Entity {
  world.lag.created.add(entity.id);
  return entity;
}

/** The object of a GET. Refuses the GET if it does not find the object yet. Writes always find it. */
export function readable<Entity extends Identified>(service: Service, entity: Entity, kind: string): Entity {
  if (service.world.lag.created.has(entity.id) && isLate(service, "newObjectReadable", entity))
    throw new ServiceError(404, `${kind} not found.`);
  return entity;
}

/** The objects of a list, those that are `isHere`: without those that it lacks still, and with deleted ones that it contains still. */
export function listed<Entity extends Identified>(
  service: Service,
  present: ReadonlyMap<string, Entity>,
  deleted: ReadonlySet<Entity>,
  isHere: (entity: Entity) => boolean,
): Entity[] {
  const { created } = service.world.lag;
  const isUnlisted = (entity: Entity) => created.has(entity.id) && isLate(service, "newObjectListed", entity);
  return [
    ...[...present.values()].filter((entity) => isHere(entity) && !isUnlisted(entity)),
    ...[...deleted].filter((entity) => isHere(entity) && isLate(service, "deletedObjectUnlisted", entity)),
  ];
}

/** Whether a read of an object lags, according to an option. Each read that does is counted. */
function isLate(
  { world: { lag }, behaviour }: Service,
  option: keyof Pick<Behaviour, "newObjectReadable" | "newObjectListed" | "deletedObjectUnlisted">,
  { id }: Identified,
): boolean {
  const { [option]: until } = behaviour;
  const key = `${option} ${id}`;
  const count = lag.counts.get(key) ?? 0;
  if (until === "atOnce" || count >= until.afterPolls) return false;
  lag.counts.set(key, count + 1);
  return true;
}
