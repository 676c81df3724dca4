/**
 * Prints what each use of the SDK's private parts finds, in a program that has the package installed: argument 1 is its
 * directory. A release of the SDK that moves a part shows here.
 */
const { createRequire } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const installed = createRequire(join(process.argv[2], "index.js"));
const sdk = createRequire(installed.resolve("@pulumi/pulumi"));
const pulumi = installed("@pulumi/pulumi");
const { RegisterResourceRequest } = sdk("./proto/resource_pb");

void print();

/** A module of the package. */
function own(file) {
  return installed(join(process.argv[2], "node_modules", "pulumi-dynamiclink", "dist", file));
}

async function print() {
  const found = {};

  const { isMocked } = own("sdk/pulumi/mocks.js");
  const before = isMocked();
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  });
  found.isMocked = [before, isMocked()];

  const { isEncrypted } = own("sdk/pulumi/encrypted.js");
  pulumi.runtime.setAllConfig({ "shop:key": "secret", "shop:url": "plain" }, ["shop:key"]);
  found.isEncrypted = ["shop:key", "shop:url"].map(isEncrypted);

  // Pulumi installs a function that formats stack traces before it runs a program.
  sdk("source-map-support").install();
  const stacks = [];
  const { setStacktrace } = RegisterResourceRequest.prototype;
  RegisterResourceRequest.prototype.setStacktrace = function set(stack) {
    stacks.push(stack);
    return setStacktrace.call(this, stack);
  };
  const { Project } = installed("pulumi-dynamiclink");
  const project = (function declare() {
    return new Project("shop", { name: "Shop" });
  })();
  await new Promise((resolve) => project.urn.apply(resolve));
  const [frame] = stacks.at(-1).getFramesList();
  found.callSite = frame.getPc().getUri() === pathToFileURL(__filename).href;

  const { typeTokenOf } = own("sdk/pulumi/typeToken.js");
  found.typeToken = typeTokenOf(project);

  const { invokeDependencies } = own("sdk/pulumi/invokeDependencies.js");
  const component = new pulumi.ComponentResource("test:index:Shops", "shops");
  const inside = new Project("inside", { name: "Shop" }, { parent: component });
  found.invokeDependencies = (await invokeDependencies([component, project.name.apply(() => [])])).map(
    (each) => [project, inside].indexOf(each),
  );
  // The SDK fails if a program exits before its resources are registered.
  await new Promise((resolve) => inside.urn.apply(resolve));

  // The host's main module resolves its own copy of the modules with which the provider writes to the engine's log.
  const host = createRequire(sdk.resolve("./cmd/dynamic-provider"));
  const { EngineClient } = host("../../proto/engine_grpc_pb");
  const { LogRequest, LogSeverity } = host("../../proto/engine_pb");
  found.engineLog = [
    typeof EngineClient.prototype.log,
    typeof LogRequest.prototype.setEphemeral,
    typeof LogSeverity.INFO,
    typeof host("@grpc/grpc-js").credentials.createInsecure,
  ];

  console.log(JSON.stringify(found));
  process.exit();
}
