/** The schema of the Pulumi package, as the build wrote it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageSchema } from "../schema/packageSchema";

const FILE = join(__dirname, "..", "..", "dist", "provider", "hosts", "plugin", "schema.json");

/** @param pluginDownloadURL the address of the archives. Default: the releases of the repository. */
export function builtSchema(pluginDownloadURL?: string): PackageSchema {
  const schema: PackageSchema = JSON.parse(readFileSync(FILE, "utf8"));
  return pluginDownloadURL === undefined ? schema : { ...schema, pluginDownloadURL };
}
