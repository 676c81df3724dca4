// Runs first in every process that the engine starts. It is loaded by path, as CommonJS, with its types stripped
// or compiled: hence no import and no export.
{
  const { Module, createRequire } = process.getBuiltinModule("node:module");

  // A parent that is killed runs no exit handler; then the pipe to its child's standard input closes.
  process.stdin
    .on("end", () => process.exit(1))
    .resume()
    .unref();

  /**
   * Puts a stand-in where a module would be cached; what is asked of the stand-in loads the module.
   * `__esModule` keeps an importer that copies a module's properties from asking for all of them at once.
   */
  const deferModule = (path: string): void => {
    let loaded: Record<PropertyKey, unknown> | undefined;
    const load = (): Record<PropertyKey, unknown> => {
      delete require.cache[path];
      return require(path);
    };
    const standIn = new Module(path);
    standIn.loaded = true;
    standIn.exports = new Proxy(
      {},
      {
        get(_, name) {
          if (name === "__esModule") return true;
          loaded ??= load();
          return name === "default" && !loaded.__esModule ? loaded : loaded[name];
        },
      },
    );
    require.cache[path] = standIn;
  };

  // The SDK loads them, two thirds of its code, at start-up and uses them only to serialize a closure.
  const program = createRequire(`${process.cwd()}/`);
  try {
    const compiler = program.resolve("@pulumi/pulumi/typescript-shim");
    deferModule(compiler);
    const dependencies = createRequire(compiler);
    for (const name of ["@npmcli/arborist", "normalize-package-data"]) deferModule(dependencies.resolve(name));
  } catch {
    // Another release of the SDK may have neither; then there is nothing to defer.
  }
}
