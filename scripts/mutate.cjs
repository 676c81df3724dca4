/**
 * Measures whether tests notice changes of the code: `npm run mutate -- provider/client/retry.ts --tests test/protocol/client`.
 *
 * StrykerJS changes the files in a copy of the package, one place at a time, and runs the tests that reach it. Processes that
 * tests start load `dist/`, where nothing is changed, so only tests in the process of Jest can notice a change. StrykerJS is
 * not a dependency, because only this script needs it, and every `npm ci` would install its 110 packages. Sentences are not
 * changed: the catalogue of messages, `test/scenarios/messages`, has them, and starts processes.
 */
const { spawnSync } = require("node:child_process");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { parseArgs } = require("node:util");

const PACKAGES = ["@stryker-mutator/core@10.0.0", "@stryker-mutator/jest-runner@10.0.0"];

const { values, positionals: mutate } = parseArgs({
  options: {
    tests: { type: "string", multiple: true, default: ["test/pure"] },
    concurrency: { type: "string", default: "2" },
    // Without it, a change is not tested further after the first test that notices it.
    "all-tests": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (mutate.length === 0) throw new Error("Pass the files to change, such as provider/client/retry.ts.");

// Outside the package, because Jest and the linters would find the copy in it.
const directory = mkdtempSync(join(tmpdir(), "dynamiclink-mutate-"));
const configFile = join(directory, "stryker.config.json");
const config = {
  mutate,
  plugins: ["@stryker-mutator/*", join(__dirname, "unchangedSentences.cjs")],
  ignorers: ["sentences"],
  testRunner: "jest",
  coverageAnalysis: "perTest",
  jest: {
    configFile: "jest.config.ts",
    enableFindRelatedTests: false,
    config: { testMatch: values.tests.map(testMatch) },
  },
  concurrency: Number(values.concurrency),
  disableBail: values["all-tests"],
  timeoutMS: 20_000,
  // The tests strip types and do not check them, so the copy needs no settings of TypeScript.
  disableTypeChecks: false,
  tsconfigFile: "none",
  reporters: ["clear-text", "json"],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
  jsonReporter: { fileName: "coverage/mutation.json" },
  tempDirName: join(directory, "copies"),
};

// Ctrl-C ends StrykerJS. This process goes on and removes the copy.
process.on("SIGINT", () => {});

try {
  writeFileSync(configFile, JSON.stringify(config));
  const packages = PACKAGES.map((each) => `--package=${each}`);
  const { status } = spawnSync("npm", ["exec", "--yes", ...packages, "--", "stryker", "run", configFile], {
    stdio: "inherit",
    // A test that is stopped does not remove its files.
    env: { ...process.env, TMPDIR: directory },
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** The pattern of the tests in a directory, or of one file. */
function testMatch(path) {
  return `**/${path}${path.endsWith(".ts") ? "" : "/**/*.test.ts"}`;
}
