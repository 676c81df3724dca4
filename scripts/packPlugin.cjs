/** `npm run plugin:pack [-- --out <directory>]`: writes the archive of the plugin, by default into `dist-plugin`. */
const { parseArgs } = require("node:util");

require("./fromSource.cjs");
const { writePluginArchive } = require("./pluginArchive.ts");

const { out } = parseArgs({ options: { out: { type: "string", default: "dist-plugin" } } }).values;
writePluginArchive(out).then(console.log);
