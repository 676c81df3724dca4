/** The requests of operations: paths, queries and bodies. */
import type { OperationId } from "../../../provider/client";
import { type Operation, operations } from "../../../provider/client/operations";
import { requestFor } from "../../../provider/client/requestFor";
import { DOMAIN, ORGANIZATION, PROJECT } from "../../support/values/wireObjects";

const projects = `/api/v2/organizations/${ORGANIZATION}/projects`;
const inProject = { organizationId: ORGANIZATION, projectId: PROJECT };

/** Values with characters that URLs encode, and absent ones. */
test.each<[OperationId, object, path: string, body?: string]>([
  [
    "checkCoreLinkAvailability",
    { projectId: PROJECT, dynamicLinkSuffix: "a b&c", customDomainId: DOMAIN },
    `/api/v2/core/link/availability?project_id=${PROJECT}&dynamic_link_suffix=a+b%26c&custom_domain_id=${DOMAIN}`,
  ],
  [
    "updateProject",
    { ...inProject, body: { projectName: "Shop", defaultHookupMsg: null } },
    `${projects}/${PROJECT}`,
    '{"project_name":"Shop","default_hookup_msg":null}',
  ],
  [
    "listProjectLinks",
    { ...inProject, limit: 100, cursor: "a+/=" },
    `${projects}/${PROJECT}/links?limit=100&cursor=a%2B%2F%3D`,
  ],
  [
    "listCustomDomainLinks",
    { customDomainId: DOMAIN, limit: undefined, cursor: null },
    `/api/v2/custom-domains/${DOMAIN}/links`,
  ],
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

test.each(Object.entries<Operation>(operations))(
  "%s needs a scope to write or to read, unless it reads the credential",
  (operation, { request, scope }) => {
    if (operation === "getCurrentApiCredential") expect(scope).toBeUndefined();
    else expect(scope).toMatch(request.startsWith("GET ") ? /:read$/ : /:write$/);
  },
);
