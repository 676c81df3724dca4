// The operations on a Project's Skin. The default landing message belongs to the Project and is only shown here.
import type { Project, Skin } from "../entities";
import { Refusal } from "../refusal";
import { skinOnWire } from "../wire";
import { makeSkin, timestamp } from "../world";
import { type Handler, ok, projectOfPath } from "./call";

export const getProjectSkin: Handler = (call) => {
  const project = projectOfPath(call);
  if (!hasSkin(project)) throw new Refusal(404, "Skin not found.");
  return ok(skinOnWire(project));
};

export const saveProjectSkin: Handler = (call) => {
  const project = projectOfPath(call);
  const theme = call.body as Pick<Skin, "themeType" | "themeChoiceType">;
  const skin =
    project.skin === null
      ? makeSkin(call.service, theme)
      : { ...project.skin, ...theme, updatedAt: timestamp(call.service) };
  return ok(skinOnWire(Object.assign(project, { skin })));
};

function hasSkin(project: Project): project is Project & { skin: Skin } {
  return project.skin !== null;
}
