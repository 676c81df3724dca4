/**
 * Stored states of earlier versions, each with the program that wrote it. Every later version previews and refreshes
 * them without changes and destroys them. DYNAMICLINK_TEST_RECORD_STATE=1 records the state of a new version, from
 * the current program of test/fixtures/everyResource.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { providerText, typeToken } from "../../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../../provider/resources";
import { type Emulator, type Seed, startEmulator } from "../../testing/emulator";
import type { Deployment, TestStack } from "../../testing/engine";
import { sharedStacks } from "../support/stacks/sharedProcess";

const FIXTURES = resolve(__dirname, "..", "fixtures");
const EVERY_RESOURCE = join(FIXTURES, "everyResource");
const KEYS = {
  DYNAMICLINK_API_KEY: "canary-key-of-the-first-organization",
  DYNAMICLINK_API_KEY_EUROPE: "europe-key-of-the-other-organization",
};
const ORGANIZATIONS = [
  "0a0a0a0a-0000-4000-8000-000000000001",
  "0b0b0b0b-0000-4000-8000-000000000002",
] as const;
const ADOPTED = "0c0c0c0c-0000-4000-8000-000000000003";
/** Placeholder in a fixture for the address of the emulator. */
const ADDRESS = "http://127.0.0.1:65535";
/** The properties of each kind of object, besides the id, that state and seed have under the same name. */
const SEEDED: Readonly<Record<string, readonly string[]>> = {
  Project: ["name", "defaultHookupMsg", "subDomain", "createdAt"],
  Application: ["appType", "appleInfo", "androidInfo", "createdAt"],
  CustomDomain: ["hostname", "cnameTarget"],
  CustomDomainActivation: [],
};

const newStack = sharedStacks();

let service: Emulator;
let stack: TestStack;
const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

async function start(program: string, seed: Seed): Promise<void> {
  service = await startEmulator({ seed });
  stack = newStack({
    program,
    environment: KEYS,
    config: { "dynamiclink:apiUrl": service.url },
  });
  started.push(stack, service);
}

function organizations(
  projectsOf: (organizationId: string) => Seed["organizations"][number]["projects"],
): Seed {
  return {
    organizations: ORGANIZATIONS.map((id, index) => ({
      id,
      keys: [{ key: Object.values(KEYS)[index] as string }],
      projects: projectsOf(id),
    })),
  };
}

/** A resource of this package in a state. */
interface Recorded {
  readonly id?: string | undefined;
  readonly kind: string;
  readonly outputs: Readonly<Record<string, unknown>>;
}

function recordedIn({ deployment: { resources = [] } }: Deployment): Recorded[] {
  return resources
    .filter(({ type }) => type.startsWith("pulumi-nodejs:dynamic/"))
    .map(({ id, type, outputs = {} }) => {
      const plain = Object.entries(outputs as object).map(([name, value]) => [
        name,
        // A secret is stored as JSON.
        typeof value === "object" && value !== null && "plaintext" in value
          ? JSON.parse(String(value.plaintext))
          : value,
      ]);
      return { id, kind: type.split(":").at(-1) as string, outputs: Object.fromEntries(plain) };
    });
}

/** The objects that the service has when a state is accurate. */
function seedFor(deployment: Deployment): Seed {
  const recorded = recordedIn(deployment);
  const seeded = ({ id, kind, outputs }: Recorded) => {
    const names = SEEDED[kind];
    if (names === undefined)
      throw new Error(`Say in SEEDED, and in seedFor, what the service has when a state has a ${kind}.`);
    return {
      id,
      ...Object.fromEntries(names.filter((name) => name in outputs).map((name) => [name, outputs[name]])),
    };
  };
  const all = recorded.map((one) => ({ ...one, seed: seeded(one) }));
  const under = (kind: string, projectId: string | undefined) =>
    all.filter((one) => one.kind === kind && one.outputs.projectId === projectId).map(({ seed }) => seed);
  return organizations(
    (organizationId) =>
      all
        .filter(({ kind, outputs }) => kind === "Project" && outputs.__organization === organizationId)
        .map(({ id, seed }) => ({
          ...seed,
          applications: under("Application", id),
          customDomains: under("CustomDomain", id),
        })) as never,
  );
}

/** The project that the program of every resource adopts. */
const adoptable = organizations((id) => (id === ORGANIZATIONS[0] ? [{ id: ADOPTED, name: "Adopted" }] : []));

const present = join(FIXTURES, `state-${version}`);
if (process.env.DYNAMICLINK_TEST_RECORD_STATE === "1" && !existsSync(present)) {
  test(`the state of ${version} is recorded`, async () => {
    await start(EVERY_RESOURCE, adoptable);
    await stack.up();
    const types = new Set(stack.exportState().deployment.resources?.map(({ type }) => type));
    const missing = Object.values(DESCRIPTIONS)
      .filter((description) => !types.has(typeToken(description)))
      .map(({ type }) => `Declare a ${type} in test/fixtures/everyResource/index.ts.`);
    expect(missing).toEqual([]);
    const text = JSON.stringify(stack.exportState({ showSecrets: true }), null, 2);
    cpSync(EVERY_RESOURCE, present, { recursive: true });
    writeFileSync(join(present, "state.json"), `${text.replaceAll(service.url, ADDRESS)}\n`);
  });
}

async function expectNoChanges(): Promise<void> {
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ expectNoChanges: true });
  await stack.up({ expectNoChanges: true });
}

/** The option `import` implies retainOnDelete, so the adopted project is the only object that is left. */
async function expectDestroyed(): Promise<void> {
  await stack.destroy();
  expect(stack.exportState().deployment.resources ?? []).toEqual([]);
  const { projects, applications, customDomains } = service.state;
  const left = [...projects, ...applications, ...customDomains].map(({ id }) => id);
  expect(left).toEqual([ADOPTED]);
}

test("the program of every resource is deployed, previewed and refreshed without changes, and destroyed", async () => {
  await start(EVERY_RESOURCE, adoptable);
  await stack.up();
  await expectNoChanges();
  await expectDestroyed();
});

const versions = readdirSync(FIXTURES).filter((name) => name.startsWith("state-"));

test("a state of this version is recorded", () => {
  expect(versions).toContain(`state-${version}`);
});

describe.each(versions)("%s", (name) => {
  const program = join(FIXTURES, name);
  const text = readFileSync(join(program, "state.json"), "utf8");
  const deployment = JSON.parse(text) as Deployment;

  test("is previewed and refreshed without changes, and destroyed", async () => {
    await start(program, seedFor(deployment));
    stack.importState(JSON.parse(text.replaceAll(ADDRESS, service.url)));
    await expectNoChanges();
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await expectDestroyed();
  });

  test("contains no key, no path of a machine and no code except the provider text", () => {
    for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
    expect(text).not.toContain(resolve(__dirname, "..", ".."));
    const texts = [...text.matchAll(/"__provider": (".*")/g)].map(([, json]) => JSON.parse(json as string));
    // Once among the inputs and once among the outputs.
    expect(texts).toHaveLength(recordedIn(deployment).length * 2);
    expect(texts.length).toBeGreaterThan(0);
    expect(Object.values(DESCRIPTIONS).map(providerText)).toEqual(expect.arrayContaining(texts));
  });
});
