// Runs first in every process that the engine starts. It defers the preparations of the SDK for closures and traces,
// which take two thirds of the startup time. It has no imports and exports, because it is loaded by path as CommonJS,
// with its types stripped or compiled. Worker threads of the program, such as that of module hooks, need none of it.
if (process.getBuiltinModule("node:worker_threads").isMainThread) {
  const { createRequire, registerHooks } = process.getBuiltinModule("node:module");
  const { dirname, sep } = process.getBuiltinModule("node:path");
  const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");

  // If the parent is killed, it runs no exit handler, but the pipe to its child's standard input closes. Pulumi's CLI
  // gives its processes no pipe.
  if (!process.getBuiltinModule("node:fs").fstatSync(0).isCharacterDevice())
    process.stdin
      .on("end", () => process.exit(1))
      .resume()
      .unref();

  const sdk = createRequire(createRequire(`${process.cwd()}${sep}`).resolve("@pulumi/pulumi"));
  const sdkDirectory = pathToFileURL(dirname(sdk.resolve("./index.js")) + sep).href;

  /** The URLs of the modules that the SDK loads at startup and uses later, if at all. */
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
        return [pathToFileURL(sdk.resolve(name)).href];
      } catch {
        // Not every release of the SDK has it.
        return [];
      }
    }),
  );

  type Exports = Record<PropertyKey, unknown>;

  /**
   * A proxy for a module. Its exports are proxies too. The first call, construction or property access of an export
   * loads the module. Its text is the source of another module, so it uses nothing of this one.
   */
  function moduleProxy(load: () => Exports): Exports {
    let loaded: Exports | undefined;
    const exported = (name: PropertyKey): unknown => {
      loaded ??= load();
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

  // Only the SDK's own modules receive proxies. Other modules receive the real package.
  const PROXY_SUFFIX = ".deferred.js";
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      if (!context.parentURL?.startsWith(sdkDirectory) || !deferred.has(found.url)) return found;
      return { url: `${found.url}${PROXY_SUFFIX}`, format: "commonjs", shortCircuit: true };
    },
    load(url, context, nextLoad) {
      if (!url.endsWith(PROXY_SUFFIX)) return nextLoad(url, context);
      const path = JSON.stringify(fileURLToPath(url.slice(0, -PROXY_SUFFIX.length)));
      // Required from outside the SDK, it is the real module.
      const load = `() => require("node:module").createRequire(process.execPath)(${path})`;
      const source = `module.exports = (${moduleProxy})(${load});`;
      return { format: "commonjs", source, shortCircuit: true };
    },
  });

  // The SDK captures a stack trace with each resource and each call, which needs no source maps of packages.
  const installed = `${sep}node_modules${sep}`;
  const nothingMapped = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
  (sdk("source-map-support") as { install(options: object): void }).install({
    retrieveSourceMap: (path: string) =>
      path.includes(installed) ? { url: path, map: nothingMapped } : null,
  });
}
