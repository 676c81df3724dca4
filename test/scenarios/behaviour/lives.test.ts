/**
 * Drawn lives of a stack on a service whose every request reaches another replica, up to 25 seconds behind: reads, lists, and the
 * lookups that writes begin with. Each command follows the one before at once, and succeeds at the first try. No run takes a
 * name again that another one has freed, because a replica may still know it.
 *
 * `DYNAMICLINK_TEST_LIVES=1000` runs more of them.
 */
import fc from "fast-check";
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Behaviour, type Emulator, startEmulator } from "../../../testing/emulator";
import { type Declaration, declaredStack, type Kind } from "../../support/stacks/declaredStack";
import { seedWith } from "../../support/stacks/scenarios";

const LIVES = Number(process.env.DYNAMICLINK_TEST_LIVES ?? 6);

const REPLICAS: Partial<Behaviour> = {
  readLag: { upToSeconds: 25 },
  listLag: { upToSeconds: 25 },
  writeLookups: "lag",
  deletionsLag: "listsAndReads",
  contentsOfLate: "notFound",
};

/** Which project something is in. Without it, it is not declared. */
const place = fc.constantFrom("shop", "blog", undefined);
/** What a program declares, and whether names and values of objects that exist change. */
const plan = fc.record({
  projects: fc.constantFrom(["shop", "blog"], ["shop"], ["blog"], []),
  ios: place,
  web: place,
  links: place,
  isActivated: fc.boolean(),
  isRenamed: fc.boolean(),
  refresh: fc.constantFrom(false, false, true),
});
const command = fc.oneof(
  { weight: 6, arbitrary: plan },
  { weight: 1, arbitrary: fc.constant("refresh" as const) },
  { weight: 1, arbitrary: fc.constant("destroy" as const) },
);
const life = fc.record({
  commands: fc.array(command, { minLength: 2, maxLength: 7 }),
  deleteWithContents: fc.constantFrom("conflict" as const, "cascade" as const),
  deletingPolls: fc.nat({ max: 2 }),
});

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never;
type Plan = Drawn<typeof plan>;
type Life = Drawn<typeof life>;

/** Names what a program declares: a resource that it declares again, or renames, gets a name that nothing has had. */
function naming() {
  let names = new Map<string, string>();
  let count = 0;
  const fresh = (resource: string) => `${resource}-${++count}`;
  return ({ isRenamed }: Pick<Plan, "isRenamed">, resources: readonly string[]) => {
    names = new Map(
      resources.map((each) => [each, (isRenamed ? undefined : names.get(each)) ?? fresh(each)] as const),
    );
    return (resource: string) => names.get(resource) ?? "";
  };
}

/** The declarations of a plan, parents first. What is in a project that is not declared is not declared either. */
function declarationsOf({ projects, ios, web, links, ...rest }: Plan, named: ReturnType<typeof naming>) {
  const inside = Object.entries({ ios, web, links }).filter(
    ([, where]) => where && (projects as readonly string[]).includes(where),
  );
  const nameOf = named(rest, [...projects, ...inside.map(([name]) => name)]);
  const propertiesOf: Readonly<Record<string, object>> = {
    ios: {
      appType: "IOS",
      appleInfo: { appName: nameOf("ios"), appScheme: "shop", bundleId: "example.shop.app" },
    },
    web: { appType: "WEB" },
    links: { hostname: `${nameOf("links")}.shop.example` },
  };
  const declare = (kind: Kind, name: string, properties: object) =>
    ({ kind, name, properties }) as Declaration;
  const contents = inside.map(([name, where]) =>
    declare(name === "links" ? "CustomDomain" : "Application", name, {
      projectId: { idOf: where },
      ...propertiesOf[name],
    }),
  );
  const isActivated = rest.isActivated && contents.some(({ name }) => name === "links");
  const active = declare("CustomDomainActivation", "active", { customDomainId: { idOf: "links" } });
  return [
    ...projects.map((name) => declare("Project", name, { name: nameOf(name) })),
    ...contents,
    ...(isActivated ? [active] : []),
  ];
}

function idsIn({ state: { projects, applications, customDomains } }: Emulator): string[] {
  return [...projects, ...applications, ...customDomains].map(({ id }) => id).sort();
}

async function live(host: Host, { commands, ...behaviour }: Life) {
  await using service = await startEmulator({ seed: seedWith(), behaviour: { ...REPLICAS, ...behaviour } });
  const stack = declaredStack(service, { host });
  const named = naming();
  let declared: readonly Declaration[] = [];
  const run = async (each: (typeof commands)[number]) => {
    if (each === "refresh") return await stack.refresh();
    declared = each === "destroy" ? [] : declarationsOf(each, named);
    return await (each === "destroy" ? stack.destroy() : stack.up(declared, { refresh: each.refresh }));
  };
  for (const each of [...commands, "destroy" as const]) {
    const { failed, diagnostics } = await run(each);
    expect(failed ? diagnostics : []).toEqual([]);
    const objects = stack.resources.filter(({ type }) => !type.endsWith("CustomDomainActivation"));
    expect(objects.map(({ id }) => id).sort()).toEqual(idsIn(service));
    expect(stack.resources.map(({ urn }) => urn).sort()).toEqual(
      declared.map((declaration) => stack.urnOf(declaration)).sort(),
    );
  }
  await stack.close();
}

test.each([DYNAMIC_HOST, NATIVE_HOST])(
  "replicas lose and double nothing, with $module",
  async (host) => {
    const property = fc.asyncProperty(life, (each) => live(host, each));
    await fc.assert(property, { numRuns: LIVES, seed: Number(process.env.DYNAMICLINK_TEST_SEED ?? 71) });
  },
  LIVES * 20_000,
);
