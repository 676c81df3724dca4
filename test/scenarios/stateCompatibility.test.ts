/**
 * Stored states of earlier versions on both hosts, with the program that wrote them. Every later version previews and
 * refreshes them without changes and destroys them. DYNAMICLINK_TEST_RECORD_STATE=1 with test/cliTests.config.ts records the
 * states of a new version, from the current program of test/fixtures/everyResource.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { providerText } from "../../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../../provider/resources";
import { type Seed, startEmulator } from "../../testing/emulator";
import type { Deployment } from "../../testing/engine";
import { type Directory, programWith, ROOT } from "../release/package/programs";
import { pulumiCli, testOnCli } from "../support/processes/pulumiCli";
import { cliStack } from "../support/stacks/cliStack";
import { programStack } from "../support/stacks/programStack";
import { DYNAMIC, NATIVE, type ScenarioHost } from "../support/stacks/scenarioStack";
import { writesIn } from "../support/stacks/scenarios";

const FIXTURES = join(ROOT, "test", "fixtures");
const EVERY_RESOURCE = join(FIXTURES, "everyResource");
const KEYS = {
  DYNAMICLINK_API_KEY: "canary-key-of-the-first-organization",
  DYNAMICLINK_API_KEY_EUROPE: "europe-key-of-the-other-organization",
};
const ORGANIZATIONS = ["0a0a0a0a-0000-4000-8000-000000000001", "0b0b0b0b-0000-4000-8000-000000000002"];
const ADOPTED = "0c0c0c0c-0000-4000-8000-000000000003";
const PROJECT = "every-resource";
const ADDRESS = "http://127.0.0.1:65535";
/** The properties of the kinds of objects, besides the id, that state and seed have under the same name. */
const SEEDED = {
  Project: ["name", "defaultHookupMsg", "subDomain", "createdAt"],
  Application: ["appType", "appleInfo", "androidInfo", "createdAt"],
  CustomDomain: ["hostname", "cnameTarget"],
};

const STATES = { dynamic: "state.json", native: "native.json" };
const HOSTS = [DYNAMIC, NATIVE];

function programOn({ module, project }: ScenarioHost, program: string): Directory {
  const textOf = (file: string) => readFileSync(join(program, file), "utf8");
  const runtime = { name: "nodejs", options: { typescript: false } };
  return programWith({
    "package.json": textOf("package.json"),
    "Pulumi.yaml": JSON.stringify({ name: PROJECT, runtime, ...project }),
    "index.ts": textOf("index.ts").replace('from "pulumi-dynamiclink"', `from ${JSON.stringify(module)}`),
  });
}

/** Runs the commands of a program: from its first `up`, or from a state of it. Then nothing changes until it is destroyed. */
async function expectStable(host: ScenarioHost, program: string, seed: Seed, state?: string): Promise<void> {
  await using service = await startEmulator({ seed });
  using directory = programOn(host, program);
  await using stack = programStack({ service, program: directory.path, environment: KEYS });
  if (state === undefined) await stack.up();
  else stack.importState(JSON.parse(state.replaceAll(ADDRESS, service.url)));
  service.clearRequests();
  await stack.preview({ expectNoChanges: true });
  await stack.refresh({ expectNoChanges: true });
  await stack.up({ expectNoChanges: true });
  expect(writesIn(service)).toEqual([]);
  await stack.destroy();
  expect(stack.exportState().deployment.resources ?? []).toEqual([]);
  const { projects, applications, customDomains } = service.state;
  // The option `import` implies retainOnDelete, so the adopted project is the only object that is left.
  expect([...projects, ...applications, ...customDomains].map(({ id }) => id)).toEqual([ADOPTED]);
}

function organizations(projectsOf: (id: string) => Seed["organizations"][number]["projects"]): Seed {
  return {
    organizations: ORGANIZATIONS.map((id, index) => ({
      id,
      keys: [{ key: Object.values(KEYS)[index] as string }],
      projects: projectsOf(id),
    })),
  };
}

