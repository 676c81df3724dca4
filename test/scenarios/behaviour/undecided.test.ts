/**
 * The lifecycles of all kinds of resources, under every behaviour that the service may have where its reference leaves
 * it open, on both hosts, and under every two behaviours together. The other scenarios run them once. It is slow because
 * there are many; the fault campaign has the combinations of more than two.
 */

import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { CHANGED_PROPERTY } from "../../../provider/lifecycle/hiddenProperties";
import { DESCRIPTIONS } from "../../../provider/resources";
import { type Behaviour, type Emulator, startEmulator } from "../../../testing/emulator";
import {
  type Declaration,
  type DeclaredStack,
  emulatedStack,
  errorOf,
  isIdOf,
  type Outcome,
} from "../../support/stacks/declaredStack";
import { KEY, seedWith, writesIn } from "../../support/stacks/scenarios";
import { coverOf } from "../../support/values/cover";
import { EXAMPLE_KINDS, examplesOf, RESOURCE_EXAMPLES } from "../../support/values/resourceExamples";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const HOSTNAME = "links.shop.example";

let service: Emulator;
let stack: DeclaredStack;

beforeAll(async () => {
  service = await startEmulator({
    seed: seedWith([
      { id: PROJECT, name: "Seeded", customDomains: [{ id: DOMAIN, hostname: "go.shop.example" }] },
    ]),
  });
});
afterAll(() => service.close());

/** How the service behaves, and the kind of the resources, for what all kinds have in common. */
type Given = Behaviour & { readonly kind: (typeof EXAMPLE_KINDS)[number] };

/** The values of some options. */
type Options = { readonly [Option in keyof Given]?: readonly Given[Option][] };

/** A host, and a value of each option. */
interface Combination {
  readonly host: Host;
  readonly given: Partial<Given>;
}

/** Few combinations in which each value of an option is together with each host, and with each value of the others. */
function combinations(options: Options): Combination[] {
  const all = Object.entries(options).reduce<Combination[]>(
    (found, [option, values]) =>
      found.flatMap(({ host, given }) =>
        values.map((value) => ({ host, given: { ...given, [option]: value } })),
      ),
    [DYNAMIC_HOST, NATIVE_HOST].map((host) => ({ host, given: {} })),
  );
  return coverOf(all, ({ host, given }) => {
    const values = [...Object.entries(given), ["host", host.module]].map((each) => JSON.stringify(each));
    return new Set(values.flatMap((one, place) => values.slice(place + 1).map((other) => `${one} ${other}`)));
  });
}

/** Registers a test for each combination, with a service that behaves that way and an empty stack. */
function underEach(options: Options, name: string, run: (given: Given, host: Host) => Promise<void>): void {
  const cases = combinations(options).map(({ host, given }) => [host.module, given, host] as const);
  test.each(cases)(`${name}, with %s, under %j`, async (_module, given, host) => {
    const { kind: _, ...behaviour } = given;
    service.reset();
    service.setBehaviour(behaviour);
    stack = newStack(host);
    await run(given as Given, host);
    expect(service.violations).toEqual([]);
  });
}

function newStack(host: Host): DeclaredStack {
  return emulatedStack(service, KEY, { host, timeoutMs: () => 10_000, random: () => 0.5 });
}

/** Runs `up`. Returns the number of changes by kind, without unchanged resources. */
async function up(...declarations: Declaration[]): Promise<Readonly<Record<string, number | undefined>>> {
  return changesOf(await stack.up(declarations));
}

function changesOf({ failed, diagnostics, changes }: Outcome) {
  if (failed) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const { same: _, ...others } = changes;
  return others;
}

/** Expects that neither a preview nor a refresh finds changes. */
async function expectSettled(...declarations: Declaration[]): Promise<void> {
  expect(changesOf(await stack.preview(declarations))).toEqual({});
  // A refresh saves the time of the last change even if it finds none of the values changed.
  const visible = () =>
    stack.resources.map(({ inputs, outputs = {} }) => {
      const { [CHANGED_PROPERTY]: _changed, ...others } = outputs;
      return { inputs, outputs: others };
    });
  const before = visible();
  expect(changesOf(await stack.refresh())).toEqual({});
  expect(visible()).toEqual(before);
  expect(changesOf(await stack.preview(declarations))).toEqual({});
}

