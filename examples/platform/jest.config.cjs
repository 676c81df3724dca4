module.exports = {
  // Each command of a stack starts processes. The engine itself ends one that hangs.
  testTimeout: 600_000,
  transform: {
    "\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" } }, module: { type: "commonjs" } }],
  },
};
