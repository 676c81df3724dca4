/** Lets a script run TypeScript from source, as the tests do. */
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    // Dynamic imports are not transformed, because the plotting library of the benchmarks cannot be required.
    module: { type: "commonjs", ignoreDynamic: true },
  });
  module._compile(code, path);
};
