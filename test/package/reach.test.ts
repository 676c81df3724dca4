/** A program that uses the package only through another package, from which Pulumi's provider host cannot load it. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { testStack } from "../../testing/engine";
import { failureOf } from "../support/stacks/scenarios";
import { directoryWith } from "./unpackedProgram";

const MODULES = resolve(__dirname, "..", "..", "node_modules");

test("a program that cannot load the providers fails with what to do, without a stack trace", async () => {
  const library = directoryWith({
    "package.json": JSON.stringify({ name: "shop-components", main: "index.js" }),
    "index.js": 'exports.Project = require("pulumi-dynamiclink").Project;',
  });
  symlinkSync(MODULES, join(library.path, "node_modules"));
  const program = directoryWith({
    "package.json": JSON.stringify({ name: "strict", main: "index.js" }),
    "index.js": 'new (require("shop-components").Project)("shop", { name: "Shop" });',
  });
  mkdirSync(join(program.path, "node_modules"));
  symlinkSync(join(MODULES, "@pulumi"), join(program.path, "node_modules", "@pulumi"));
  symlinkSync(library.path, join(program.path, "node_modules", "shop-components"));
  const stack = await testStack({
    program: program.path,
    environment: { DYNAMICLINK_API_KEY: "unused-key" },
  });
  try {
    const message = await failureOf(stack.preview());
    expect(message).toContain(
      `Pulumi loads the providers of pulumi-dynamiclink from ${program.path}, but the package cannot be found from there. Add it to the dependencies of the program`,
    );
    expect(message).not.toMatch(/\n\s+at /);
    expect(message).not.toContain("Cannot find module");
  } finally {
    await stack.close();
    program.remove();
    library.remove();
  }
});
