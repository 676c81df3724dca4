/** `npm run docs`: generates what follows from the code: the reference pages, the tables of resources, the native classes. */
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");

require("./fromSource.cjs");
const { indexes, referencePages } = require("./referencePages.ts");

const pages = [...referencePages()].map(([path, text]) => [`docs/${path}`, text]);
for (const [path, text] of [...pages, ...indexes()]) {
  const file = join(__dirname, "..", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
