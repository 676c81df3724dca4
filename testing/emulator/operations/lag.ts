/**
 * Reads that lag behind writes: objects that are not found or not listed yet, deleted ones that are still listed, and
 * changed ones that are shown as they were before.
 */

import { ServiceError } from "../wire/serviceError";
import type { Behaviour } from "../world/behaviour";
import type { Application, CustomDomain, Project } from "../world/entities";
import type { ChangeLag, Service, Version } from "../world/world";

type Lagging = Project | Application | CustomDomain;

/** Records an object that was created over HTTP: reads of it may lag. Returns it. */
export function startLag<Entity extends Lagging>({ world }: Service, entity: Entity): Entity {
  world.lag.created.add(entity.id);
  return entity;
}

/** Records an object that the API or the console is about to change: reads of its values may lag. */
export function startChangeLag({ world: { lag }, behaviour, now }: Service, entity: Lagging): void {
  const late = (["changeReadable", "changeListed"] as const).filter((each) => behaviour[each] !== "atOnce");
  if (late.length === 0) return;
  const reads = new Map(late.map((option) => [option, 0]));
  const version = { entity: structuredClone(entity), until: now(), reads };
  lag.versions.set(entity.id, [...(lag.versions.get(entity.id) ?? []), version]);
}

/** The object of a GET, as the GET shows it. Refuses the GET if it does not find the object yet. Writes always find it. */
export function readable<Entity extends Lagging>(service: Service, entity: Entity, kind: string): Entity {
  if (service.world.lag.created.has(entity.id) && isLate(service, "newObjectReadable", entity))
    throw new ServiceError(404, `${kind} not found.`);
  return shown(service, "changeReadable", entity);
}

/** The objects of a list, those that are `isHere`: without those that it lacks still, and with deleted ones that it contains still. */
export function listed<Entity extends Lagging>(
  service: Service,
  present: ReadonlyMap<string, Entity>,
  deleted: ReadonlySet<Entity>,
  isHere: (entity: Entity) => boolean,
): Entity[] {
  const { created } = service.world.lag;
  const isUnlisted = (entity: Entity) => created.has(entity.id) && isLate(service, "newObjectListed", entity);
  const found = [
    ...[...present.values()]
      .filter((entity) => isHere(entity) && !isUnlisted(entity))
      .map((entity) => shown(service, "changeListed", entity)),
    ...[...deleted].filter((entity) => isHere(entity) && isLate(service, "deletedObjectUnlisted", entity)),
  ];
  return service.behaviour.listOrder === "newestFirst" ? found.reverse() : found;
}

/** The object as a read shows it: after the latest change that the read does not lag behind. */
function shown<Entity extends Lagging>(
  { world: { lag }, behaviour, now }: Service,
  option: ChangeLag,
  entity: Entity,
): Entity {
  const { [option]: until } = behaviour;
  if (until === "atOnce") return entity;
  const versions = lag.versions.get(entity.id)?.filter(({ reads }) => reads.has(option)) ?? [];
  const count = ({ reads }: Version) => reads.get(option) ?? 0;
  const past = versions.find((version) =>
    "afterPolls" in until
      ? count(version) < until.afterPolls
      : now().getTime() < version.until.getTime() + until.afterSeconds * 1_000,
  );
  for (const version of versions) version.reads.set(option, count(version) + 1);
  return (past?.entity as Entity | undefined) ?? entity;
}

/** Whether a read of an object lags, according to an option. Each read that does is counted. */
function isLate(
  { world: { lag }, behaviour }: Service,
  option: keyof Pick<Behaviour, "newObjectReadable" | "newObjectListed" | "deletedObjectUnlisted">,
  { id }: Lagging,
): boolean {
  const { [option]: until } = behaviour;
  const key = `${option} ${id}`;
  const count = lag.counts.get(key) ?? 0;
  if (until === "atOnce" || count >= until.afterPolls) return false;
  lag.counts.set(key, count + 1);
  return true;
}
