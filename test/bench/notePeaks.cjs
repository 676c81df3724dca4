/**
 * Loaded into the processes of a run: records how much memory a program or a provider host has
 * used so far. It writes continuously, because hosts are killed, and each time to a new file, because that may be
 * during the write.
 */
const { renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const directory = process.env.BENCH_PEAKS_DIRECTORY;
const script = process.argv[1] ?? "";
const role = /dynamic-provider|pulumi-resource-/.test(script)
  ? "host"
  : /cmd.run/.test(script)
    ? "program"
    : undefined;

function note() {
  const { maxRSS } = process.resourceUsage();
  const file = join(directory, `${role}-${process.pid}`);
  writeFileSync(file, JSON.stringify({ role, peakBytes: maxRSS * 1024 }));
  renameSync(file, `${file}.json`);
}

if (directory !== undefined && role !== undefined) {
  setInterval(note, 100).unref();
  process.on("exit", note);
}
