/** What `npm run check` looks at, here beside the other tests: it takes one core, and they leave some of the other. */
import { execSync } from "node:child_process";
import { resolve } from "node:path";

test("formatting, lint, import cycles, unused code and types are in order", () => {
  let printed = "";
  try {
    execSync("npm run --silent check", {
      cwd: resolve(__dirname, "..", ".."),
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    printed = `${stdout}${stderr}`;
  }
  expect(printed).toBe("");
});
