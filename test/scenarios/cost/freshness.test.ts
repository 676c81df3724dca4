/**
 * When the provider must not use a list. In most tests, two reads fill the list of a kind, and then something happens
 * that the list does not show.
 */

import { check, create } from "../../../provider/lifecycle/operations";
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf, resourceRun } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, readsIn, seedWith } from "../../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000001";
const FIRST = "0d0d0d0d-0000-4000-8000-000000000001";
const SECOND = "0d0d0d0d-0000-4000-8000-000000000002";

function info(appName: string) {
  return { appName, appScheme: "shop", bundleId: "example.shop.app" };
}

function inputs(appName: string) {
  return { projectId: PROJECT, appType: "IOS", appleInfo: info(appName) };
}

function state(appName: string) {
  return { ...inputs(appName), __organization: ORGANIZATION };
}

function application(id: string) {
  return { id, appType: "IOS" as const, appleInfo: info("Ours") };
}

const tools = inProcessTools(
  {
    seed: seedWith([
      {
        id: PROJECT,
        name: "Shop",
        applications: [application(FIRST), application(SECOND)],
        customDomains: [{ hostname: "a.shop.example" }, { hostname: "b.shop.example" }],
      },
    ]),
  },
  KEY,
);

function applications() {
  return operationsOf(applicationDescription, tools.inProcess);
}

async function fillList(): Promise<void> {
  const { read } = applications();
  await Promise.all([read(FIRST, state("Ours")), read(SECOND, state("Ours"))]);
  expect(readsIn(tools.service)).toEqual(["getCurrentApiCredential 200", "listApplications 200"]);
  tools.service.clearRequests();
}

test("get in a program never uses a list", async () => {
  await fillList();
  tools.service.updateApplication(SECOND, { appleInfo: info("Theirs") });
  expect(await applications().read(SECOND, {})).toMatchObject({
    state: { appleInfo: { appName: "Theirs" } },
  });
});

test("adoption is refused only by a read of the object, and creates from one, never from a list", async () => {
  await fillList();
  tools.service.updateApplication(SECOND, { appleInfo: info("Theirs") });
  const run = resourceRun(applicationDescription, tools.inProcess);
  const adoption = { inputs: inputs("Theirs"), adopt: SECOND };
  expect(await check(run, { ...adoption, isNew: true })).toMatchObject({
    failures: [],
  });
  tools.service.updateApplication(SECOND, { appleInfo: info("Newer") });
  await expect(create(run, adoption)).rejects.toThrow("It has changed since it was compared");
});

test("the lookup after a lost answer to a create does not use an earlier list", async () => {
  const projects = operationsOf(projectDescription, tools.inProcess);
  const shop = { name: "Shop", __organization: ORGANIZATION };
  const other = tools.service.createProject(ORGANIZATION, { name: "Other" });
  await Promise.all([projects.read(PROJECT, shop), projects.read(other.id, { ...shop, name: "Other" })]);
  tools.service.inject({ operation: "createProject", effect: { reset: "after" } });
  const { uuid } = await projects.create({ name: "Lost" });
  expect(tools.service.state.projects.find(({ id }) => id === uuid)).toMatchObject({ name: "Lost" });
});

test("a wait reads the object directly each time", async () => {
  const domains = operationsOf(customDomainDescription, tools.inProcess);
  const domain = { projectId: PROJECT, hostname: "a.shop.example", __organization: ORGANIZATION };
  const [first, second] = tools.service.state.customDomains;
  await Promise.all([first, second].map((one) => domains.read(one?.id ?? "", domain)));
  tools.service.setBehaviour({ cnameTargetAppears: { afterPolls: 2 } });
  tools.service.clearRequests();
  const { state: made } = await domains.create({ projectId: PROJECT, hostname: "c.shop.example" });
  expect(made.cnameTarget).toEqual(expect.any(String));
  // The list is read before the create. It serves none of the reads of the wait.
  expect(readsIn(tools.service)).toEqual(["listCustomDomains 200", ...Array(3).fill("getCustomDomain 200")]);
});
