/** Lets a script run TypeScript from source, and load YAML, as the tests do. */
const { readFileSync } = require("node:fs");
const { transformFileSync } = require("@swc/core");
const { parse } = require("yaml");

require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  module._compile(code, path);
};

require.extensions[".yaml"] = (module, path) => {
  module.exports = parse(readFileSync(path, "utf8"));
};
