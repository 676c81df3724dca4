/**
 * The package `yaml` in tests. Almost every test file starts an emulator, whose API descriptions take a sixth of a second
 * to parse. So the content of a long text is kept in a file, by the text's digest, for the other test files.
 */
const { createHash, randomUUID } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

/** Not for other users, like Jest's own cache. */
const DIRECTORY = join(__dirname, "..", "..", "..", "node_modules", ".cache", "parsed-yaml");
const LONG = 10_000;

/** The package itself, loaded on first use. */
function yaml() {
  return require("../../../node_modules/yaml");
}

function parse(text, ...options) {
  if (options.length > 0 || text.length < LONG) return yaml().parse(text, ...options);
  const file = join(DIRECTORY, `${createHash("sha256").update(text).digest("hex")}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    const value = yaml().parse(text);
    mkdirSync(DIRECTORY, { recursive: true });
    // Other test files read it at the same time.
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, JSON.stringify(value));
    renameSync(draft, file);
    return value;
  }
}

module.exports = new Proxy({}, { get: (_, name) => (name === "parse" ? parse : yaml()[name]) });
