/**
 * A step of `npm run build`: writes the schema of the Pulumi package and its mapping from the Terraform provider next to
 * the modules that read them.
 */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

require("./fromSource.cjs");
const { pluginData } = require("./pluginSchema.ts");

const directory = join(__dirname, "..", "dist", "provider", "hosts");
for (const [path, text] of Object.entries(pluginData())) writeFileSync(join(directory, path), text);
