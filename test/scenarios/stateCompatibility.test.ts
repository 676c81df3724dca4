/**
 * States that earlier versions left behind, one file a version: every later version previews them without change,
 * refreshes and destroys them. A new version's file is recorded with DYNAMICLINK_TEST_RECORD_STATE=1.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { type Emulator, type Seed, startEmulator } from "../../testing/emulator";
import { type Deployment, type TestStack, testStack } from "../../testing/engine";

const FIXTURES = resolve(__dirname, "..", "fixtures");
const PROGRAM = join(FIXTURES, "everyResource");
const KEYS = {
  DYNAMICLINK_API_KEY: "canary-key-of-the-first-organization",
  DYNAMICLINK_API_KEY_EUROPE: "europe-key-of-the-other-organization",
};
const ORGANIZATIONS = [
  "0a0a0a0a-0000-4000-8000-000000000001",
  "0b0b0b0b-0000-4000-8000-000000000002",
] as const;
const ADOPTED = "0c0c0c0c-0000-4000-8000-000000000003";
/** Stands in a fixture for the address of the emulator. */
const ADDRESS = "http://127.0.0.1:65535";
const RESOURCES = 9;

let service: Emulator;
let stack: TestStack;
const started: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

async function start(seed: Seed): Promise<void> {
  service = await startEmulator({ seed });
  stack = await testStack({
    program: PROGRAM,
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

interface Outputs {
  readonly __organization: string;
  readonly projectId?: string;
  readonly name?: string;
}

/** What the service has when a state is right. */
function seedFor({ deployment: { resources = [] } }: Deployment): Seed {
  const found = resources.flatMap(({ id, type, outputs = {} }) => {
    const kind = type.startsWith("pulumi-nodejs:dynamic/") ? type.split(":").at(-1) : undefined;
    const plain = Object.entries(outputs as object).map(([name, value]) => [
      name,
      // A secret is stored as JSON.
      typeof value === "object" && value !== null && "plaintext" in value
        ? JSON.parse(String(value.plaintext))
        : value,
    ]);
    return kind === undefined ? [] : [{ id, kind, outputs: Object.fromEntries(plain) as Outputs }];
  });
  const under = <Fields extends string>(
    kind: string,
    projectId: string | undefined,
    fields: readonly Fields[],
  ) =>
    found
      .filter((one) => one.kind === kind && one.outputs.projectId === projectId)
      .map(({ id, outputs }) => ({
        id,
        ...Object.fromEntries(
          fields.filter((field) => field in outputs).map((field) => [field, Reflect.get(outputs, field)]),
        ),
      }));
  return organizations((organizationId) =>
    found
      .filter(({ kind, outputs }) => kind === "Project" && outputs.__organization === organizationId)
      .map(({ id, outputs: { name = "", __organization: _, ...outputs } }) => ({
        ...pick(outputs, ["defaultHookupMsg", "subDomain", "createdAt"]),
        id,
        name,
        applications: under("Application", id, ["appType", "appleInfo", "androidInfo", "createdAt"]) as never,
        customDomains: under("CustomDomain", id, ["hostname", "cnameTarget"]) as never,
      })),
  );
}

function pick(from: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

const present = join(FIXTURES, `state-${version}.json`);
if (process.env.DYNAMICLINK_TEST_RECORD_STATE === "1" && !existsSync(present)) {
  test(`the state of ${version} is recorded`, async () => {
    await start(organizations((id) => (id === ORGANIZATIONS[0] ? [{ id: ADOPTED, name: "Adopted" }] : [])));
    await stack.up();
    const text = JSON.stringify(stack.exportState({ showSecrets: true }), null, 2);
    writeFileSync(present, `${text.replaceAll(service.url, ADDRESS)}\n`);
  });
}

const recorded = readdirSync(FIXTURES).filter((name) => /^state-.*\.json$/.test(name));

test("there is a state of this version", () => {
  expect(recorded).toContain(`state-${version}.json`);
});

for (const file of recorded) describe(file, () => checkState(readFileSync(join(FIXTURES, file), "utf8")));

function checkState(text: string): void {
  test("is previewed without change, refreshed and destroyed", async () => {
    const portable = JSON.parse(text) as Deployment;
    await start(seedFor(portable));
    stack.importState(JSON.parse(text.replaceAll(ADDRESS, service.url)));
    await stack.preview({ expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.up({ expectNoChanges: true });
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await stack.destroy();
    const { projects, applications, customDomains } = service.state;
    // What the program adopts stays: the option import implies retainOnDelete.
    expect({ projects: projects.map(({ id }) => id), applications, customDomains }).toEqual({
      projects: [ADOPTED],
      applications: [],
      customDomains: [],
    });
  });

  test("holds no key, no path of a machine and no code but the name of the provider", () => {
    for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
    expect(text).not.toContain(resolve(__dirname, "..", ".."));
    const texts = [...text.matchAll(/"__provider": (".*")/g)].map(
      ([, json]) => JSON.parse(json as string) as string,
    );
    expect(texts.length).toBe(RESOURCES * 2);
    for (const provider of texts) {
      expect(provider).toMatch(
        /^exports\.handler=\(\)=>require\("pulumi-dynamiclink\/provider"\)\.(project|application|customDomain|customDomainActivation)$/,
      );
    }
  });
}
