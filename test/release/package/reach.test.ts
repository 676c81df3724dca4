/** Where Pulumi's provider host loads the package from: the directory of the program's project. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { testStack } from "../../../testing/engine";
import { failureOf } from "../../support/stacks/scenarios";
import { directoryWith, programWith, ROOT } from "./programs";

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