async function failureOf(outcome: Promise<Outcome>): Promise<string> {
  return errorOf(await outcome);
}

function idOfOnly(): string {
  return stack.resources[0]?.id ?? "";
}

describe("a resource of any kind", () => {
  underEach(
    {
      kind: EXAMPLE_KINDS,
      dateHeader: ["current", "absent"],
      timestampPrecision: ["milliseconds", "seconds", "coarseReads"],
      errorDetails: [true, false],
      requestIds: ["echoed", "generated", "errorsOnly"],
    },
    "is created, unchanged, changed, refused when it is not valid, adopted and deleted",
    async ({ kind }, host) => {
      const { valid, changes, invalid, failure } = RESOURCE_EXAMPLES[kind];
      const [second] = examplesOf(kind, valid[1]).slice(-1) as [Declaration];
      const other = { ...second, name: "second" };
      const before = service.state;
      let declared = [...examplesOf(kind), other];
      expect(await up(...declared)).toEqual({ create: declared.length + 1 });
      await expectSettled(...declared);
      for (const { to, is } of changes) {
        declared = [...examplesOf(kind, to), other];
        expect(await up(...declared)).toEqual({ [is]: 1 });
        await expectSettled(...declared);
      }

      service.clearRequests();
      expect(await failureOf(stack.up(examplesOf(kind, invalid)))).toContain(failure);
      if (DESCRIPTIONS[kind].idOf === undefined) {
        const adopting = [adoptionOf(declared.at(-2) as Declaration)];
        const elsewhere = newStack(host);
        changesOf(await elsewhere.up(adopting));
        expect(changesOf(await elsewhere.preview(adopting))).toEqual({});
      }
      expect(writesIn(service)).toEqual([]);

      changesOf(await stack.destroy());
      expect(service.state).toEqual(before);
    },
  );
});

/** The declaration that adopts the object of a resource in the stack. */
function adoptionOf(declaration: Declaration): Declaration {
  const { id = "", outputs = {} } =
    stack.resources.find(({ urn }) => urn.endsWith(`::${declaration.name}`)) ?? {};
  const ids = Object.entries(declaration.properties)
    .filter(([, value]) => isIdOf(value))
    .map(([name]) => [name, outputs[name] as string]);
  return {
    ...declaration,
    properties: { ...declaration.properties, ...Object.fromEntries(ids) },
    adopt: id,
  };
}

