/** The requests of operations: paths, queries and bodies. */
import type { OperationId } from "../../../provider/client";
import { operations } from "../../../provider/client/operations";
import { requestFor } from "../../../provider/client/requestFor";
import { ORGANIZATION, PROJECT } from "../../support/values/wireObjects";

const projects = `/api/v2/organizations/${ORGANIZATION}/projects`;
const names = `${projects}/name-availability`;
const links = `${projects}/${PROJECT}/links`;
const UNNAMED = { projectName: null };
const inProject = { organizationId: ORGANIZATION, projectId: PROJECT };

/** Values with characters that URLs encode, and absent ones. */
test.each<[OperationId, object, path: string, body?: string]>([
  ["checkProjectNameAvailability", { ...inProject, projectName: "a b&c" }, `${names}?project_name=a+b%26c`],
  ["updateProject", { ...inProject, body: UNNAMED }, `${projects}/${PROJECT}`, '{"project_name":null}'],
  ["listProjectLinks", { ...inProject, limit: 9, cursor: "a+/=" }, `${links}?limit=9&cursor=a%2B%2F%3D`],
  ["listProjectLinks", { ...inProject, limit: undefined, cursor: null }, links],
  ["getLink", { linkId: "../projects?x=1#y%/ü" }, "/api/v2/links/..%2Fprojects%3Fx%3D1%23y%25%2F%C3%BC"],
  ["getLink", { linkId: "..." }, "/api/v2/links/..."],
  ["getLink", { linkId: ".x" }, "/api/v2/links/.x"],
])("%s of %j is a request for %s", (operation, values, path, ...[body]) => {
  const request = requestFor(operations[operation], values as Record<string, unknown>);
  expect(request).toEqual({ path, body });
});

test.each(["", ".", "..", undefined, 5])("the parameter %j cannot lead to another path", (linkId) => {
  expect(() => requestFor(operations.getLink, { linkId })).toThrow(new TypeError("linkId must be a UUID."));
});
