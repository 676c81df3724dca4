/** Deleting a project: the provider lists its contents first, because the service may delete them with the project. */
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const state = { name: "Shop", __organization: ORGANIZATION };
const LISTS = ["listApplications 200", "listCustomDomains 200", "listProjectLinks 200"];

const tools = inProcessTools(
  {
    seed: seedWith([{ id: PROJECT, name: "Shop" }]),
    behaviour: { deleteWithContents: "cascade" },
  },
  KEY,
);

function remove() {
  return operationsOf(projectDescription, tools.inProcess).delete(PROJECT, state);
}

/** The requests without the lookup of the key. Requests that are sent together are sorted. */
function requests(): string[] {
  const all = tools.service.requests
    .map(({ operationId, status }) => `${operationId} ${status}`)
    .filter((request) => !request.startsWith("getCurrentApiCredential"));
  return [...all.slice(0, LISTS.length).sort(), ...all.slice(LISTS.length)];
}

test("an empty project is deleted after its three lists are read", async () => {
  await remove();
  expect(requests()).toEqual([...LISTS, "deleteProject 204"]);
  expect(tools.inProcess.persistent).toEqual([]);
  expect(tools.service.state.projects).toEqual([]);
});

test("a project with a custom domain that is being deleted is not deleted", async () => {
  tools.service.createCustomDomain(PROJECT, { id: DOMAIN, hostname: "canary.example" });
  tools.service.setDomainStatus(DOMAIN, "DELETING");
  await expect(remove()).rejects.toThrow(`it still contains 1 custom domain (${DOMAIN}).`);
  expect(requests()).toEqual(LISTS);
});

test("a project that no longer exists counts as deleted, when a read and the list of the projects agree", async () => {
  tools.service.deleteProject(PROJECT);
  await remove();
  expect(requests()).toEqual([
    "listApplications 404",
    "listCustomDomains 404",
    "listProjectLinks 404",
    "getProject 404",
    "listProjects 200",
  ]);
});