describe("an application", () => {
  const application = (properties: Declaration["properties"]): Declaration => ({
    kind: "Application",
    name: "shop",
    properties: { projectId: PROJECT, ...properties },
  });
  const apple = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
  const ios = (info: Record<string, string> = {}) =>
    application({ appType: "IOS", appleInfo: { ...apple, ...info } });
  const android = application({
    appType: "ANDROID",
    androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" },
  });
  const web = application({ appType: "WEB" });
  const answers = {
    patchInfo: ["merge", "replace"],
    deriveAppId: [false, true],
    absentInfoField: ["null", "omit"],
    nullableUpdatedAt: ["afterUpdate", "fromCreation", "never"],
  } as const;

  underEach(
    answers,
    "has its declared fields set, and fields that are no longer declared cleared",
    async () => {
      const first = ios({ appStoreId: "123", appIdPrefix: "A1B2C3D4E5" });
      expect(await up(first)).toEqual({ create: 2 });
      await expectSettled(first);
      const second = ios({ appName: "The shop", appIdPrefix: "A1B2C3D4E5", bundleId: "example.market.app" });
      expect(await up(second)).toEqual({ update: 1 });
      expect(service.state.applications[0]?.appleInfo).toMatchObject({
        appName: "The shop",
        bundleId: "example.market.app",
        appIdPrefix: "A1B2C3D4E5",
      });
      expect(service.state.applications[0]?.appleInfo?.appStoreId ?? null).toBeNull();
      await expectSettled(second);
    },
  );

  underEach(answers, "keeps a field that was set in the console and is not declared", async () => {
    await up(ios());
    service.updateApplication(idOfOnly(), { appleInfo: { ...apple, appStoreId: "from the console" } });
    await expectSettled(ios());
    expect(await up(ios({ appName: "The shop" }))).toEqual({ update: 1 });
    expect(service.state.applications[0]?.appleInfo).toMatchObject({
      appName: "The shop",
      appStoreId: "from the console",
    });
  });

  const lagging = {
    ...answers,
    nullInfoField: ["clear", "ignore"],
    timestampPrecision: ["milliseconds", "seconds", "coarseReads"],
  } as const;

  underEach(lagging, "keeps the values of the last update when reads lag behind it", async () => {
    const info = { appStoreId: "2", appName: "Two", appScheme: "third" };
    await up(ios({ appStoreId: "1" }));
    service.setBehaviour({ readLag: { afterPolls: 2 } });
    await up(ios({ ...info, appScheme: "second" }));
    expect(await up(ios(info))).toEqual({ update: 1 });
    expect(service.state.applications[0]?.appleInfo).toMatchObject({ ...apple, ...info });
    service.setBehaviour({ readLag: "atOnce" });
    await expectSettled(ios(info));
  });

  underEach(answers, "changes its platform in place, in one request", async () => {
    await up(ios());
    const id = idOfOnly();
    for (const next of [android, web, ios()]) {
      service.clearRequests();
      expect(await up(next)).toEqual({ update: 1 });
      expect(writesIn(service)).toEqual(["updateApplication 200"]);
      await expectSettled(next);
    }
    expect(idOfOnly()).toBe(id);
    expect(service.state.applications[0]?.androidInfo ?? null).toBeNull();
  });

  underEach(
    { deleteWithContents: ["conflict", "cascade"] },
    "that links use is deleted, or stays in the state when the service refuses",
    async ({ deleteWithContents }) => {
      await up(ios());
      const link = { url: "https://shop.example/", name: "Home", appleApplicationId: idOfOnly() };
      service.createLink(PROJECT, link);
      if (deleteWithContents === "conflict") {
        expect(await failureOf(stack.destroy())).toContain("409 Conflict");
        expect(stack.resources).toHaveLength(1);
      } else {
        expect(changesOf(await stack.destroy())).toEqual({ delete: 2 });
        expect(service.state.applications).toEqual([]);
      }
    },
  );
});

describe("a project", () => {
  const project = (name: string, title = "Shop"): Declaration => ({
    kind: "Project",
    name,
    properties: { name: title },
  });
  const web: Declaration = {
    kind: "Application",
    name: "web",
    properties: { projectId: { idOf: "shop" }, appType: "WEB" },
  };

  underEach(
    { extraFields: [false, true] },
    "with a logo that was set in the console, and without a sub-domain, is created, unchanged, changed and deleted",
    async () => {
      await up(project("shop"));
      service.updateProject(idOfOnly(), { logoImageId: DOMAIN, subDomain: null });
      changesOf(await stack.refresh());
      await expectSettled(project("shop"));
      expect(await up(project("shop", "New"))).toEqual({ update: 1 });
      await expectSettled(project("shop", "New"));
      expect(service.state.projects.find(({ id }) => id === idOfOnly())?.logoImageId).toBe(DOMAIN);
      expect(changesOf(await stack.destroy())).toEqual({ delete: 2 });
    },
  );

  underEach(
    { deleteWithContents: ["conflict", "cascade"] },
    "is kept when it contains objects that the stack does not manage",
    async () => {
      await up(project("shop"), web);
      const id = stack.resources.find(({ urn }) => urn.endsWith("::shop"))?.id ?? "";
      const theirs = service.createApplication(id, { appType: "WEB" });
      const link = service.createLink(id, { url: "https://shop.example/", name: "Home" });
      const domain = service.createCustomDomain(id, { hostname: HOSTNAME });
      service.setDomainStatus(domain.id, "DELETING");
      expect(await failureOf(stack.destroy())).toContain(
        `it still contains 1 application (${theirs.id}), 1 custom domain (${domain.id}) and 1 link (${link.id}).`,
      );
      expect(stack.resources.map(({ id }) => id)).toEqual([id]);
      expect(service.state.applications).toHaveLength(1);
    },
  );
});

describe("a project whose name the service changes", () => {
  const shop = (name: string): Declaration => ({ kind: "Project", name: "shop", properties: { name } });

  underEach(
    { uniqueNames: [true, false], storedForm: ["asGiven", "normalizedNames"] },
    "is created once, and the error says what to declare",
    async ({ storedForm }) => {
      if (storedForm === "asGiven") {
        await up(shop("The Shop "));
        await expectSettled(shop("The Shop "));
        return;
      }
      const error = await failureOf(stack.up([shop("The Shop ")]));
      expect(error).toContain(`The service did not apply name of project ${idOfOnly()}.`);
      await up(shop("the shop"));
      await expectSettled(shop("the shop"));
      expect(service.state.projects.map(({ name }) => name)).toEqual(["Seeded", "the shop"]);
    },
  );
});

