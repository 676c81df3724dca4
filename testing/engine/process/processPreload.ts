// Runs first in every process that the engine starts. It defers the preparations of the SDK for closures and traces,
// which take two thirds of the startup time. It has no imports and exports, because it is loaded by path as CommonJS,
// with its types stripped or compiled. Worker threads of the program need none of it. See docs/internals/engine.md#preload.
if (process.getBuiltinModule("node:worker_threads").isMainThread) {
  const { createRequire } = process.getBuiltinModule("node:module");
  const { dirname, sep } = process.getBuiltinModule("node:path");

  // If the parent is killed, it runs no exit handler, but the pipe to its child's standard input closes. Pulumi's CLI
  // gives its processes no pipe. Without `bigint`, Node.js 22 would not resolve links afterwards.
  if (!process.getBuiltinModule("node:fs").fstatSync(0, { bigint: true }).isCharacterDevice())
    process.stdin
      .on("end", () => process.exit(1))
      .resume()
      .unref();

  const sdk = createRequire(createRequire(`${process.cwd()}${sep}`).resolve("@pulumi/pulumi"));
  const sdkDirectory = dirname(sdk.resolve("./index.js")) + sep;

  type Exports = Record<PropertyKey, unknown>;

  /**
   * A proxy for a module. Its exports are proxies too. The first call, construction or property access of an export
   * loads the module.
   */
  function moduleProxy(path: string): Exports {
    let loaded: Exports | undefined;
    const exported = (name: PropertyKey): unknown => {
      // Required from outside the SDK, it is the real module.
      loaded ??= createRequire(process.execPath)(path) as Exports;
      // A CommonJS module is its own default export.
      return name === "default" && !loaded.__esModule ? loaded : loaded[name];
    };
    const exportProxy = (name: PropertyKey): object => {
      // Only a proxy of a function can be called, constructed and extended.
      const proxy: object = new Proxy(function proxy() {}, {
        get: (_, property) => Reflect.get(exported(name) as object, property),
        apply: (_, self, parameters) => Reflect.apply(exported(name) as () => unknown, self, parameters),
        construct: (_, parameters, target) => {
          const real = exported(name) as () => unknown;
          return Reflect.construct(real, parameters, target === proxy ? real : target) as object;
        },
      });
      return proxy;
    };
    return new Proxy<Exports>(
      {},
      {
        get(_, name) {
          // Prevents importers from copying all properties.
          if (name === "__esModule") return true;
          return loaded === undefined ? exportProxy(name) : exported(name);
        },
      },
    );
  }

  /** The modules that the SDK loads at startup and uses later, if at all: their proxies, by their paths. */
  const deferred = new Map<string, Exports>();
  for (const name of [
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
  ]) {
    const path = resolved(() => sdk.resolve(name));
    if (path !== undefined) deferred.set(path, moduleProxy(path));
  }

  /** A path. Undefined if there is no such module: not every release of the SDK has each. */
  function resolved(resolve: () => string): string | undefined {
    try {
      return resolve();
    } catch {
      return undefined;
    }
  }

  // Only the SDK's own modules receive proxies. Other modules receive the real package. Node.js 22 has hooks for this, but
  // with one, CommonJS modules that ES modules import have no `require.cache`, which the SDK needs for closures.
  const loader = process.getBuiltinModule("node:module") as unknown as {
    _load(request: string, parent: { filename?: string | null } | undefined, isMain: boolean): unknown;
    _resolveFilename(request: string, parent: unknown): string;
  };
  const { _load: load } = loader;
  loader._load = (request, parent, isMain) => {
    const isOfSdk = parent?.filename?.startsWith(sdkDirectory);
    const path = isOfSdk ? resolved(() => loader._resolveFilename(request, parent)) : undefined;
    return deferred.get(path ?? "") ?? load.call(loader, request, parent, isMain);
  };

  // The SDK captures a stack trace with each resource and each call, which needs no source maps of packages.
  const installed = `${sep}node_modules${sep}`;
  const nothingMapped = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
  (sdk("source-map-support") as { install(options: object): void }).install({
    retrieveSourceMap: (path: string) =>
      path.includes(installed) ? { url: path, map: nothingMapped } : null,
  });
}
