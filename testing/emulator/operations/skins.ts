/** The operations on a Project's Skin. The default landing message belongs to the Project, and is read-only here. */
import { ServiceError, SKIN_NOT_FOUND } from "../wire/serviceError";
import { skinOnWire } from "../wire/wire";
import { type NewSkin, newSkin } from "../world/additions";
import { timestamp } from "../world/world";
import { type Call, projectOfPath } from "./call";

export function getProjectSkin(call: Call): object {
  const project = projectOfPath(call);
  const { skin } = project;
  if (skin === null) throw new ServiceError(404, SKIN_NOT_FOUND);
  return skinOnWire(call.service, { ...project, skin });
}

export function saveProjectSkin(call: Call): object {
  const project = projectOfPath(call);
  const theme = call.body as NewSkin;
  const skin =
    project.skin === null
      ? newSkin(call.service, theme)
      : { ...project.skin, ...theme, updatedAt: timestamp(call.service) };
  return skinOnWire(call.service, Object.assign(project, { skin }));
}
