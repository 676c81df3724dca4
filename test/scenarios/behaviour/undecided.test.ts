/**
 * The lifecycles of all kinds of resources, under every behaviour that the service may have where its reference leaves
 * it open. The other scenarios run them once on each host, and the fault campaign combines behaviours.
 */
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Behaviour, type Emulator, startEmulator } from "../../../testing/emulator";
import {
  type Declaration,
  type DeclaredStack,
  declaredStack,
  errorOf,
  type Outcome,
} from "../../support/stacks/declaredStack";
import { seedWith, writesIn } from "../../support/stacks/scenarios";
import { EXAMPLE_KINDS, RESOURCE_EXAMPLES } from "../../support/values/resourceExamples";
import { changesOf, expectLifecycle, expectSettled as expectUnchanged } from "./anyKind";

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

type Options = { readonly [Option in keyof Given]?: readonly Given[Option][] };

/** Registers tests that together have each value of each option, each with an empty stack. They alternate between the hosts. */
function underEach(options: Options, name: string, run: (given: Given, host: Host) => Promise<void>): void {
  const values = Object.entries(options);
  const rows = Math.max(...values.map(([, { length }]) => length));
  const cases = Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(values.map(([option, all]) => [option, all[row % all.length]])),
  );
  for (const [index, given] of cases.entries()) {
    const host = index % 2 === 0 ? DYNAMIC_HOST : NATIVE_HOST;
    test(`${name}, with ${host.module}, under ${JSON.stringify(given)}`, async () => {
      const { kind, ...behaviour } = given;
      service.reset();
      service.setBehaviour(behaviour);
      stack = newStack(host);
      await run({ kind, ...behaviour } as Given, host);
      expect(service.violations).toEqual([]);
    });
  }
}

function newStack(host: Host): DeclaredStack {
  return declaredStack(service, { host, timeoutMs: () => 10_000, random: () => 0.5 });
}

async function up(...declarations: Declaration[]): Promise<Readonly<Record<string, number | undefined>>> {
  return changesOf(await stack.up(declarations));
}

async function expectSettled(...declarations: Declaration[]): Promise<void> {
  await expectUnchanged(stack, declarations);
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
      await expectLifecycle({ service, newStack: () => newStack(host) }, kind, RESOURCE_EXAMPLES[kind]);
    },
  );
});

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
    "has its declared fields set and others cleared, keeps a field of the console, and changes its platform in place",
    async () => {
      const first = ios({ appIdPrefix: "A1B2C3D4E5", appId: "A1B2C3D4E5.example.shop.app" });
      await up(first);
      const id = idOfOnly();
      const info = () => service.state.applications[0]?.appleInfo;
      service.updateApplication(id, { appleInfo: { ...apple, ...info(), appStoreId: "from the console" } });
      await expectSettled(first);
      const second = ios({ appName: "The shop", bundleId: "example.market.app" });
      for (const next of [second, android, web, ios()]) {
        service.clearRequests();
        expect(await up(next)).toEqual({ update: 1 });
        expect(writesIn(service)).toEqual(["updateApplication 200"]);
        if (next === second) {
          expect(info()).toMatchObject({ appName: "The shop", bundleId: "example.market.app" });
          expect(info()).toMatchObject({ appStoreId: "from the console" });
          expect(info()?.appIdPrefix ?? null).toBeNull();
        }
        await expectSettled(next);
      }
      expect(idOfOnly()).toBe(id);
      expect(service.state.applications[0]?.androidInfo ?? null).toBeNull();
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
    { extraFields: [false, true], uniqueNames: [true, false], storedForm: ["asGiven", "normalizedNames"] },
    "with a name that the service may change, a logo of the console and no sub-domain, is created once, changed and deleted",
    async ({ storedForm }) => {
      const first = await stack.up([project("shop", "The Shop ")]);
      if (storedForm === "normalizedNames")
        expect(errorOf(first)).toContain(`did not apply name of project ${idOfOnly()} as declared:`);
      const stored = project("shop", storedForm === "asGiven" ? "The Shop " : "the shop");
      await up(stored);
      service.updateProject(idOfOnly(), { logoImageId: DOMAIN, subDomain: null });
      changesOf(await stack.refresh());
      await expectSettled(stored);
      expect(await up(project("shop", "new"))).toEqual({ update: 1 });
      await expectSettled(project("shop", "new"));
      const [, { name, logoImageId } = {}] = service.state.projects;
      expect({ name, logoImageId }).toEqual({ name: "new", logoImageId: DOMAIN });
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
      await up(domain({ hostname: "Links.Shop.example." }), active());
      expect(stack.resources[0]?.outputs?.hostname).toBe(HOSTNAME);
      expect(stack.resources[0]?.outputs?.cnameTarget ?? null).toEqual(
        cnameTargetAppears === "never" ? null : expect.any(String),
      );
      await expectSettled(domain({ hostname: "LINKS.shop.example" }), active());
      const other: Declaration = { kind: "Project", name: "other", properties: { name: "Other" } };
      service.clearRequests();
      expect(await up(other, domain({ projectId: { idOf: "other" } }), active())).toMatchObject({
        replace: 2,
      });
      expect(writesIn(service).filter((write) => !write.startsWith("createProject"))).toEqual([
        "deleteCustomDomain 204",
        "createCustomDomain 201",
      ]);
      expect(made().map(({ id }) => [id, id])).toEqual([stack.resources.slice(-2).map(({ id }) => id)]);
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
        for (const command of [() => stack.up(program), () => stack.up(program, { refresh: true })]) {
          expect(await failureOf(command())).toContain("after 60 seconds");
          expect(stack.resources).toHaveLength(2);
        }
        service.setDomainStatus(idOfOnly(), "ACTIVE");
        // More often than a call has attempts.
        service.inject({ operation: "getCustomDomain", count: 8, effect: { status: 503 } });
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
    "is retried once if it has failed or expired, as far as the service does it, even if the response is lost",
    async ({ retryOutsideFailed }) => {
      const declared: Declaration = {
        ...active({ customDomainId: DOMAIN, retryFailed: true }),
        name: "retried",
      };
      service.setDomainStatus(DOMAIN, "EXPIRED");
      service.clearRequests();
      const isAccepted = retryOutsideFailed === "accepted";
      if (isAccepted) await up(declared);
      else expect(await failureOf(stack.up([declared]))).toContain("set `deleteBeforeReplace: true`");
      expect(writesIn(service)).toEqual([`retryCustomDomain ${isAccepted ? 200 : 409}`]);
      service.setDomainStatus(DOMAIN, "FAILED");
      service.clearRequests();
      changesOf(await stack.refresh());
      service.inject({ operation: "retryCustomDomain", effect: { reset: "after" } });
      await up(declared);
      expect(writesIn(service)).toHaveLength(1);
      await expectSettled(declared);
    },
  );
});
