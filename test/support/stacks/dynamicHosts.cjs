/**
 * Pulumi's dynamic-provider hosts in one process, which loads Pulumi's SDK once. Each has its own providers, as a host in a
 * process of its own.
 */
const { Server } = require("@grpc/grpc-js");

const HOST = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");

const servers = new Map();

/** Starts a host. Resolves with its port, which it would print. */
function startHost({ id, environment, directory, engineAddress }) {
  Object.assign(process.env, environment);
  process.chdir(directory);
  process.argv[2] = engineAddress;
  return new Promise((resolve, reject) => {
    const { bindAsync } = Server.prototype;
    Server.prototype.bindAsync = function (address, credentials) {
      Server.prototype.bindAsync = bindAsync;
      servers.set(id, this);
      this.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)));
    };
    // A host runs as soon as it is loaded, and keeps its providers in the module.
    delete require.cache[HOST];
    require(HOST);
  });
}

/** Ends a host, and its calls in progress. */
function endHost(id) {
  servers.get(id)?.forceShutdown();
  servers.delete(id);
}

module.exports = { startHost, endHost };