function recordedIn(text: string, { typePrefix }: ScenarioHost) {
  // A secret is stored as JSON.
  const { deployment } = JSON.parse(text, (_, value) =>
    value?.plaintext === undefined ? value : JSON.parse(value.plaintext),
  ) as Deployment;
  return (deployment.resources ?? [])
    .filter(({ type }) => type.startsWith(typePrefix))
    .map(({ id, type, outputs = {} }) => ({ id, kind: type.slice(typePrefix.length), outputs }));
}

function seedFor(recorded: ReturnType<typeof recordedIn>): Seed {
  const seeded = (kind: keyof typeof SEEDED, parent: string, parentId: string | undefined) =>
    recorded
      .filter((one) => one.kind === kind && one.outputs[parent] === parentId)
      .map(({ id, outputs }) => {
        const names = SEEDED[kind].filter((name) => name in outputs);
        return { id, ...Object.fromEntries(names.map((name) => [name, outputs[name]])) };
      });
  return organizations(
    (organizationId) =>
      seeded("Project", "organizationId", organizationId).map((project) => ({
        ...project,
        applications: seeded("Application", "projectId", project.id),
        customDomains: seeded("CustomDomain", "projectId", project.id),
      })) as never,
  );
}

const adoptable = organizations((id) => (id === ORGANIZATIONS[0] ? [{ id: ADOPTED, name: "Adopted" }] : []));

const present = join(FIXTURES, `state-${version}`);
for (const host of process.env.DYNAMICLINK_TEST_RECORD_STATE === "1" ? HOSTS : []) {
  const file = join(present, STATES[host.name]);
  if (existsSync(file)) continue;
  testOnCli(`the state of ${version} is recorded, ${host.name}`, async () => {
    await using service = await startEmulator({ seed: adoptable });
    using program = programOn(host, EVERY_RESOURCE);
    const project = { directory: program.path, name: PROJECT, environment: () => KEYS };
    const stack = cliStack(pulumiCli(), project);
    await stack.configure({ "dynamiclink:apiUrl": service.url });
    await stack.run("up");
    const state = await stack.exportState();
    // The secrets are in plain text, so nothing decrypts them. The others are paths of this machine.
    const omitted = ["secrets_providers", "sourcePosition", "stackTrace"];
    const text = JSON.stringify(state, (key, value) => (omitted.includes(key) ? undefined : value), 2);
    const kinds = new Set(recordedIn(text, host).map(({ kind }) => kind));
    const missing = Object.keys(DESCRIPTIONS)
      .filter((type) => !kinds.has(type))
      .map((type) => `Declare a ${type} in test/fixtures/everyResource/index.ts.`);
    expect(missing).toEqual([]);
    cpSync(EVERY_RESOURCE, present, { recursive: true, force: false });
    writeFileSync(file, `${text.replaceAll(service.url, ADDRESS)}\n`);
  });
}

test.each(HOSTS)(
  "the program of every resource is deployed, previewed and refreshed without changes, and destroyed, $name",
  (host) => expectStable(host, EVERY_RESOURCE, adoptable),
);

const versions = readdirSync(FIXTURES).filter((name) => name.startsWith("state-"));

test("the states of this version are recorded", () => {
  expect(readdirSync(present)).toEqual(expect.arrayContaining(Object.values(STATES)));
});

const states = versions.flatMap((name) => HOSTS.map((host) => [name, host.name, host] as const));

describe.each(states)("%s, %s", (name, _host, host) => {
  const program = join(FIXTURES, name);
  const text = () => readFileSync(join(program, STATES[host.name]), "utf8");
  const recorded = () => recordedIn(text(), host);

  test("is previewed and refreshed without changes, and destroyed", () =>
    expectStable(host, program, seedFor(recorded()), text()));

  test("contains no key, no path of a machine and no code except the provider text", () => {
    for (const key of Object.values(KEYS)) expect(text()).not.toContain(key);
    for (const path of [ROOT, tmpdir()]) expect(text()).not.toContain(path);
    const texts = [...text().matchAll(/"__provider": (".*")/g)].map(([, json]) => JSON.parse(json as string));
    expect(recorded().length).toBeGreaterThan(0);
    // Once among the inputs and once among the outputs.
    expect(texts).toHaveLength(host === DYNAMIC ? recorded().length * 2 : 0);
    expect(Object.values(DESCRIPTIONS).map(providerText)).toEqual(expect.arrayContaining(texts));
  });
});
