/**
 * The example of a platform team's repository, as npm and pnpm install it: the commands of its CI files, which include its
 * types, lint rules and tests, and its policies on both hosts. Needs a registry, a Pulumi CLI and several minutes.
 */
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { execute } from "../../support/processes/execute";
import { backendIn, findPulumiCli, notRun, type PulumiCli } from "../../support/processes/pulumiCli";
import { type Directory, directoryWith, INSTALLING, packTarball, ROOT, type Tarball } from "./programs";

const EXAMPLE = join(ROOT, "examples", "platform");
const PREVIEW = "pulumi -C brands preview --stack prod --policy-pack ../policy";

/** The keys of its seed, by the names of the secrets in its CI files. */
const SECRETS: Readonly<Record<string, string>> = {
  DYNAMICLINK_READ_KEY: "europe-read-key-for-the-emulator",
  DYNAMICLINK_READ_KEY_ASIA: "asia-read-key-for-the-emulator",
  DYNAMICLINK_WRITE_KEY: "europe-write-key-for-the-emulator",
  DYNAMICLINK_WRITE_KEY_ASIA: "asia-write-key-for-the-emulator",
};

/** Steps that are not run, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "actions/checkout": "The files are a copy of the example.",
  "actions/setup-node": "The commands run on the Node.js of this machine.",
  "pulumi/actions": "They run on its Pulumi CLI.",
};

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly script?: readonly string[];
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}

/** A copy of the example with the packed package. */
interface Repository extends Directory {
  run(command: string, variables?: Readonly<Record<string, string>>): Promise<string>;
  replace(file: string, text: string | RegExp, other: string): void;
}

let tarball: Tarball;
let service: Emulator;
beforeAll(async () => {
  tarball = packTarball();
  service = await startEmulator({ seed: JSON.parse(readFileSync(join(EXAMPLE, "seed.json"), "utf8")) });
});
beforeEach(() => service.reset());
afterAll(async () => {
  tarball?.remove();
  await service?.close();
});

function repository({ environment }: PulumiCli): Repository {
  const directory = directoryWith({ "backend/.keep": "" });
  const { path } = directory;
  cpSync(EXAMPLE, path, { recursive: true });
  const write = {
    DYNAMICLINK_API_KEY: SECRETS.DYNAMICLINK_WRITE_KEY,
    DYNAMICLINK_API_KEY_ASIA: SECRETS.DYNAMICLINK_WRITE_KEY_ASIA,
    DYNAMICLINK_READ_ONLY: undefined,
  };
  const all = { ...INSTALLING, PATH: environment.PATH, ...backendIn(join(path, "backend")), ...write };
  const copy: Repository = {
    ...directory,
    run: (command, variables) =>
      execute("bash", ["-ec", command], { directory: path, environment: { ...all, ...variables } }),
    replace(file, text, other) {
      const old = readFileSync(join(path, file), "utf8");
      const replaced = old.replaceAll(text, other);
      if (replaced === old) throw new Error(`${file} does not contain ${text}`);
      writeFileSync(join(path, file), replaced);
    },
  };
  const declared = `"pulumi-dynamiclink": "^${version}"`;
  copy.replace("package.json", declared, `"pulumi-dynamiclink": "file:${tarball.path}"`);
  for (const stack of ["dev", "prod"])
    copy.replace(`brands/Pulumi.${stack}.yaml`, "http://127.0.0.1:8180", service.url);
  return copy;
}

function testInRepository(name: string, install: string, body: (copy: Repository) => Promise<void>): void {
  test(name, async () => {
    const cli = findPulumiCli();
    if (cli === undefined) return notRun(name, "there is no Pulumi CLI");
    using copy = repository(cli);
    await copy.run(install);
    for (const stack of ["dev", "prod"]) await copy.run(`pulumi -C brands stack init ${stack}`);
    await body(copy);
  });
}

function writes(): string[] {
  return service.requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`${method} ${path}`]));
}

function commandsOf({ script, steps = [] }: Job): readonly string[] {
  const others = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses.replace(/@.*/, "")]));
  expect(Object.keys(NOT_RUN)).toEqual(expect.arrayContaining(others));
  return script ?? steps.flatMap(({ run }) => run ?? []);
}

/** The variables of a job, with the secrets that it names. */
function variablesOf({ env, variables }: Job): Record<string, string> {
  const named = Object.entries({ ...env, ...variables }).map(([name, value]) => {
    const [secret = ""] = /DYNAMICLINK_\w+_KEY\w*/.exec(value) ?? [];
    return [name, SECRETS[secret] ?? value];
  });
  return Object.fromEntries(named);
}

const INSTALL = "npm install --no-audit --no-fund --prefer-offline --ignore-scripts";

for (const file of [".github/workflows/infrastructure.yml", ".gitlab-ci.yml"])
  testInRepository(
    `the commands of ${file} pass: preview, deployment and the weekly checks`,
    `${INSTALL} --package-lock-only`,
    async (copy) => {
      const { jobs, default: common = {}, ...rest } = parse(readFileSync(join(EXAMPLE, file), "utf8"));
      const { before_script = [] } = common;
      const all = Object.entries<Job>(jobs ?? rest).filter(([, job]) => job.script ?? job.steps);
      expect(all.map(([name]) => name).slice(0, 2)).toEqual(["preview", "deploy"]);
      for (const [name, job] of all) {
        service.clearRequests();
        // The jobs share a copy.
        for (const command of [...before_script, ...commandsOf(job)])
          if (command !== "npm ci" || name === "preview") await copy.run(command, variablesOf(job));
        expect([name, writes().length > 0]).toEqual([name, name === "deploy"]);
        service.clock.advance(60_000);
        // The DNS team sets the records.
        for (const { id } of service.state.customDomains) service.setDomainStatus(id, "ACTIVE");
      }
      expect(service.state.projects).toHaveLength(4);
    },
  );

testInRepository("the policies find violations on both hosts", INSTALL, async (copy) => {
  const unsafe = ["tea is not protected.", "shop-ios has no appStoreId."];
  const violations = [...unsafe, "go.other.example is in none of the zones"];
  await copy.run(PREVIEW);
  copy.replace("brands/index.ts", '=== "prod"', '=== "production"');
  copy.replace("brands/Pulumi.prod.yaml", "go.tea.example", "go.other.example");
  copy.replace("brands/Pulumi.prod.yaml", /appStoreId: .*/g, "");
  const printed = async () => String(await copy.run(PREVIEW).catch((error) => error));
  const dynamic = await printed();
  const plugin =
    "\nplugins: { providers: [{ name: dynamiclink, path: ../node_modules/pulumi-dynamiclink/plugin }] }\n";
  appendFileSync(join(copy.path, "brands", "Pulumi.yaml"), plugin);
  for (const program of ["brands/index.ts", "packages/brand/index.ts"])
    copy.replace(program, '"pulumi-dynamiclink"', '"pulumi-dynamiclink/native"');
  const native = await printed();
  for (const text of [dynamic, native])
    expect(violations.filter((violation) => !text.includes(violation))).toEqual([]);
  expect([dynamic, native].map((text) => text.includes("dynamiclink:index:Project"))).toEqual([false, true]);
});

testInRepository(
  "pnpm installs it, and the checks, the tests and a preview pass",
  "npx --yes pnpm@10 install",
  async (copy) => {
    await copy.run("npx --yes pnpm@10 run check");
    await copy.run("npx --yes pnpm@10 test");
    await copy.run(PREVIEW);
  },
);
