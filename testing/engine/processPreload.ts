// Runs first in every process that the engine starts, and spares it what the SDK does ahead for closures and traces,
// two thirds of a process's start. It is loaded by path, as CommonJS, with its types stripped or compiled: hence no
// import and no export.
{
  const { Module, createRequire } = process.getBuiltinModule("node:module");
  const { Session } = process.getBuiltinModule("node:inspector");
  const { dirname, sep } = process.getBuiltinModule("node:path");

  // A parent that is killed runs no exit handler; then the pipe to its child's standard input closes.
  process.stdin
    .on("end", () => process.exit(1))
    .resume()
    .unref();

  const sdk = createRequire(createRequire(`${process.cwd()}${sep}`).resolve("@pulumi/pulumi"));
  const sdkDirectory = dirname(sdk.resolve("./index.js")) + sep;

  /** What the SDK loads at start-up and uses late, if at all. */
  const deferred = new Set(
    [
      "./automation",
      "./provider",
      "./typescript-shim",
      "@npmcli/arborist",
      "@opentelemetry/exporter-zipkin",
      "@opentelemetry/instrumentation",
      "@opentelemetry/instrumentation-grpc",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-base",
      "@opentelemetry/sdk-trace-node",
      "js-yaml",
      "normalize-package-data",
      "semver",
    ].flatMap((name) => {
      try {
        return [sdk.resolve(name)];
      } catch {
        // Another release of the SDK may do without it.
        return [];
      }
    }),
  );

  type Exports = Record<PropertyKey, unknown>;

  /**
   * Stands in for a module. What a script takes from it at start-up are stand-ins too; the first that is called,
   * constructed or looked into loads the module.
   */
  function standInFor(load: () => Exports): Exports {
    let loaded: Exports | undefined;
    const exported = (name: PropertyKey): unknown => {
      loaded ??= load();
      // A CommonJS module is its own default export.
      return name === "default" && !loaded.__esModule ? loaded : loaded[name];
    };
    const standInOf = (name: PropertyKey): object => {
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
    return new Proxy<Exports>(
      {},
      {
        get(_, name) {
          // Keeps an importer that would copy all properties from doing so.
          if (name === "__esModule") return true;
          return loaded === undefined ? standInOf(name) : exported(name);
        },
      },
    );
  }

  // Only the SDK's own modules get stand-ins: what else asks for the same package gets the package.
  const loader = Module as unknown as {
    _load(request: string, parent: { filename?: string } | undefined, isMain: boolean): Exports;
    _resolveFilename(request: string, parent: object): string;
  };
  const load = loader._load;
  const standIns = new Map<string, Exports>();
  loader._load = function (this: unknown, request, parent, isMain) {
    const really = (): Exports => Reflect.apply(load, this, [request, parent, isMain]) as Exports;
    if (!parent?.filename?.startsWith(sdkDirectory)) return really();
    const path = loader._resolveFilename(request, parent);
    if (!deferred.has(path)) return really();
    const standIn = standIns.get(path) ?? standInFor(really);
    standIns.set(path, standIn);
    return standIn;
  };

  // The SDK has the debugger tell of every script, for the sake of closures. It is enabled when it is first asked.
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
