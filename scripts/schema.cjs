/**
 * A step of `npm run build`: writes the schema of the Pulumi package and its mapping from the Terraform provider next to
 * the plugin that serves them.
 */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

require("./fromSource.cjs");
const { pluginData } = require("./pluginSchema.ts");

const directory = join(__dirname, "..", "dist", "provider", "hosts", "plugin");
for (const [name, text] of Object.entries(pluginData())) writeFileSync(join(directory, name), text);
