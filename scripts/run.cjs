/** The scripts of package.json that run TypeScript from source: `node scripts/run.cjs <name of the script> [options]`. */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { parseArgs } = require("node:util");

require("./fromSource.cjs");

const [name, ...args] = process.argv.slice(2);

const SCRIPTS = {
  docs() {
    const { generatedFiles } = require("./referencePages.ts");
    for (const [path, text] of generatedFiles()) writeFileSync(join(__dirname, "..", path), text);
  },

  async "plugin:pack"() {
    const text = { type: "string" };
    const options = { out: text, "download-url": text, "node-binaries": text };
    const { out = "dist-plugin", ...values } = parseArgs({ args, options }).values;
    const { writePluginArchives } = require("./release/pluginArchive.ts");
    const more = { downloadUrl: values["download-url"], nodeBinaries: values["node-binaries"] };
    console.log((await writePluginArchives(out, more)).join("\n"));
  },

  /** Its argument is the tag, if there is one. */
  "release:check"() {
    const { releaseProblems } = require("./release/check.ts");
    const problems = releaseProblems(args[0]);
    for (const problem of problems) console.error(`error: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  },
};

SCRIPTS[name]();
