/**
 * The whole lifecycle on a service whose reads differ from its writes in form or time: each command succeeds at the first
 * try. The pure tests have all cases.
 */
import type { Behaviour, Emulator } from "../../../testing/emulator";
import {
  failureOf,
  KEY,
  runScenarios,
  type Scenario,
  seedWith,
  writesIn,
} from "../../support/stacks/scenarios";
import { fingerprintOf } from "../../support/values/text";

const SHOP = 'const shop = new Project("shop", { name: "Shop" });';
const BLOG = 'const blog = new Project("blog", { name: "Blog" });';

function program(appName: string, more = ""): string {
  return `
    ${SHOP} ${BLOG}
    new Application("ios", {
      projectId: shop.id,
      appType: "IOS",
      appleInfo: { appName: "${appName}", appScheme: "shop", bundleId: "example.shop.app" },
    });
    ${more}
  `;
}

const SEEDED = "0c0c0c0c-0000-4000-8000-000000000003";

const FINGERPRINTS = ["cd", "ab"].map(fingerprintOf);

const DOMAIN =
  'const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });';

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
  ${DOMAIN}
  export const active = new CustomDomainActivation("active", { customDomainId: links.id }).hostname;
`;

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

/** Other services. */
const OTHERS: readonly { readonly name: string; readonly behaviour: Partial<Behaviour> }[] = [
  { name: "fingerprints are stored in upper case and sorted", behaviour: { storedForm: "normalized" } },
  { name: "reads have coarser times than writes", behaviour: { timestampPrecision: "coarseReads" } },
  {
    name: "reads and lists lag by three",
    behaviour: { readLag: { afterPolls: 3 }, listLag: { afterPolls: 3 } },
  },
];

function countIn({ state: { projects, applications, customDomains } }: Emulator): number[] {
  return [projects, applications, customDomains].map(({ length }) => length);
}

runScenarios(
  "commands right after one another, at the first try",
  [...REPLICAS, ...OTHERS].map((each) => ({
    ...each,
    /** Expects that each command has the changes that it has without lag. */
    async run({ stack, service }) {
      expect((await stack.deploy(program("Shop", MORE))).outputs).toEqual({ active: "links.shop.example" });
      expect((await stack.refresh()).changes).toEqual({ same: 8 });
      expect((await stack.deploy(program("The shop", MORE))).changes).toMatchObject({ update: 1, same: 7 });
      expect((await stack.up({ refresh: true })).changes).toEqual({ same: 8 });
      expect(countIn(service)).toEqual([2, 3, 1]);
      const renamed = MORE.replace("links.shop.example", "go.shop.example");
      for (const changed of [renamed, renamed.replace("shop.id, hostname", "blog.id, hostname")]) {
        expect((await stack.deploy(program("The shop", changed))).changes).toMatchObject({ replace: 2 });
        expect(countIn(service)).toEqual([2, 3, 1]);
      }
      expect((await stack.deploy(program("The shop"))).changes).toMatchObject({ delete: 4 });
      expect(countIn(service)).toEqual([2, 1, 0]);
      await stack.destroy();
      expect(countIn(service)).toEqual([0, 0, 0]);
      expect(await stack.resources()).toEqual([]);
    },
  })),
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
      expect(countIn(service)).toEqual([0, 0, 0]);
      const deletions = writesIn(service).filter((write) => write.startsWith("delete"));
      expect(deletions.sort()).toEqual([
        ...["deleteApplication 204", "deleteCustomDomain 204"],
        ...["deleteProject 204", "deleteProject 204"],
      ]);
    },
  })),
);

runScenarios({ title: "a replica that is behind", behaviour: behind(12, "both") }, [
  {
    name: "does not hide from up --refresh what the command before has changed in a project",
    async run({ stack, service }) {
      const shop = (message: string) => `new Project("shop", { name: "Shop"${message} });`;
      await stack.deploy(shop(""));
      service.clock.advance(60_000);
      await stack.deploy(shop(', defaultHookupMsg: "Hello"'));
      stack.program(shop(""));
      expect((await stack.up({ refresh: true })).changes).toMatchObject({ update: 1 });
      expect(service.state.projects).toMatchObject([{ defaultHookupMsg: null }]);
    },
  },
  {
    name: "does not hide that an earlier run has begun to delete a custom domain",
    seed: seedWith([{ id: SEEDED, name: "Shop" }]),
    async run({ stack, service }) {
      await stack.deploy(DOMAIN.replace("shop.id", `"${SEEDED}"`));
      service.clock.advance(60_000);
      const [{ id = "" } = {}] = service.state.customDomains;
      const began = await fetch(`${service.url}/api/v2/custom-domains/${id}`, {
        method: "DELETE",
        headers: { "x-api-key": KEY },
      });
      expect(began.status).toBe(204);
      await stack.destroy();
      expect(writesIn(service).slice(-1)).toEqual(["deleteCustomDomain 409"]);
      expect([service.state.customDomains, await stack.resources()]).toEqual([[], []]);
    },
  },
  {
    name: "does not hide a project whose response was lost",
    async run({ stack, service }) {
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      await stack.deploy('new Project("shop", { name: "Shop" });');
      expect(writesIn(service)).toHaveLength(1);
      expect((await stack.resources()).map(({ id }) => id)).toEqual(
        service.state.projects.map(({ id }) => id),
      );
    },
  },
]);

runScenarios("what a run has deleted and the service still counts", [
  ...(
    [
      ["does not keep its project: the deletion is repeated", "deleteProject", BLOG, 204],
      [
        "does not keep its hostname: the create is repeated",
        "createCustomDomain",
        SHOP + BLOG + DOMAIN.replace("shop.id", "blog.id"),
        201,
      ],
    ] as const
  ).map(
    ([name, operation, next, status]): Scenario => ({
      name,
      async run({ stack, service }) {
        await stack.deploy(SHOP + BLOG + DOMAIN);
        service.inject({ operation, count: 2, effect: { status: 409 } });
        service.clearRequests();
        await stack.deploy(next);
        const refused = [`${operation} 409`, `${operation} 409`];
        expect(writesIn(service)).toEqual(["deleteCustomDomain 204", ...refused, `${operation} ${status}`]);
      },
    }),
  ),
  {
    name: "does not hide what others have put in its project: the deletion is not repeated",
    async run({ stack, service }) {
      await stack.deploy(`${SHOP} new Application("web", { projectId: shop.id, appType: "WEB" });`);
      const theirs = service.createApplication(String(service.state.projects[0]?.id), { appType: "WEB" });
      service.inject({ operation: "listApplications", effect: { body: { applications: [] } } });
      service.clearRequests();
      expect(await failureOf(stack.destroy())).toContain(`still contains 1 application (${theirs.id})`);
      expect(writesIn(service)).toEqual(["deleteApplication 204", "deleteProject 409"]);
    },
  },
]);
