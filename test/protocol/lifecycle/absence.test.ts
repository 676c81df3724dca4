/** The lists that are evidence for an object that was not found. */

import type { Client } from "../../../provider/client";
import type { OperationContext } from "../../../provider/lifecycle/description";
import { evidenceFor } from "../../../provider/lifecycle/evidence/absence";
import type { ListedKind } from "../../../provider/lifecycle/evidence/lists";
import { getProject } from "../../../provider/resources/lookups";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const UUID = "0c0c0c0c-0000-4000-8000-000000000003";
const tools = inProcessTools({ seed: seedWith() }, KEY);

test("an error other than a 404 to a lookup is not reported as an object that does not exist", async () => {
  tools.service.inject({ operation: "getProject", count: Infinity, effect: { status: 403 } });
  await expect(getProject(tools.inProcess.run.session, { id: UUID })).rejects.toThrow("403 Forbidden");
});

test("an object without a list of its own is looked for once, however many projects there are", async () => {
  const requests: string[] = [];
  const listProjects = async () => {
    requests.push("listProjects");
    return Array.from({ length: 7 }, (_, index) => ({ id: `project-${index}`, createdAt: "" }));
  };
  const context = {
    client: { listProjects } as unknown as Client,
    scopes: ["projects:read"],
  } as unknown as OperationContext;
  const listed: string[] = [];
  const description: ListedKind = {
    title: "skin",
    parentId: "projectId",
    idOf: {
      title: "project",
      async list() {
        requests.push("idOf.list");
        return listed.map((uuid) => ({ uuid }));
      },
    },
  };
  const target = { description, context, uuid: UUID, state: {} };
  expect(await evidenceFor(target)).toEqual({ contradiction: undefined });
  expect(requests).toEqual(["idOf.list"]);
  listed.push(UUID);
  expect(await evidenceFor(target)).toEqual({
    contradiction: "a list of the projects of the organization contains it",
  });
});

test("a 404 of the organization's own list shows nothing about a project", async () => {
  const { service, inProcess } = tools;
  const { read } = operationsOf(projectDescription, inProcess);
  service.inject({ operation: "listProjects", effect: { status: 404 } });
  const state = { name: "Shop", __organization: ORGANIZATION };
  await expect(read(UUID, state)).rejects.toThrow(
    `Listing the projects of organization ${ORGANIZATION} failed: 404`,
  );
  expect(await read(UUID, state)).toBeUndefined();
});
