/** Inline programs of Pulumi's Automation API: the package must be where Pulumi starts the provider host. */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { Project } from "../../sdk";
import { type Emulator, startEmulator } from "../../testing/emulator";
import { inlineStack } from "../support/stacks/inlineStack";
import { KEY, seedWith } from "../support/stacks/scenarios";
import { directoryWith } from "./unpackedProgram";

const MODULES = resolve(__dirname, "..", "..", "node_modules");

let service: Emulator;
beforeEach(async () => {
  service = await startEmulator({ seed: seedWith() });
});
afterEach(() => service.close());

/** Declares a project in an inline program whose host starts in this directory. Resolves with the error, if any. */
async function errorIn(directory: string): Promise<Error | undefined> {
  let thrown: Error | undefined;
  const stack = inlineStack(
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
  await stack.close();
  return thrown;
}

test("a resource is created if its directory has the package", async () => {
  const { path, remove } = directoryWith({});
  symlinkSync(MODULES, join(path, "node_modules"));
  expect(await errorIn(path)).toBeUndefined();
  expect(service.state.projects).toMatchObject([{ name: "Shop" }]);
  remove();
});

test("a resource fails before any request, with what to do, if its directory does not have the package", async () => {
  const { path, remove } = directoryWith({});
  const error = await errorIn(path);
  expect(error?.message).toBe(
    `Pulumi loads the providers of pulumi-dynamiclink from ${path}, the directory of this inline program's project, but the package cannot be found from there. Set main in the project settings to the absolute path of a directory from which it can be found, such as the directory of your script.`,
  );
  expect(error?.stack).toBeUndefined();
  expect(service.requests).toEqual([]);
  remove();
});
