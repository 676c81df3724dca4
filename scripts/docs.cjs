/** `npm run docs`: generates the reference pages in `docs/` from the code. */
const { transformFileSync } = require("@swc/core");
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

// Runs the script and the code that it documents from source, as the tests do.
require.extensions[".ts"] = (module, path) => {
  const { code } = transformFileSync(path, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  module._compile(code, path);
};
const { referencePages } = require("./referencePages.ts");

for (const [path, text] of referencePages()) {
  const file = join(__dirname, "..", "docs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
