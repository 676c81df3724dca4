/**
 * The whole lifecycle on a service whose reads differ from its writes in form or time: each command succeeds at the first
 * try. The pure tests have all cases.
 */
import type { Behaviour } from "../../testing/emulator";
import { runScenarios, type ScenarioTools } from "../support/stacks/scenarios";
import { fingerprintOf } from "../support/values/text";

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
  const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
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

runScenarios(
  "the whole lifecycle, at the first try",
  SERVICES.map(([name, behaviour]) => ({ name, behaviour, run: life })),
);
