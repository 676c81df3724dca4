/** A kind whose create sets what the service keeps for a project: no kind of the package is one, so tests describe one. */
import { z } from "zod";
import type { Skin } from "../../../provider/client";
import { saveSkin, skin } from "../../../provider/client/model/skin";
import type { Found, OperationContext, ResourceDescription } from "../../../provider/lifecycle/description";
import { projectsOf } from "../../../provider/lifecycle/evidence/lists";

const inputs = z.strictObject({ projectId: skin.shape.projectId, ...saveSkin.shape });
type Inputs = z.infer<typeof inputs>;

export const projectSkinDescription: ResourceDescription<Inputs, object> = {
  type: "ProjectSkin",
  title: "project skin",
  creates: { is: "setting", of: { title: "project", list: projectsOf } },
  scopes: { read: ["projects:read"], write: ["projects:write"] },
  inputs,
  outputs: z.object({}),
  replaceOnChanges: ["projectId"],
  parentId: "projectId",

  async read({ client, organizationId, signal }, uuid) {
    return asFound(await client.getProjectSkin({ organizationId, projectId: uuid }, { signal }));
  },
  create: save,
  update: (context, _uuid, change) => save(context, change.inputs),
};

async function save(
  { client, organizationId, signal }: OperationContext,
  { projectId, ...body }: Inputs,
): Promise<Found<Inputs>> {
  return asFound(await client.saveProjectSkin({ organizationId, projectId, body }, { signal }));
}

function asFound({ projectId, themeType, themeChoiceType, createdAt, updatedAt }: Skin): Found<Inputs> {
  const properties = { projectId, themeType, themeChoiceType } as Inputs;
  return { uuid: projectId, properties, createdAt, updatedAt };
}
