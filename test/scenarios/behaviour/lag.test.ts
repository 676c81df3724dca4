/**
 * The whole lifecycle on a service whose reads differ from its writes in form or time: each command succeeds at the first
 * try. The pure tests have all cases.
 */
import type { Behaviour, Emulator } from "../../../testing/emulator";
import { runScenarios, writesIn } from "../../support/stacks/scenarios";
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

runScenarios("replicas that are behind a change", [
  {
    name: "do not undo it, even if the times of the service do not show it",
    behaviour: { ...behind(12, "both"), nullableUpdatedAt: "never", patchInfo: "replace" },
    async run({ stack, service }) {
      await stack.deploy(program('Shop", appStoreId: "1234567890'));
      service.clock.advance(60_000);
      await stack.deploy(program("The shop"));
      await stack.deploy(program("My shop"));
      expect((await stack.refresh()).changes).toEqual({ same: 4 });
      const [{ appleInfo } = {}] = service.state.applications;
      expect(appleInfo).toEqual({ appName: "My shop", appScheme: "shop", bundleId: "example.shop.app" });
    },
  },
]);
