/**
 * The whole lifecycle on a service whose reads differ from its writes in form or time: each command succeeds at the first
 * try. The pure tests have all cases.
 */
import type { Behaviour } from "../../../testing/emulator";
import { failureOf, runScenarios, type ScenarioTools, writesIn } from "../../support/stacks/scenarios";
import { fingerprintOf } from "../../support/values/text";

/** Each service: what it does, and its behaviour. */
const SERVICES: readonly (readonly [name: string, behaviour: Partial<Behaviour>])[] = [
  ["fingerprints are stored in upper case and sorted", { storedForm: "normalized" }],
  ["reads have coarser times than writes", { timestampPrecision: "coarseReads" }],
  ["reads and lists lag by three", { readLag: { afterPolls: 3 }, listLag: { afterPolls: 3 } }],
  ["reads and lists lag by a second", { readLag: { afterSeconds: 1 }, listLag: { afterSeconds: 1 } }],
];

function program(appName: string, more = ""): string {
  return `
    const shop = new Project("shop", { name: "Shop" });
    new Application("ios", {
      projectId: shop.id,
      appType: "IOS",
      appleInfo: { appName: "${appName}", appScheme: "shop", bundleId: "example.shop.app" },
    });
    ${more}
  `;
}

const FINGERPRINTS = ["cd", "ab"].map(fingerprintOf);

const DOMAIN = 'new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });';

const MORE = `
  new Application("android", {
    projectId: shop.id,
    appType: "ANDROID",
    androidInfo: {
      appName: "Shop",
      appScheme: "shop",
      appPackageName: "example.shop.app",
      sha256Fingerprints: ${JSON.stringify(FINGERPRINTS)},
    },
  });
  new Application("web", { projectId: shop.id, appType: "WEB" });
  const links = ${DOMAIN}
  export const active = new CustomDomainActivation("active", { customDomainId: links.id }).hostname;
`;

async function life({ stack, service }: ScenarioTools): Promise<void> {
  expect((await stack.deploy(program("Shop", MORE))).outputs).toEqual({ active: "links.shop.example" });
  await stack.preview({ expectNoChanges: true });
  expect((await stack.deploy(program("The shop", MORE))).changes).toMatchObject({ update: 1, same: 6 });
  await stack.refresh({ expectNoChanges: true });
  await stack.up({ expectNoChanges: true, refresh: true });
  expect((await stack.deploy(program("The shop"))).changes).toMatchObject({ delete: 4 });
  await stack.destroy();
  const { projects, applications, customDomains } = service.state;
  expect([projects, applications, customDomains]).toEqual([[], [], []]);
}

/** Replicas that are behind creations, changes and deletions: in reads, in lists or in both. */
function behind(seconds: number, where: "reads" | "lists" | "both"): Partial<Behaviour> {
  const lag = { afterSeconds: seconds };
  return {
    ...(where !== "lists" && { readLag: lag }),
    ...(where !== "reads" && { listLag: lag }),
    deletionsLag: "listsAndReads",
    contentsOfLate: "notFound",
  };
}

const REPLICAS = [1, 3, 5, 8, 15].flatMap((seconds) =>
  (["reads", "lists", "both"] as const).map((where) => ({
    name: `${where} are ${seconds} s behind`,
    behaviour: behind(seconds, where),
  })),
);

/** Commands, one right after the other. Expects that each has the changes that it has without lag. */
async function hastyLife({ stack, service }: ScenarioTools): Promise<void> {
  const count = ({ state: { projects, applications, customDomains } }: ScenarioTools["service"]) =>
    [projects, applications, customDomains].map(({ length }) => length);
  await stack.deploy(program("Shop", MORE));
  expect((await stack.refresh()).changes).toEqual({ same: 7 });
  expect((await stack.deploy(program("The shop", MORE))).changes).toMatchObject({ update: 1, same: 6 });
  expect((await stack.up({ refresh: true })).changes).toEqual({ same: 7 });
  expect(count(service)).toEqual([1, 3, 1]);
  // Another hostname, and another platform's application in a new project.
  const changed = program("The shop", MORE.replace("links.shop.example", "go.shop.example"));
  expect((await stack.deploy(changed)).changes).toMatchObject({ replace: 2 });
  expect(count(service)).toEqual([1, 3, 1]);
  expect((await stack.deploy(program("The shop"))).changes).toMatchObject({ delete: 4 });
  expect(count(service)).toEqual([1, 1, 0]);
  await stack.destroy();
  expect(count(service)).toEqual([0, 0, 0]);
  expect(await stack.resources()).toEqual([]);
}

