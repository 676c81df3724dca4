/** A step of `npm run build`: writes the schema of the Pulumi package next to the plugin that serves it. */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

require("./fromSource.cjs");
const { pluginSchema } = require("./pluginSchema.ts");

const file = join(__dirname, "..", "dist", "provider", "hosts", "plugin", "schema.json");
writeFileSync(file, JSON.stringify(pluginSchema()));
