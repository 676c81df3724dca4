/** Reads that lag behind writes: they show objects as they were before they were created, changed or deleted. */
import { type Lagging, type LagOption, recordVersion, type Service, type Version } from "../world/world";
import { type Call, checkOrganization, notFound, type Objects, objectWithId, requireOwned } from "./call";

/** The kinds of objects whose reads can lag, by the names of their collections. */
type Kind = Exclude<keyof Objects, "links">;

/** Records an object that was created over HTTP: reads may not find it yet. Returns it. */
export function startLag<Entity extends Lagging>(service: Service, entity: Entity): Entity {
  recordVersion(service, entity.id, undefined);
  return entity;
}

/** Records an object that the API or the console is about to change: reads may show it as it was. */
export function startChangeLag(service: Service, entity: Lagging): void {
  recordVersion(service, entity.id, entity);
}

/** The object of a GET, as the GET shows it. Refuses the GET if it does not find the object. Writes always find what exists. */
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
  return ([...present.values(), ...service.world.lag[kind].values()] as Objects[Name][])
    .filter(isHere)
    .flatMap(({ id }) => (shown(service, "listLag", id, present.get(id)) as Objects[Name]) ?? []);
}

/** An object as reads with a lag see it. @throws ServiceError if they do not find it. */
function seenBy<Name extends Kind>(call: Call, option: LagOption, kind: Name, id: string): Objects[Name] {
  const { world } = call.service;
  const key = id.toLowerCase();
  const current: Lagging | undefined = world[kind].get(key);
  requireOwned(call, kind, current ?? world.lag[kind].get(key));
  const found = shown(call.service, option, key, current);
  if (found === undefined) throw notFound(kind);
  return found as Objects[Name];
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
