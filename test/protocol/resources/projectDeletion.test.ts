/** Deleting a project: the provider lists its contents first, because the service may delete them with the project. */
import { projectDescription } from "../../../provider/resources/project";
import type { Scope } from "../../../testing/emulator";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const state = { name: "Shop", __organization: ORGANIZATION };
const LISTS = ["listApplications 200", "listCustomDomains 200", "listProjectLinks 200"];

const tools = inProcessTools(
  {
    seed: seedWith([{ id: PROJECT, name: "Shop" }]),
    behaviour: { deleteProjectWithChildren: "cascade", deleteProjectWithLinks: "cascade" },
  },
  KEY,
);

function remove() {
  return operationsOf(projectDescription, tools.inProcess).delete(PROJECT, state);
}

/** The message of a deletion that must fail before it is sent. */
async function refusal(): Promise<string> {
  const error = await remove().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(requests().filter((request) => request.startsWith("deleteProject"))).toEqual([]);
  expect(tools.service.state.projects.map(({ id }) => id)).toEqual([PROJECT]);
  return (error as Error).message;
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
  expect(await refusal()).toContain(`it still contains 1 custom domain (${DOMAIN}).`);
});

describe("with a key that may not read the contents of a project", () => {
  const hiding = (...visible: Scope[]) =>
    tools.service.setScopes(KEY, ["projects:read", "projects:write", ...visible]);

  test("the project is deleted when no contents are visible", async () => {
    hiding();
    tools.service.createApplication(PROJECT, { appType: "WEB" });
    await remove();
    expect(requests()).toEqual(["deleteProject 204"]);
    expect(tools.inProcess.persistent).toEqual([
      `Project ${PROJECT} is deleted without looking for applications, custom domains and links in it, because the API key cannot list them. The service may delete them together with it.`,
    ]);
  });

  test("a conflict reports what the key may not list", async () => {
    tools.service.setBehaviour({ deleteProjectWithLinks: "conflict" });
    hiding("applications:read", "domains:read");
    tools.service.createLink(PROJECT, { url: "https://canary.example/", name: "Canary" });
    await expect(remove()).rejects.toThrow(
      /409 Conflict.*\nThe API key finds nothing in the project\. The API key cannot list links\.\n/,
    );
    expect(tools.service.state.projects).toHaveLength(1);
  });
});

test.each([
  ["fails", "listCustomDomains", 500, "custom domains"],
  ["is forbidden although the key has its scope", "listApplications", 403, "applications"],
] as const)("a project is not deleted when a list %s", async (_, operation, status, contents) => {
  tools.service.inject({ operation, effect: { status } });
  expect(await refusal()).toContain(`Listing the ${contents} of project ${PROJECT} failed: ${status}`);
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
