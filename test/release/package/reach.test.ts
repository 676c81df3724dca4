/** Where Pulumi's provider host loads the package from: the directory of the program's project. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Project } from "../../../sdk";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { testStack } from "../../../testing/engine";
import { inlineStack } from "../../support/stacks/inlineStack";
import { failureOf, KEY, seedWith } from "../../support/stacks/scenarios";
import { directoryWith, programWith, ROOT } from "./unpackedProgram";

test("a program that uses the package only through another one, and cannot load the providers, fails with what to do, without a stack trace", async () => {
  using library = programWith({
    "package.json": JSON.stringify({ name: "shop-components", main: "index.js" }),
    "index.js": 'exports.Project = require("pulumi-dynamiclink").Project;',
  });
  using program = directoryWith({
    "package.json": JSON.stringify({ name: "strict", main: "index.js" }),
    "index.js": 'new (require("shop-components").Project)("shop", { name: "Shop" });',
  });
  mkdirSync(join(program.path, "node_modules"));
  symlinkSync(join(ROOT, "node_modules", "@pulumi"), join(program.path, "node_modules", "@pulumi"));
  symlinkSync(library.path, join(program.path, "node_modules", "shop-components"));
  await using stack = await testStack({
    program: program.path,
    environment: { DYNAMICLINK_API_KEY: "unused-key" },
  });
  const message = await failureOf(stack.preview());
  expect(message).toContain(
    `Pulumi loads the providers of pulumi-dynamiclink from ${program.path}, but the package cannot be found from there. Add it to the dependencies of the program`,
  );
  expect(message).not.toMatch(/\n\s+at /);
  expect(message).not.toContain("Cannot find module");
});

describe("an inline program of the Automation API", () => {
  let service: Emulator;
  beforeEach(async () => {
    service = await startEmulator({ seed: seedWith() });
  });
  afterEach(() => service.close());

  /** Declares a project in an inline program whose host starts in this directory. Resolves with the error, if any. */
  async function errorIn(directory: string): Promise<Error | undefined> {
    let thrown: Error | undefined;
    await using stack = inlineStack(
      async () => {
        try {
          new Project("shop", { name: "Shop" });
        } catch (error) {
          thrown = error as Error;
        }
        return {};
      },
      { directory, config: { "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": { secret: KEY } } },
    );
    await stack.up();
    return thrown;
  }

  test("a resource is created if its directory has the package", async () => {
    using directory = programWith({});
    expect(await errorIn(directory.path)).toBeUndefined();
    expect(service.state.projects).toMatchObject([{ name: "Shop" }]);
  });

  test("a resource fails before any request, with what to do, if its directory does not have the package", async () => {
    using directory = directoryWith({});
    const error = await errorIn(directory.path);
    expect(error?.message).toBe(
      `Pulumi loads the providers of pulumi-dynamiclink from ${directory.path}, the directory of this inline program's project, but the package cannot be found from there. Set main in the project settings to the absolute path of a directory from which it can be found, such as the directory of your script.`,
    );
    expect(error?.stack).toBeUndefined();
    expect(service.requests).toEqual([]);
  });
});
