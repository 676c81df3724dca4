import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");

// Compiles TypeScript as it is loaded, so that a plain Node process can run the sources.
const LOADER = `
  const { transformFileSync } = require("@swc/core");
  require.extensions[".ts"] = (module, file) =>
    module._compile(
      transformFileSync(file, { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } }).code,
      file,
    );
  const loaded = (name) => Object.keys(require.cache).some((file) => file.includes("/node_modules/" + name + "/"));
`;

function run(script: string): { stdout: string; stderr: string; status: number | null; elapsedMs: number } {
  const startMs = performance.now();
  const result = spawnSync(process.execPath, ["-e", LOADER + script], { cwd: ROOT, encoding: "utf8" });
  return { ...result, elapsedMs: performance.now() - startMs };
}

test.each([
  ["shape", false, false],
  ["client/model", false, false],
  ["client/errors", false, false],
  ["client/operations", false, false],
  ["schema", true, false],
  ["client/http", false, true],
  ["client/index", true, true],
])("provider/%s loads the validator: %s, the HTTP library: %s", (file, validator, library) => {
  const { stdout, stderr } = run(`
    require("./provider/${file}.ts");
    console.log(JSON.stringify([loaded("zod"), loaded("undici")]));
  `);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([validator, library]);
});

test("an idle client keeps no process alive", () => {
  const { stdout, stderr, status, elapsedMs } = run(`
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
  expect(elapsedMs).toBeLessThan(4000);
});
