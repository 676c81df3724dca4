/** The scripts of package.json that run TypeScript from source: `node scripts/run.cjs <name of the script> [options]`. */
const { mkdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { parseArgs } = require("node:util");

require("./fromSource.cjs");

const [name, ...args] = process.argv.slice(2);

const SCRIPTS = {
  docs() {
    const { generatedFiles } = require("./referencePages.ts");
    for (const [path, text] of generatedFiles()) {
      const file = join(__dirname, "..", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  },

  async "plugin:pack"() {
    const { out = "dist-plugin", "download-url": downloadUrl } = options("out", "download-url");
    const { writePluginArchives } = require("./release/pluginArchive.ts");
    print(await writePluginArchives(out, downloadUrl));
  },

  /** `-- --record` records the schema of the version first. */
  "release:check"() {
    const { values, positionals } = parseArgs({
      args,
      options: { record: { type: "boolean" } },
      allowPositionals: true,
    });
    const { recordSchema, releaseProblems } = require("./release/check.ts");
    print(values.record ? [recordSchema()] : [], releaseProblems(positionals[0]));
  },
};

SCRIPTS[name]();

/** The values of these options. */
function options(...names) {
  return parseArgs({ args, options: Object.fromEntries(names.map((each) => [each, { type: "string" }])) })
    .values;
}

/** Prints lines, and problems, with which the script fails. */
function print(lines, problems = []) {
  for (const line of lines) console.log(line);
  for (const problem of problems) console.error(`error: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
