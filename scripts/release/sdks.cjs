/**
 * `npm run sdks`: writes the SDK of each language, by default into `dist-sdks`. Options after `--`: `--out <directory>`,
 * `--languages python,go`, and `--download-url <url>` for the address of the plugin's archives.
 */
const { parseArgs } = require("node:util");

require("../fromSource.cjs");
const { LANGUAGES, writeSdks } = require("./packageSdks.ts");

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "dist-sdks" },
    languages: { type: "string", default: LANGUAGES.join(",") },
    "download-url": { type: "string" },
  },
});
writeSdks(values.out, { languages: values.languages.split(","), downloadUrl: values["download-url"] }).then(
  ({ written, problems }) => {
    for (const directory of written) console.log(directory);
    for (const problem of problems) console.error(`error: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  },
);
