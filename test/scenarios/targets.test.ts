/** Commands that include only some resources, with another organization's key: the others are not compared by a host. */
import {
  failureOf,
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  readsIn,
  runScenarios,
  type Scenario,
  writesIn,
} from "../support/stacks/scenarios";

const EXISTING = `const old = new Project("old", { name: "Old" });`;
const ADDED = `${EXISTING} new Project("new", { name: "New" });`;

interface Case {
  readonly name: string;
  readonly after?: string;
  readonly options: "target" | "exclude" | "refresh and exclude";
}

const ONLY_DYNAMIC = { host: "dynamic", because: "comparingProgram" } as const;

const CASES: readonly Case[] = [
  { name: "up --target new", options: "target" },
  { name: "up --exclude old", options: "exclude" },
  { name: "up --refresh --exclude old", options: "refresh and exclude" },
  {
    name: "up --target new of an adopted object",
    after: `${EXISTING} new Project("new", { name: "Theirs" }, { import: "0c0c0c0c-0000-4000-8000-00000000000c" });`,
    options: "target",
  },
  {
    name: "up --target new, above the resource that exists",
    after: `new Project("new", { name: "New" }); ${EXISTING}`,
    options: "target",
  },
];

runScenarios({ title: "with another organization's key", only: ONLY_DYNAMIC }, [
  ...CASES.map(
    ({ name, after = ADDED, options }): Scenario => ({
      name: `${name} fails in preview, reports both organizations and creates nothing`,
      onCli: after === ADDED && options !== "refresh and exclude" ? "one host" : undefined,
      async run({ stack, service }) {
        service.createProject(OTHER_ORGANIZATION, {
          id: "0c0c0c0c-0000-4000-8000-00000000000c",
          name: "Theirs",
        });
        await stack.deploy(EXISTING);
        const [old] = await stack.resources();
        stack.program(after);
        service.clearRequests();
        await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
        const selected = {
          target: { target: [stack.urnOf("Project", "new")] },
          exclude: { exclude: [stack.urnOf("Project", "old")] },
          "refresh and exclude": { refresh: true, exclude: [stack.urnOf("Project", "old")] },
        }[options];
        const message = await failureOf(stack.preview(selected));
        for (const uuid of [old?.id, ORGANIZATION, OTHER_ORGANIZATION]) expect(message).toContain(uuid);
        expect(writesIn(service)).toEqual([]);
        await stack.environment({ DYNAMICLINK_API_KEY: KEY });
        if (after === ADDED) {
          await stack.preview(selected);
          await stack.up(selected);
          expect(await stack.resources()).toHaveLength(2);
        }
      },
    }),
  ),
  {
    name: "up --target of an explicit provider fails in preview, and a provider of the other organization may create",
    onCli: "one host",
    environment: { OUR_KEY: KEY, THEIR_KEY: OTHER_KEY, DYNAMICLINK_API_KEY: undefined },
    async run({ stack, service }) {
      const providers = `const settings = { apiUrl: ${JSON.stringify(service.url)} };
        const ours = new Provider("ours", { ...settings, apiKeyEnvVar: "OUR_KEY" });
        const theirs = new Provider("theirs", { ...settings, apiKeyEnvVar: "THEIR_KEY" });
        new Project("old", { name: "Old" }, { provider: ours });`;
      await stack.deploy(providers);
      const added = (provider: string) => `new Project("new", { name: "New" }, { provider: ${provider} });`;
      const selected = { target: [stack.urnOf("Project", "new")] };
      stack.program(`${providers} ${added("theirs")}`);
      await stack.up(selected);
      stack.program(`${providers} ${added("theirs")} ${added("ours").replaceAll('new"', 'newer"')}`);
      await stack.environment({ OUR_KEY: OTHER_KEY });
      service.clearRequests();
      expect(await failureOf(stack.preview({ target: [stack.urnOf("Project", "newer")] }))).toContain(
        OTHER_ORGANIZATION,
      );
      expect(writesIn(service)).toEqual([]);
    },
  },
  {
    name: "with the right key, only a preview that creates something looks up the key in the program too",
    async run({ stack, service }) {
      await stack.deploy(EXISTING);
      service.clearRequests();
      await stack.preview({ expectNoChanges: true });
      expect(readsIn(service)).toEqual(["getCurrentApiCredential 200"]);
      stack.program(
        `${EXISTING} ${EXISTING.replaceAll('old"', 'older"').replace("const old", "const older")}`,
      );
      service.clearRequests();
      await stack.preview();
      expect(readsIn(service).filter((read) => !read.startsWith("listProjects"))).toEqual([
        "getCurrentApiCredential 200",
        "getCurrentApiCredential 200",
      ]);
    },
  },
  {
    name: "a resource is compared with the key of the provider that a transformation gives it",
    onCli: "one host",
    environment: { THEIR_KEY: OTHER_KEY },
    async run({ stack, service }) {
      const program = `
        const theirs = new Provider("theirs", { apiUrl: ${JSON.stringify(service.url)}, apiKeyEnvVar: "THEIR_KEY" });
        pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: { ...opts, provider: theirs } }));
      `;
      await stack.deploy(`${program} ${EXISTING}`);
      await stack.deploy(`${program} ${ADDED}`);
      expect(service.state.projects.map(({ organizationId }) => organizationId)).toEqual([
        OTHER_ORGANIZATION,
        OTHER_ORGANIZATION,
      ]);
    },
  },
  {
    name: "in read-only mode, a preview with --target fails too, and previews of the right key work",
    async run({ stack, service }) {
      await stack.deploy(EXISTING);
      stack.program(ADDED);
      const selected = { target: [stack.urnOf("Project", "new")] };
      service.setScopes(KEY, ["projects:read"]);
      service.setScopes(OTHER_KEY, ["projects:read"]);
      await stack.environment({ DYNAMICLINK_READ_ONLY: "1" });
      await stack.preview(selected);
      await stack.environment({ DYNAMICLINK_READ_ONLY: "1", DYNAMICLINK_API_KEY: OTHER_KEY });
      expect(await failureOf(stack.preview(selected))).toContain(ORGANIZATION);
    },
  },
  {
    name: "the organization of a resource that is read with get is not compared",
    async run({ stack, service }) {
      const { id } = service.createProject(ORGANIZATION, { name: "Theirs" });
      stack.program(`Project.get("theirs", "${id}"); new Project("new", { name: "New" });`);
      service.clearRequests();
      await stack.preview();
      expect(readsIn(service).sort()).toEqual([
        "getCurrentApiCredential 200",
        "getProject 200",
        "listProjects 200",
      ]);
    },
  },
]);
