/** The configuration of `npm run test:cli`: the tests that need a Pulumi CLI. */
import type { Config } from "jest";

const base: Config = require("../jest.config.ts");

const config: Config = {
  ...base,
  rootDir: "..",
  // Files whose tests all need a CLI have names of their own, so that `npm test` does not load them.
  testMatch: ["**/*.test.ts", "**/*.cli.ts"],
  globals: { PULUMI_CLI_TESTS: true },
  globalSetup: "<rootDir>/test/jest/requirePulumiCli.ts",
};

module.exports = config;
