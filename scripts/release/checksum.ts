import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The checksum of a file, as `sha256sum` prints it. */
export function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
