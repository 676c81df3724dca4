/** What each module of the provider loads, and that an idle client does not keep its process running. */
import { runScript } from "../../support/processes/runScript";

/** Whether modules load the validator and the HTTP library. */
const LOADED: Readonly<Record<string, readonly [validator: boolean, library: boolean]>> = {
  "client/model/index": [true, false],
  "client/errors": [false, false],
  "client/operations": [true, false],
  "values/check": [true, false],
  "values/hostname": [false, false],
  "client/connection/http": [false, true],
  "client/index": [true, true],
};

test("a module loads the validator and the HTTP library only if it uses them", async () => {
  const { stdout, stderr } = await runScript(`
    const loaded = (name) => Object.keys(require.cache).some((file) => file.includes("/node_modules/" + name + "/"));
    const found = ${JSON.stringify(Object.keys(LOADED))}.map((file) => {
      for (const each of Object.keys(require.cache)) delete require.cache[each];
      require("./dist/provider/" + file);
      return [file, [loaded("zod"), loaded("undici")]];
    });
    console.log(JSON.stringify(Object.fromEntries(found)));
  `);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(LOADED);
});

test("an idle client keeps no process alive", async () => {
  const { stdout, stderr, status, elapsedMs } = await runScript(`
    const { createServer } = require("node:http");
    const { createClient } = require("./dist/provider/client");
    const server = createServer((request, response) => {
      response.setHeader("keep-alive", "timeout=600");
      response.end('{"available":true}');
    });
    server.keepAliveTimeout = 600_000;
    server.listen(0, "127.0.0.1", async () => {
      const client = createClient({ apiUrl: "http://127.0.0.1:" + server.address().port, apiKey: "key" });
      const answer = await client.checkCoreLinkAvailability({ projectId: "p", dynamicLinkSuffix: "s" });
      server.unref();
      console.log(JSON.stringify(answer));
    }).on("connection", (socket) => socket.unref());
  `);
  expect(stderr).toBe("");
  expect(stdout).toBe('{"available":true}\n');
  expect(status).toBe(0);
  expect(elapsedMs).toBeLessThan(60_000);
});
