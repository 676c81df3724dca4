/** What each module of the provider loads, and that an idle client does not keep its process running. */
import { runSource } from "../../support/processes/sourceProcess";

test.each([
  ["shapes/shape", false, false],
  ["client/model", false, false],
  ["client/errors", false, false],
  ["client/operations", false, false],
  ["shapes/canonical", false, false],
  ["shapes/describe", false, false],
  ["shapes/request", false, false],
  ["shapes/response", true, false],
  ["shapes/check", true, false],
  ["client/http", false, true],
  ["client/index", true, true],
])("provider/%s loads the validator: %s, the HTTP library: %s", async (file, validator, library) => {
  const { stdout, stderr } = await runSource(`
    const loaded = (name) => Object.keys(require.cache).some((file) => file.includes("/node_modules/" + name + "/"));
    require("./provider/${file}.ts");
    console.log(JSON.stringify([loaded("zod"), loaded("undici")]));
  `);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([validator, library]);
});

test("an idle client keeps no process alive", async () => {
  const { stdout, stderr, status, elapsedMs } = await runSource(`
    const { createServer } = require("node:http");
    const { createClient } = require("./provider/client/index.ts");
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
