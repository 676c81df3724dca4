/**
 * When the provider must not use a list. In most tests, two reads fill the list of a kind, and then something happens
 * that the list does not show.
 */

import { check, create } from "../../../provider/lifecycle/operations";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf, resourceRun } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, readsIn, seedWith } from "../../support/stacks/scenarios";

const FIRST = "0c0c0c0c-0000-4000-8000-000000000001";
const SECOND = "0c0c0c0c-0000-4000-8000-000000000002";

const tools = inProcessTools(
  {
    seed: seedWith([
      {
        id: FIRST,
        name: "Shop",
        customDomains: [{ hostname: "a.shop.example" }, { hostname: "b.shop.example" }],
      },
      { id: SECOND, name: "Blog" },
    ]),
  },
  KEY,
);

function projects() {
  return operationsOf(projectDescription, tools.inProcess);
}

async function fillList(): Promise<void> {
  const { read } = projects();
  const state = (name: string) => ({ name, __organization: ORGANIZATION });
  await Promise.all([read(FIRST, state("Shop")), read(SECOND, state("Blog"))]);
  expect(readsIn(tools.service)).toEqual(["getCurrentApiCredential 200", "listProjects 200"]);
  tools.service.clearRequests();
}

test("get in a program never uses a list", async () => {
  await fillList();
  tools.service.updateProject(SECOND, { name: "Theirs" });
  expect(await projects().read(SECOND, {})).toMatchObject({ state: { name: "Theirs" } });
});

test("adoption is refused only by a read of the object, and creates from one, never from a list", async () => {
  await fillList();
  tools.service.updateProject(SECOND, { name: "Theirs" });
  const run = resourceRun(projectDescription, tools.inProcess);
  const adoption = { inputs: { name: "Theirs" }, adopt: SECOND };
  expect(await check(run, { ...adoption, isNew: true })).toMatchObject({ failures: [] });
  tools.service.updateProject(SECOND, { name: "Newer" });
  await expect(create(run, adoption)).rejects.toThrow("It has changed since it was compared");
});

test("the lookup after a lost answer to a create does not use an earlier list", async () => {
  await fillList();
  tools.service.inject({ operation: "createProject", effect: { reset: "after" } });
  const { uuid } = await projects().create({ name: "Lost" });
  expect(tools.service.state.projects.find(({ id }) => id === uuid)).toMatchObject({ name: "Lost" });
});

test("a wait reads the object directly each time", async () => {
  const domains = operationsOf(customDomainDescription, tools.inProcess);
  const domain = { projectId: FIRST, hostname: "a.shop.example", __organization: ORGANIZATION };
  await Promise.all(tools.service.state.customDomains.map(({ id }) => domains.read(id, domain)));
  tools.service.setBehaviour({ cnameTargetAppears: { afterPolls: 2 } });
  tools.service.clearRequests();
  const { state } = await domains.create({ projectId: FIRST, hostname: "c.shop.example" });
  expect(state.cnameTarget).toEqual(expect.any(String));
  // The list is read before the create. It serves none of the reads of the wait.
  expect(readsIn(tools.service)).toEqual(["listCustomDomains 200", ...Array(3).fill("getCustomDomain 200")]);
});
