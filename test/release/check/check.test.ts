/** Runs `npm run check` together with the other tests: it uses one core, and they do not use all of the others. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

test("formatting, lint, import cycles, unused code and types pass their checks", () => {
  const { status, stdout, stderr } = spawnSync("npm run --silent check", {
    cwd: resolve(__dirname, "..", "..", ".."),
    encoding: "utf8",
    shell: true,
  });
  // The output matters only if the check fails.
  expect({ status, printed: status === 0 ? "" : `${stdout}${stderr}` }).toEqual({ status: 0, printed: "" });
});
