/**
 * Runs programs one after another in one process that loads Pulumi's SDK once. Each has its own runtime state, as
 * inline programs of the Automation API have. A run ends like Pulumi's program process.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const { existsSync, readFileSync } = require("node:fs");
const { join, sep } = require("node:path");
const { setImmediate } = require("node:timers/promises");
const { pathToFileURL } = require("node:url");
const { InterceptingCall } = require("@grpc/grpc-js");
const log = require("@pulumi/pulumi/log");
const { ResourceError, RunError, isGrpcError } = require("@pulumi/pulumi/errors");
const { setAllConfig } = require("@pulumi/pulumi/runtime/config");
const { disconnect, grpcClientOptions, resetOptions } = require("@pulumi/pulumi/runtime/settings");
const { runInPulumiStack } = require("@pulumi/pulumi/runtime/stack");
const { getStore, withLocalStorage } = require("@pulumi/pulumi/runtime/state");

// Engines of different runs may get the same port, and a shared connection remembers that an earlier engine is gone.
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
grpcClientOptions.interceptors = [noteCall];

/** The calls of the SDK in progress. */
const calls = new Set();

/** The exit code of a program that has reported its error. */
const REPORTED = 32;

let runs = 0;
/** Reports an error that the current program did not handle. */
let reportUnhandled = ignore;
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => reportUnhandled(error));
}

function ignore() {}

process.on("message", async (request) => process.send(await withLocalStorage(() => run(request))));

async function run({ program, environment, address, stack, organization, ...request }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(program.directory);
  resetOptions(program.project, stack, request.parallel, address, address, request.dryRun, organization);
  setAllConfig(request.config, request.secretKeys);
  const reported = new Set();
  const failed = Promise.withResolvers();
  const inRun = AsyncLocalStorage.snapshot();
  function report(error) {
    if (reported.has(error) || isGrpcError(error)) return;
    reported.add(error);
    inRun(() => log.error(messageOf(error), error instanceof ResourceError ? error.resource : undefined));
    failed.resolve();
  }
  reportUnhandled = report;
  const ended = runInPulumiStack(() => load(program)).then(
    () => disconnect(reported.size === 0),
    async (error) => {
      report(error);
      await disconnect(false);
    },
  );
  // After an error, the SDK may wait for the URN of a resource that it never registers. A separate process would end then,
  // because nothing keeps it running.
  await Promise.race([ended.catch(ignore), failed.promise, terminated()]);
  await allCalls();
  reportUnhandled = ignore;
  const { monitor, engine } = getStore().settings;
  for (const client of [monitor, engine]) client?.close();
  return reported.size > 0 || log.hasErrors() ? REPORTED : 0;
}

/** Notes a call of the SDK while it is in progress. */
function noteCall(options, nextCall) {
  const ended = Promise.withResolvers();
  calls.add(ended.promise);
  return new InterceptingCall(nextCall(options), {
    start: (metadata, _listener, next) =>
      next(metadata, {
        onReceiveStatus(status, pass) {
          pass(status);
          calls.delete(ended.promise);
          ended.resolve();
        },
      }),
  });
}

/** Resolves when no call is in progress, and the last ones have led to no other. */
async function allCalls() {
  do {
    await Promise.all(calls);
    await setImmediate();
  } while (calls.size > 0);
}

/** Evaluates the program, again for each run. */
async function load({ directory, main, root }) {
  runs++;
  const path = join(directory, main);
  for (const file of Object.keys(require.cache))
    if (file.startsWith(directory + sep)) delete require.cache[file];
  const packageFile = join(root, "package.json");
  const { type } = existsSync(packageFile) ? JSON.parse(readFileSync(packageFile, "utf8")) : {};
  if (type !== "module") return { ...require(path) };
  // An ES module is evaluated once for its URL.
  const { default: whole, ...named } = await import(`${pathToFileURL(path)}?run=${runs}`);
  return whole ?? named;
}

/** Resolves when the engine has refused a call because it is shutting down. A separate process would end then. */
function terminated() {
  const store = getStore();
  return new Promise((resolve) => {
    Object.defineProperty(store, "terminated", { get: () => false, set: (value) => value && resolve() });
  });
}

function messageOf(error) {
  if (RunError.isInstance(error) || (ResourceError.isInstance(error) && error.hideStack))
    return error.message;
  return `Running the program failed with an unhandled exception:\n${error?.stack ?? error}`;
}
