/**
 * A dynamic provider of "things", independent of this package. Each thing is a file in the directory of its stack,
 * which is in THINGS, and each call is a line in calls.jsonl there.
 */
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { setTimeout } = require("node:timers/promises");

function notReady(id, properties) {
  return Object.assign(new Error("not ready"), { id, properties, reasons: ["still warming up"] });
}

/** Reports progress to the engine. Its address is the host's only parameter. */
function report(message) {
  return new Promise((resolve) => {
    const { LogRequest } = require("@pulumi/pulumi/proto/engine_pb");
    const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb");
    const { credentials } = require("@grpc/grpc-js");
    const request = new LogRequest();
    request.setMessage(message);
    request.setSeverity(1);
    request.setEphemeral(true);
    new EngineClient(process.argv[2], credentials.createInsecure()).log(request, resolve);
  });
}

/** The provider of a stack with this directory. */
function thingsIn(directory) {
  /** A file of the stack. */
  function pathOf(name) {
    return join(directory, name);
  }

  function log(call) {
    appendFileSync(pathOf("calls.jsonl"), `${JSON.stringify(call)}\n`);
  }

  function fileOf(id) {
    return pathOf(`${id}.json`);
  }

  /** An id that was never used before: every thing reserves its id with an empty directory, which its deletion keeps. */
  function newId(label) {
    for (let number = 1; ; number += 1) {
      try {
        mkdirSync(pathOf(`${label}-${number}.id`));
        return `${label}-${number}`;
      } catch {}
    }
  }

  function write(id, { __provider, ...inputs }) {
    const outputs = { ...inputs, handle: `handle of ${id}` };
    writeFileSync(fileOf(id), JSON.stringify(outputs));
    return outputs;
  }

  return {
    async configure({ config }) {
      log({ method: "configure", key: config.get("things:key") ?? null });
    },
    async check(olds, news) {
      log({ method: "check", olds: olds.label ?? null, label: news.label });
      if (news.label === "") return { failures: [{ property: "", reason: "label: must not be empty" }] };
      if (news.fail === "check") throw new Error("the check broke");
      return { inputs: { size: 1, ...news } };
    },
    async diff(id, olds, news) {
      log({ method: "diff", id, label: news.label, ...(news.owner && { owner: news.owner }) });
      const replaces = ["kind", "owner"].filter((key) => olds[key] !== news[key]);
      return replaces.length > 0 ? { replaces, deleteBeforeReplace: news.deleteFirst === true } : {};
    },
    async create({ ...inputs }) {
      if (inputs.progress) await report(inputs.progress);
      if (inputs.fail === "create") throw new Error("no room");
      const id = newId(inputs.label);
      log({ method: "create", id });
      while (inputs.fail === "wait" && !existsSync(fileOf("go"))) await setTimeout(20);
      if (inputs.fail === "hang") await new Promise(() => {});
      const outs = write(id, inputs);
      if (inputs.fail === "init") throw notReady(id, { ...outs, __provider: inputs.__provider });
      return { id, outs };
    },
    async update(id, _olds, news) {
      log({ method: "update", id, label: news.label });
      if (news.fail === "update") throw new Error("too late");
      const outs = write(id, news);
      if (news.fail === "init") throw notReady(id, { ...outs, __provider: news.__provider });
      return { outs };
    },
    async read(id, props) {
      log({ method: "read", id });
      if (!existsSync(fileOf(id))) {
        // Only a refresh passes outputs. `.get` has to fail for a thing that does not exist.
        if (!props.handle) throw new Error(`there is no thing ${id}`);
        return { id: "" };
      }
      const { handle, ...inputs } = JSON.parse(readFileSync(fileOf(id), "utf8"));
      return { id, props: { ...inputs, handle }, inputs };
    },
    async delete(id, props) {
      log({ method: "delete", id });
      if (props.fail === "delete") throw new Error("it is in use");
      rmSync(fileOf(id), { force: true });
    },
  };
}

module.exports = {
  thingsIn,
  get thing() {
    return thingsIn(process.env.THINGS);
  },
};
