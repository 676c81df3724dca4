/** `npm run release:dry`: does all of a release but the uploads, into `dist-release`, and prints what would go where. */
const { parseArgs } = require("node:util");

require("../fromSource.cjs");
const { writeRelease } = require("./dryRun.ts");

const { values } = parseArgs({ options: { out: { type: "string", default: "dist-release" } } });
writeRelease(values.out).then(({ uploads, problems }) => {
  for (const { to, files } of uploads)
    console.log([`${to}:`, ...files.map((file) => `  ${file}`)].join("\n"));
  for (const problem of problems) console.error(`error: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
});
