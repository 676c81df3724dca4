/** The operations on Projects. */
import { ServiceError } from "../wire/serviceError";
import { projectOnWire } from "../wire/wire";
import { addProject, settingsIn } from "../world/additions";
import type { ProjectSettings } from "../world/entities";
import { ofProject, removeProject, timestamp } from "../world/world";
import { type Call, checkOrganization } from "./call";
import { listed, readable, recordChange, recordNew, writableProject } from "./lag";

interface ProjectBody extends Partial<ProjectSettings> {
  readonly projectName?: string;
}

export function createProject(call: Call): object {
  const organizationId = checkOrganization(call);
  const { projectName = "", ...settings } = call.body as ProjectBody;
  if (isNameTaken(call, projectName)) throw new ServiceError(409, "Project name already exists.");
  const values = { name: storedName(call, projectName), ...settingsIn(settings) };
  const project = addProject(call.service, organizationId, values);
  return projectOnWire(call.service, recordNew(call.service, project));
}

export function listProjects(call: Call): object {
  const organizationId = checkOrganization(call);
  const { service } = call;
  const found = listed(service, "projects", (project) => project.organizationId === organizationId);
  return { projects: found.map((project) => projectOnWire(service, project)) };
}

export function checkProjectNameAvailability(call: Call): object {
  checkOrganization(call);
  return { is_available: !isNameTaken(call, call.query.project_name as string) };
}

export function getProject(call: Call): object {
  checkOrganization(call);
  return projectOnWire(call.service, readable(call, "projects", call.path.project_id));
}

export function updateProject(call: Call): object {
  const project = writableProject(call);
  const { projectName, ...settings } = call.body as ProjectBody;
  if (projectName !== undefined && isNameTaken(call, projectName, project.id))
    throw new ServiceError(409, "Project name already exists.");
  recordChange(call.service, project);
  if (projectName !== undefined) project.name = storedName(call, projectName);
  Object.assign(project, settingsIn(settings), { updatedAt: timestamp(call.service) });
  return projectOnWire(call.service, project);
}

export function deleteProject(call: Call): void {
  const project = writableProject(call);
  const { world, behaviour } = call.service;
  const isFull = [world.applications, world.customDomains, world.links].some(
    (entities) => ofProject<{ readonly projectId: string }>(entities, project.id).length > 0,
  );
  if (isFull && behaviour.deleteWithContents === "conflict")
    throw new ServiceError(409, "Project still has applications, custom domains or links.");
  removeProject(call.service, project.id);
}

function isNameTaken(call: Call, name: string, exceptId?: string): boolean {
  const { service, credential } = call;
  if (!service.behaviour.uniqueNames) return false;
  const compared = comparedName(call, name);
  const others = [...service.world.projects.values()].filter(
    ({ id, organizationId }) => id !== exceptId && organizationId === credential.organizationId,
  );
  return others.some((one) => comparedName(call, one.name) === compared);
}

function comparedName(call: Call, name: string): string {
  const stored = storedName(call, name);
  return call.service.behaviour.uniqueNames === "ignoringCase" ? stored.toLowerCase() : stored;
}

/** A name in the form in which the service stores it. */
function storedName({ service: { behaviour } }: Call, name: string): string {
  return behaviour.storedForm === "normalizedNames" ? name.trim().toLowerCase() : name;
}
