/** Reads that lag behind writes: they show objects as they were before they were created, changed or deleted. */
import { type Lagging, type LagOption, recordVersion, type Service, type Version } from "../world/world";
import { type Call, checkOrganization, notFound, type Objects, objectWithId, requireOwned } from "./call";

/** The kinds of objects whose reads can lag, by the names of their collections. */
type Kind = Exclude<keyof Objects, "links">;

/** Records an object that was created over HTTP: reads may not find it yet. Returns it. */
export function recordNew<Entity extends Lagging>(service: Service, entity: Entity): Entity {
  recordVersion(service, entity.id, undefined);
  return entity;
}

/** Records an object that the API or the console is about to change: reads may show it as it was. */
export function recordChange(service: Service, entity: Lagging): void {
  recordVersion(service, entity.id, entity);
}

/** The object that a write begins with. Refuses the write if its lookup does not find the object. */
export function writable<Name extends Kind>(call: Call, kind: Name, id = ""): Objects[Name] {
  if (call.service.behaviour.writeLookups === "lag") readable(call, kind, id);
  return objectWithId(call, kind, id);
}

/** The Project of a path in which a write begins. */
export function writableProject(call: Call): Objects["projects"] {
  checkOrganization(call);
  return writable(call, "projects", call.path.project_id);
}

/** The object of a GET, as the GET shows it. Refuses the GET if it does not find the object. */
export function readable<Name extends Kind>(call: Call, kind: Name, id = ""): Objects[Name] {
  return seenBy(call, "readLag", kind, id);
}

/** The id of the Project of a path whose contents are listed. @throws ServiceError if the list does not find it. */
export function listableProject(call: Call): string {
  checkOrganization(call);
  return listableParent(call, "projects", call.path.project_id);
}

/** The id of a Project or Custom Domain whose contents are listed. @throws ServiceError if the list does not find it. */
export function listableParent(call: Call, kind: "projects" | "customDomains", id = ""): string {
  const { behaviour } = call.service;
  if (behaviour.contentsOfLate === "notFound") return seenBy(call, "listLag", kind, id).id;
  return objectWithId(call, kind, id).id;
}

/** The objects of a list as the list shows them: those that are `isHere`, without those that it lacks still, and with deleted ones. */
export function listed<Name extends Kind>(
  service: Service,
  kind: Name,
  isHere: (entity: Objects[Name]) => boolean,
): Objects[Name][] {
  const present: ReadonlyMap<string, Lagging> = service.world[kind];
  const isPast = replica(service, "listLag");
  return ([...present.values(), ...service.world.lag[kind].values()] as Objects[Name][])
    .filter(isHere)
    .flatMap(({ id }) => (shown(service, "listLag", id, present.get(id), isPast) as Objects[Name]) ?? []);
}

/** An object as reads with a lag see it. @throws ServiceError if they do not find it. */
function seenBy<Name extends Kind>(call: Call, option: LagOption, kind: Name, id: string): Objects[Name] {
  const { world } = call.service;
  const key = id.toLowerCase();
  const current: Lagging | undefined = world[kind].get(key);
  requireOwned(call, kind, current ?? world.lag[kind].get(key));
  const found = shown(call.service, option, key, current, replica(call.service, option));
  if (found === undefined) throw notFound(kind);
  return found as Objects[Name];
}

type IsPast = (version: Version) => boolean;

/** Whether the replica that responds to a request has not seen the end of a version. */
function replica({ world, behaviour, now }: Service, option: LagOption): IsPast {
  const { [option]: lag } = behaviour;
  if (lag === "atOnce") return () => false;
  if ("afterPolls" in lag) return ({ reads }) => (reads.get(option) ?? 0) < lag.afterPolls;
  const seconds = "afterSeconds" in lag ? lag.afterSeconds : lag.upToSeconds * fraction(world.drawn++);
  return ({ until }) => now().getTime() < until.getTime() + seconds * 1_000;
}

/** A number from 0 to 1 that is the same for the same index, and far from that of the next one. */
function fraction(index: number): number {
  return (Math.imul(index, 2_654_435_761) >>> 0) / 2 ** 32;
}

/** The object as a replica shows it: after the latest change that the replica has seen. */
function shown<Entity extends Lagging>(
  { world: { lag } }: Service,
  option: LagOption,
  id: string,
  current: Entity | undefined,
  isPast: IsPast,
): Entity | undefined {
  const versions = lag.versions.get(id)?.filter(({ reads }) => reads.has(option)) ?? [];
  const past = versions.find(isPast);
  for (const { reads } of versions) reads.set(option, (reads.get(option) ?? 0) + 1);
  return past === undefined ? current : (past.before as Entity | undefined);
}
