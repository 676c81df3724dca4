/**
 * The whole lifecycle on a service whose reads differ from its writes in form or time: each command succeeds at the first
 * try. The pure tests have all cases.
 */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Behaviour, startEmulator } from "../../../testing/emulator";
import { type Declaration, declaredStack, type Kind, type Outcome } from "../../support/stacks/declaredStack";
import { seedWith, writesIn } from "../../support/stacks/scenarios";
import { fingerprintOf } from "../../support/values/resourceExamples";

function declare(kind: Kind, name: string, properties: Declaration["properties"]): Declaration {
  return { kind, name, properties };
}

const PROJECTS = [declare("Project", "shop", { name: "Shop" }), declare("Project", "blog", { name: "Blog" })];
const projectId = { idOf: "shop" };

function ios(appName: string, more: object = {}): Declaration {
  const appleInfo = { appName, appScheme: "shop", bundleId: "example.shop.app", ...more };
  return declare("Application", "ios", { projectId, appType: "IOS", appleInfo });
}

function domain(properties: Declaration["properties"] = {}): Declaration {
  return declare("CustomDomain", "links", { projectId, hostname: "links.shop.example", ...properties });
}

const androidInfo = {
  appName: "Shop",
  appScheme: "shop",
  appPackageName: "example.shop.app",
  sha256Fingerprints: ["cd", "ab"].map(fingerprintOf),
};
const OTHERS = [
  declare("Application", "android", { projectId, appType: "ANDROID", androidInfo }),
  declare("Application", "web", { projectId, appType: "WEB" }),
  declare("CustomDomainActivation", "active", { customDomainId: { idOf: "links" } }),
];

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

const SERVICES: Readonly<Record<string, Partial<Behaviour>>> = {
  ...Object.fromEntries(
    (
      [
        ["reads", 1],
        ["lists", 15],
        ["both", 1],
        ["reads", 15],
        ["lists", 8],
        ["both", 15],
      ] as const
    ).map(([where, seconds]) => [`${where} are ${seconds} s behind`, behind(seconds, where)]),
  ),
  "fingerprints are stored in upper case and sorted": { storedForm: "normalized" },
  "reads have coarser times than writes": { timestampPrecision: "coarseReads" },
  "reads and lists lag by three": { readLag: { afterPolls: 3 }, listLag: { afterPolls: 3 } },
};

/** The changes of a command that must have succeeded. */
async function changesOf(command: Promise<Outcome>): Promise<Outcome["changes"]> {
  const { failed, diagnostics, changes } = await command;
  expect(failed ? diagnostics : []).toEqual([]);
  return changes;
}

describe.each([DYNAMIC_HOST, NATIVE_HOST])("commands right after one another, with $module:", (host) => {
  async function open(behaviour: Partial<Behaviour>) {
    const service = await startEmulator({ seed: seedWith(), behaviour });
    const stack = declaredStack(service, { host });
    return { service, stack, [Symbol.asyncDispose]: () => service.close() };
  }

  // The hosts read in the same way, so each has every other service, and all three places.
  const services = Object.entries(SERVICES).filter((_, index) => index % 2 === Number(host === NATIVE_HOST));
  test.each(services)("%s", async (_name, behaviour) => {
    await using tools = await open(behaviour);
    const { service, stack } = tools;
    const count = () => {
      const { projects, applications, customDomains } = service.state;
      return [projects.length, applications.length, customDomains.length];
    };
    const up = (...declared: Declaration[]) => changesOf(stack.up([...PROJECTS, ...declared]));
    // An activation would wait until reads show the domain.
    await up(ios("Shop"), domain());
    await changesOf(stack.destroy());
    expect(count()).toEqual([0, 0, 0]);
    const deletions = writesIn(service).filter((write) => write.startsWith("delete"));
    expect(deletions.sort()).toEqual([
      ...["deleteApplication 204", "deleteCustomDomain 204"],
      ...["deleteProject 204", "deleteProject 204"],
    ]);

    await up(ios("Shop"), domain(), ...OTHERS);
    expect(await changesOf(stack.refresh())).toEqual({ same: 8 });
    expect(await up(ios("The shop"), domain(), ...OTHERS)).toMatchObject({ update: 1, same: 7 });
    const declared = [...PROJECTS, ios("The shop"), domain(), ...OTHERS];
    expect(await changesOf(stack.up(declared, { refresh: true }))).toEqual({ same: 8 });
    expect(count()).toEqual([2, 3, 1]);
    for (const moved of [{}, { projectId: { idOf: "blog" } }]) {
      const renamed = domain({ hostname: "go.shop.example", ...moved });
      expect(await up(ios("The shop"), renamed, ...OTHERS)).toMatchObject({ replace: 2 });
      expect(count()).toEqual([2, 3, 1]);
    }
    expect(await up(ios("The shop"))).toMatchObject({ delete: 4 });
    expect(count()).toEqual([2, 1, 0]);
    await changesOf(stack.destroy());
    expect(count()).toEqual([0, 0, 0]);
    expect(stack.resources).toEqual([]);
  });

  test("replicas that are behind do not undo a change, even if the times of the service do not show it", async () => {
    const quirks = { nullableUpdatedAt: "never", patchInfo: "replace" } as const;
    await using tools = await open({ ...behind(12, "both"), ...quirks });
    const { service, stack } = tools;
    const up = (app: Declaration) => changesOf(stack.up([...PROJECTS, app]));
    await up(ios("Shop", { appStoreId: "1234567890" }));
    service.clock.advance(60_000);
    await up(ios("The shop"));
    await up(ios("My shop"));
    expect(await changesOf(stack.refresh())).toEqual({ same: 4 });
    const [{ appleInfo } = {}] = service.state.applications;
    expect(appleInfo).toEqual({ appName: "My shop", appScheme: "shop", bundleId: "example.shop.app" });
  });
});
