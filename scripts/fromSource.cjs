/** Lets a script run TypeScript from source, as the tests do. */
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  module._compile(code, path);
};
