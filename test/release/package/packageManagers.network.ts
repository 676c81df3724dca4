/**
 * The tarball, installed by each package manager, with the oldest and the newest `@pulumi/pulumi`. Needs a registry
 * and several minutes: `npm run test:package`.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { devDependencies, peerDependencies } from "../../../package.json";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { testStack } from "../../../testing/engine";
import { KEY, seedWith } from "../../support/values/organizations";
import { directoryWith, INSTALLING, ON_WINDOWS, packTarball, type Tarball } from "./programs";

const OLDEST = peerDependencies["@pulumi/pulumi"].match(/\d+\.\d+\.\d+/)?.[0] ?? "";
const NEWEST = devDependencies["@pulumi/pulumi"];

const INSTALLATIONS: [command: string, pulumi: string, files: Record<string, string>][] = [
  ["npm --no-audit --no-fund", OLDEST, {}],
  ["npm --no-audit --no-fund", NEWEST, {}],
  ["npx --yes pnpm@10", NEWEST, { "pnpm-workspace.yaml": "packages: []\n" }],
  ["npx --yes yarn@1", NEWEST, {}],
];

/** What each private part of the SDK does, as the package needs it. */
const PRIVATE_PARTS = {
  isMocked: [false, true],
  isEncrypted: [true, false],
  callSite: true,
  typeToken: "pulumi-nodejs:dynamic/dynamiclink:Project",
  invokeDependencies: [0, 1],
  engineLog: ["function", "function", "number", "function"],
};

let tarball: Tarball;
let service: Emulator;
beforeAll(async () => {
  tarball = packTarball();
  service = await startEmulator({ seed: seedWith() });
});
afterAll(async () => {
  tarball?.remove();
  await service?.close();
});

test.each(INSTALLATIONS)(
  "a program that %s installs with @pulumi/pulumi %s is deployed and destroyed",
  async (command, pulumi, files) => {
    const { path, remove } = directoryWith({
      ...files,
      "package.json": JSON.stringify({
        name: "installed",
        private: true,
        type: "module",
        main: "index.ts",
        dependencies: { "@pulumi/pulumi": pulumi, "pulumi-dynamiclink": `file:${tarball.path}` },
      }),
      "index.ts": `
        import { getProjectOutput, Project } from "pulumi-dynamiclink";
        const shop = new Project("shop", { name: "Shop" });
        export const look = getProjectOutput({ id: shop.id }).name;
      `,
    });
    const [program = "", ...parameters] = command.split(" ");
    execFileSync(program, [...parameters, "install", "--prefer-offline", "--ignore-scripts"], {
      cwd: path,
      env: INSTALLING,
      shell: ON_WINDOWS,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const found = execFileSync(process.execPath, [join(__dirname, "privateParts.cjs"), path], {
      encoding: "utf8",
    });
    expect(JSON.parse(found)).toEqual(PRIVATE_PARTS);
    const stack = await testStack({
      program: path,
      config: { "dynamiclink:apiUrl": service.url },
      environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: undefined },
    });
    try {
      await stack.preview();
      expect((await stack.up()).outputs).toEqual({ look: "Shop" });
      await stack.preview({ expectNoChanges: true });
      await stack.destroy();
    } finally {
      await stack.close();
      remove();
    }
  },
);
