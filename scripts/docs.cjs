/** `npm run docs`: generates the reference pages in `docs/` from the code. */
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

require("./fromSource.cjs");
const { referencePages } = require("./referencePages.ts");

for (const [path, text] of referencePages()) {
  const file = join(__dirname, "..", "docs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
