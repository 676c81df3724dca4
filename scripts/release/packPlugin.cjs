/**
 * `npm run plugin:pack`: writes the archives of the plugin, by default into `dist-plugin`. Options after `--`:
 * `--out <directory>`, and `--download-url <url>` if Pulumi is to download them from elsewhere than the releases of the
 * repository.
 */
const { parseArgs } = require("node:util");

require("../fromSource.cjs");
const { writePluginArchives } = require("./pluginArchive.ts");

const { values } = parseArgs({
  options: { out: { type: "string", default: "dist-plugin" }, "download-url": { type: "string" } },
});
writePluginArchives(values.out, values["download-url"]).then((files) => console.log(files.join("\n")));
