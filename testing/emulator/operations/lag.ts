/** Reads that lag behind writes: they show objects as they were before they were created, changed or deleted. */

import { ServiceError } from "../wire/serviceError";
import type { Application, CustomDomain, Project } from "../world/entities";
import {
  type Lagging,
  type LagOption,
  projectOf,
  recordVersion,
  type Service,
  type Version,
} from "../world/world";
import { type Call, checkOrganization } from "./call";

/** The kinds of objects whose reads can lag, by the names of their collections. */
const KINDS = { projects: "Project", applications: "Application", customDomains: "Custom domain" } as const;

type Kind = keyof typeof KINDS;

type Shown<Name extends Kind> = {
  readonly projects: Project;
  readonly applications: Application;
  readonly customDomains: CustomDomain;
}[Name];

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
export function readable<Name extends Kind>(call: Call, kind: Name, id = ""): Shown<Name> {
  return seenBy(call, "readLag", kind, id);
}

/** The id of the Project of a path whose contents are listed. @throws ServiceError if the list does not find it. */
export function listableProject(call: Call): string {
  checkOrganization(call);
  return listableParent(call, "projects", call.path.project_id);
}

/** The id of a Project or Custom Domain whose contents are listed. @throws ServiceError if the list does not find it. */
export function listableParent(call: Call, kind: "projects" | "customDomains", id = ""): string {
  const { world, behaviour } = call.service;
  if (behaviour.contentsOfLate === "notFound") return seenBy(call, "listLag", kind, id).id;
  const parent = world[kind].get(id.toLowerCase());
  requireOwned(call, kind, parent);
  return parent.id;
}

/** The objects of a list as the list shows them: those that are `isHere`, without those that it lacks still, and with deleted ones. */
export function listed<Name extends Kind>(
  service: Service,
  kind: Name,
  isHere: (entity: Shown<Name>) => boolean,
): Shown<Name>[] {
  const present: ReadonlyMap<string, Lagging> = service.world[kind];
  return ([...present.values(), ...service.world.lag[kind].values()] as Shown<Name>[])
    .filter(isHere)
    .flatMap(({ id }) => (shown(service, "listLag", id, present.get(id)) as Shown<Name>) ?? []);
}

/** An object as reads with a lag see it. @throws ServiceError if they do not find it. */
function seenBy<Name extends Kind>(call: Call, option: LagOption, kind: Name, id: string): Shown<Name> {
  const { world } = call.service;
  const key = id.toLowerCase();
  const current: Lagging | undefined = world[kind].get(key);
  requireOwned(call, kind, current ?? world.lag[kind].get(key));
  const found = shown(call.service, option, key, current);
  if (found === undefined) throw notFound(kind);
  return found as Shown<Name>;
}

/** Requires that the credential's Organization has, or had, an object. */
function requireOwned(
  { service: { world }, credential }: Call,
  kind: Kind,
  entity: Lagging | undefined,
): asserts entity is Lagging {
  const project = entity !== undefined && "projectId" in entity ? projectOf(world, entity) : entity;
  if (project?.organizationId !== credential.organizationId) throw notFound(kind);
}

function notFound(kind: Kind): ServiceError {
  return new ServiceError(404, `${KINDS[kind]} not found.`);
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