describe("a custom domain", () => {
  const domain = (properties: Declaration["properties"] = {}): Declaration => ({
    kind: "CustomDomain",
    name: "links",
    properties: { projectId: PROJECT, hostname: HOSTNAME, ...properties },
  });
  const active = (properties: Declaration["properties"] = {}): Declaration => ({
    kind: "CustomDomainActivation",
    name: "active",
    properties: { customDomainId: { idOf: "links" }, ...properties },
  });
  const made = () => service.state.customDomains.filter(({ id }) => id !== DOMAIN);

  underEach(
    {
      storedForm: ["asGiven", "normalized"],
      cnameTargetAppears: ["atOnce", "never", { afterPolls: 2 }],
      deletingPolls: [0, 1, 3],
      uniqueNames: [true, false],
    },
    "is created, unchanged under any spelling, moved to another project and deleted",
    async ({ cnameTargetAppears }) => {
      await up(domain({ hostname: "Links.Shop.example." }));
      expect(stack.resources[0]?.outputs?.hostname).toBe(HOSTNAME);
      expect(stack.resources[0]?.outputs?.cnameTarget ?? null).toEqual(
        cnameTargetAppears === "never" ? null : expect.any(String),
      );
      await expectSettled(domain({ hostname: "LINKS.shop.example" }));
      const other: Declaration = { kind: "Project", name: "other", properties: { name: "Other" } };
      service.clearRequests();
      expect(await up(other, domain({ projectId: { idOf: "other" } }))).toMatchObject({ replace: 1 });
      expect(writesIn(service).filter((write) => !write.startsWith("createProject"))).toEqual([
        "deleteCustomDomain 204",
        "createCustomDomain 201",
      ]);
      expect(made()).toHaveLength(1);
      changesOf(await stack.destroy());
      expect(made()).toEqual([]);
    },
  );

  underEach(
    {
      domainAdvance: ["manual", { pollsPerState: 1 }, { pollsPerState: 3 }],
      domainOutcome: ["active", "failed"],
      extraFields: [false, true],
    },
    "becomes active, fails, or is waited for again in the next up",
    async ({ domainAdvance, domainOutcome }) => {
      const program = [domain(), active({ timeoutSeconds: 60 })];
      if (domainAdvance === "manual") {
        expect(await failureOf(stack.up(program))).toContain("after 60 seconds");
        expect(stack.resources).toHaveLength(2);
        service.setDomainStatus(idOfOnly(), "ACTIVE");
        expect(await up(...program)).toEqual({ update: 1 });
        await expectSettled(...program);
      } else if (domainOutcome === "failed") {
        expect(await failureOf(stack.up(program))).toContain("is FAILED");
        expect(stack.resources).toHaveLength(1);
      } else {
        expect(await up(...program)).toEqual({ create: 3 });
        await expectSettled(...program);
      }
    },
  );

  underEach(
    { retryOutsideFailed: ["conflict", "accepted"], domainAdvance: [{ pollsPerState: 1 }] },
    "is retried once if it has failed or expired, as far as the service does it",
    async ({ retryOutsideFailed }) => {
      const declared: Declaration = {
        ...active({ customDomainId: DOMAIN, retryFailed: true }),
        name: "retried",
      };
      service.setDomainStatus(DOMAIN, "EXPIRED");
      service.clearRequests();
      if (retryOutsideFailed === "accepted") await up(declared);
      else
        expect(await failureOf(stack.up([declared]))).toContain(
          "If it persists, set `deleteBeforeReplace: true`",
        );
      expect(writesIn(service)).toEqual([
        retryOutsideFailed === "accepted" ? "retryCustomDomain 200" : "retryCustomDomain 409",
      ]);
      service.setDomainStatus(DOMAIN, "FAILED");
      service.clearRequests();
      changesOf(await stack.refresh());
      await up(declared);
      expect(writesIn(service)).toEqual(["retryCustomDomain 200"]);
      await expectSettled(declared);
    },
  );
});
