/** What `npm run check` looks at, here beside the other tests: it takes one core, and they leave some of the other. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

test("formatting, lint, import cycles, unused code and types are in order", () => {
  const { status, stdout, stderr } = spawnSync("npm run --silent check", {
    cwd: resolve(__dirname, "..", ".."),
    encoding: "utf8",
    shell: true,
  });
  // What is printed is of interest only when something is wrong.
  expect({ status, printed: status === 0 ? "" : `${stdout}${stderr}` }).toEqual({ status: 0, printed: "" });
});
