import type { Config } from "jest";

const config: Config = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  // Most tests wait for processes of their own, so two cores carry more than two of them.
  maxWorkers: 3,
  // Ends only tests that hang.
  testTimeout: 600_000,
  testMatch: ["**/*.test.ts"],
  // Programs that processes of their own run, the same one for several versions.
  modulePathIgnorePatterns: ["<rootDir>/test/fixtures/"],
  moduleNameMapper: {
    "^@npmcli/arborist$|/typescript-shim$": "<rootDir>/test/jest/functionSerialization.cjs",
  },
  moduleFileExtensions: ["ts", "js", "cjs", "yaml", "json", "node"],
  transform: {
    "\\.yaml$": "<rootDir>/test/jest/yamlModule.cjs",
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
};

// Node strips types but keeps the module format of the package, which is CommonJS.
module.exports = config;
