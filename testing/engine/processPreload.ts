// Runs first in every process that the engine starts. It is loaded by path, as CommonJS, with its types stripped
// or compiled: hence no import and no export.
{
  const { Module, createRequire } = process.getBuiltinModule("node:module");
  const { sep } = process.getBuiltinModule("node:path");

  // A parent that is killed runs no exit handler; then the pipe to its child's standard input closes.
  process.stdin
    .on("end", () => process.exit(1))
    .resume()
    .unref();

  /**
   * Puts a stand-in where a module would be cached. What a script takes from it at start-up are stand-ins too; the
   * first that is called, constructed or looked into loads the module.
   */
  const deferModule = (path: string): void => {
    let loaded: Record<PropertyKey, unknown> | undefined;
    const load = (): Record<PropertyKey, unknown> => {
      if (loaded === undefined) {
        delete require.cache[path];
        loaded = require(path) as Record<PropertyKey, unknown>;
      }
      return loaded;
    };
    // A CommonJS module is its own default export.
    const exported = (name: PropertyKey) =>
      name === "default" && !load().__esModule ? load() : load()[name];
    const standInFor = (name: PropertyKey) => {
      // A function, as only that can stand in for what is called, constructed or extended.
      const standIn: object = new Proxy(function standIn() {}, {
        get: (_, property) => Reflect.get(exported(name) as object, property),
        apply: (_, self, parameters) => Reflect.apply(exported(name) as () => unknown, self, parameters),
        construct: (_, parameters, target) => {
          const real = exported(name) as () => unknown;
          return Reflect.construct(real, parameters, target === standIn ? real : target) as object;
        },
      });
      return standIn;
    };
    const module = new Module(path);
    module.loaded = true;
    module.exports = new Proxy(
      {},
      {
        get(_, name) {
          // Keeps an importer that would copy all properties from doing so.
          if (name === "__esModule") return true;
          return loaded === undefined ? standInFor(name) : exported(name);
        },
      },
    );
    require.cache[path] = module;
  };

  // Three quarters of what the SDK loads at start-up serve closures and traces, of which most runs have neither.
  const sdk = createRequire(createRequire(`${process.cwd()}/`).resolve("@pulumi/pulumi"));
  for (const name of [
    "./typescript-shim",
    "@npmcli/arborist",
    "normalize-package-data",
    "@opentelemetry/exporter-zipkin",
    "@opentelemetry/instrumentation",
    "@opentelemetry/instrumentation-grpc",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace-base",
    "@opentelemetry/sdk-trace-node",
  ]) {
    try {
      deferModule(sdk.resolve(name));
    } catch {
      // Another release of the SDK may do without it.
    }
  }

  // The SDK has the debugger tell of every script, for the sake of closures. It is enabled when it is first asked.
  const { Session } = process.getBuiltinModule("node:inspector");
  const { post } = Session.prototype;
  let asked = false;
  Session.prototype.post = function (this: unknown, method: string, ...rest: unknown[]): void {
    if (!asked && method === "Debugger.enable") {
      (rest.at(-1) as (error: null) => void)(null);
      return;
    }
    if (!asked) Reflect.apply(post, this, ["Debugger.enable"]);
    asked = true;
    Reflect.apply(post, this, [method, ...rest]);
  };

  // The SDK takes a stack with each resource and each call; where packages have their sources is of no use in it.
  const installed = `${sep}node_modules${sep}`;
  const nothingMapped = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
  (sdk("source-map-support") as { install(options: object): void }).install({
    retrieveSourceMap: (path: string) =>
      path.includes(installed) ? { url: path, map: nothingMapped } : null,
  });
}
