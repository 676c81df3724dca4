/**
 * In place of the packages with which Pulumi's SDK serializes functions. Nothing in Jest's own processes does that, and
 * to load them takes a tenth of a second in each test file.
 */
module.exports = new Proxy(
  {},
  {
    get(_, name) {
      if (name === "__esModule") return undefined;
      throw new Error(`Not in Jest's process: ${String(name)}. Run the program in a process of its own.`);
    },
  },
);
