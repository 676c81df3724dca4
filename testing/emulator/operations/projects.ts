// The operations on Projects.
import { Refusal } from "../refusal";
import { projectOnWire } from "../wire";
import { addProject, applicationsOf, customDomainsOf, linksOf, removeProject, timestamp } from "../world";
import { type Call, checkOrganization, created, type Handler, noContent, ok, projectOfPath } from "./call";

interface ProjectBody {
  projectName?: string;
  logoImageId?: string | null;
  defaultHookupMsg?: string | null;
}

export const createProject: Handler = (call) => {
  const organizationId = checkOrganization(call);
  const { projectName = "", ...rest } = call.body as ProjectBody;
  if (isNameTaken(call, projectName)) throw new Refusal(409, "Project name already exists.");
  const project = addProject(call.service, organizationId, {
    name: projectName,
    logoImageId: rest.logoImageId,
    defaultHookupMsg: rest.defaultHookupMsg,
    pro: call.service.behaviour.defaultPro,
  });
  return created(projectOnWire(call.service, project));
};

export const listProjects: Handler = (call) => {
  const organizationId = checkOrganization(call);
  const { service } = call;
  const projects = [...service.world.projects.values()].filter(
    (one) => one.organizationId === organizationId,
  );
  return ok({ projects: projects.map((project) => projectOnWire(service, project)) });
};

export const checkProjectNameAvailability: Handler = (call) => {
  checkOrganization(call);
  return ok({ is_available: !isNameTaken(call, call.query.project_name as string) });
};

export const getProject: Handler = (call) => ok(projectOnWire(call.service, projectOfPath(call)));

export const updateProject: Handler = (call) => {
  const project = projectOfPath(call);
  const { projectName, logoImageId, defaultHookupMsg } = call.body as ProjectBody;
  if (projectName !== undefined && isNameTaken(call, projectName, project.id)) {
    throw new Refusal(409, "Project name already exists.");
  }
  if (projectName !== undefined) project.name = projectName;
  if (logoImageId !== undefined) project.logoImageId = logoImageId;
  if (defaultHookupMsg !== undefined) project.defaultHookupMsg = defaultHookupMsg;
  project.updatedAt = timestamp(call.service);
  return ok(projectOnWire(call.service, project));
};

export const deleteProject: Handler = (call) => {
  const { id } = projectOfPath(call);
  const { world, behaviour } = call.service;
  const children = applicationsOf(world, id).length + customDomainsOf(world, id).length;
  if (children > 0 && behaviour.deleteProjectWithChildren === "conflict") {
    throw new Refusal(409, "Project still has applications or custom domains.");
  }
  if (linksOf(world, id).length > 0 && behaviour.deleteProjectWithLinks === "conflict") {
    throw new Refusal(409, "Project still has links.");
  }
  removeProject(world, id);
  return noContent;
};

function isNameTaken({ service, credential }: Call, name: string, exceptId?: string): boolean {
  if (!service.behaviour.uniqueProjectNames) return false;
  return [...service.world.projects.values()].some(
    (one) => one.organizationId === credential.organizationId && one.name === name && one.id !== exceptId,
  );
}