runScenarios(
  "commands right after one another, at the first try",
  REPLICAS.map((each) => ({ ...each, run: hastyLife })),
);

runScenarios(
  "destroy right after up, at the first try",
  REPLICAS.map((each) => ({
    ...each,
    // The waits take time there.
    onCli: each.name === "both are 3 s behind" ? "both hosts" : undefined,
    readsVary: true,
    async run({ stack, service }) {
      // An activation would wait until reads show the domain.
      await stack.deploy(program("Shop", DOMAIN));
      await stack.destroy();
      const { projects, applications, customDomains } = service.state;
      expect([projects, applications, customDomains]).toEqual([[], [], []]);
      expect(
        writesIn(service)
          .filter((write) => write.startsWith("delete"))
          .sort(),
      ).toEqual(["deleteApplication 204", "deleteCustomDomain 204", "deleteProject 204"]);
    },
  })),
);

runScenarios(
  "the whole lifecycle, at the first try",
  SERVICES.map(([name, behaviour]) => ({ name, behaviour, run: life })),
);

const PROJECTS = ["shop", "blog"].map(
  (name) => `const ${name} = new Project("${name}", { name: "${name}" });`,
);

runScenarios(
  "a move right after up, at the first try",
  (["reads", "both"] as const).map((where) => ({
    name: `to a new project, if ${where} are 5 s behind`,
    behaviour: behind(5, where),
    async run({ stack, service }) {
      await stack.deploy(PROJECTS.join("") + DOMAIN);
      await stack.deploy(PROJECTS.join("") + DOMAIN.replace("shop.id", "blog.id"));
      const blog = service.state.projects.find(({ name }) => name === "blog");
      expect(service.state.customDomains).toMatchObject([{ projectId: blog?.id }]);
    },
  })),
);

const CONFLICT = { status: 409 } as const;

runScenarios("what a run has deleted and the service still counts", [
  {
    name: "does not keep its project: the deletion is repeated",
    async run({ stack, service }) {
      await stack.deploy(program("Shop"));
      service.inject({ operation: "deleteProject", count: 2, effect: CONFLICT });
      service.clearRequests();
      await stack.destroy();
      const refused = ["deleteProject 409", "deleteProject 409"];
      expect(writesIn(service)).toEqual(["deleteApplication 204", ...refused, "deleteProject 204"]);
    },
  },
  {
    name: "does not hide what others have put in its project: the deletion is not repeated",
    async run({ stack, service }) {
      await stack.deploy(program("Shop"));
      const theirs = service.createApplication(String(service.state.projects[0]?.id), { appType: "WEB" });
      service.inject({ operation: "listApplications", effect: { body: { applications: [] } } });
      service.clearRequests();
      expect(await failureOf(stack.destroy())).toContain(`still contains 1 application (${theirs.id})`);
      expect(writesIn(service)).toEqual(["deleteApplication 204", "deleteProject 409"]);
    },
  },
  {
    name: "does not keep its hostname: the create is repeated",
    async run({ stack, service }) {
      await stack.deploy(PROJECTS.join("") + DOMAIN);
      service.inject({ operation: "createCustomDomain", count: 2, effect: CONFLICT });
      service.clearRequests();
      await stack.deploy(PROJECTS.join("") + DOMAIN.replace("shop.id", "blog.id"));
      const refused = ["createCustomDomain 409", "createCustomDomain 409"];
      expect(writesIn(service)).toEqual(["deleteCustomDomain 204", ...refused, "createCustomDomain 201"]);
    },
  },
]);
