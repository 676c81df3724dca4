/**
 * Loaded into the processes of a run: records how much memory the host of a provider has used so far. It writes continuously,
 * because hosts are killed, and each time to a new file, because that may be during the write.
 */
const { renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const directory = process.env.BENCH_PEAKS_DIRECTORY;

function note() {
  const file = join(directory, `host-${process.pid}`);
  writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
  renameSync(file, `${file}.json`);
}

if (directory !== undefined && /dynamic-provider|plugin[\\/]start/.test(process.argv[1] ?? "")) {
  setInterval(note, 100).unref();
  process.on("exit", note);
}
