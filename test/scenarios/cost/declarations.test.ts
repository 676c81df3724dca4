/** What declaring a resource costs a program, in a separate process with Pulumi's mocks. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

function outputOf(script: string): unknown {
  const mocked = `
    const pulumi = require("@pulumi/pulumi");
    const { Project } = require("pulumi-dynamiclink");
    const newResource = ({ name, inputs }) => ({ id: name, state: inputs });
    pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs });
    ${script}
  `;
  const root = resolve(__dirname, "..", "..", "..");
  return JSON.parse(execFileSync(process.execPath, ["-e", mocked], { cwd: root, encoding: "utf8" }));
}

test("a declaration captures one stack trace", () => {
  const traces = outputOf(`
    let traces = 0;
    Error.prepareStackTrace = (error, frames) => {
      if (frames.length > 0) traces++;
      return String(error);
    };
    new Project("shop", { name: "Shop" });
    Error.prepareStackTrace = undefined;
    console.log(traces);
  `);
  expect(traces).toBe(1);
});

test("a declaration that fails reports its source location, and later errors have stack traces", () => {
  const [failure, later] = outputOf(`
    const traceOf = (run) => { try { run(); } catch (error) { return error.stack; } };
    const failure = traceOf(function declares() { new Project("", { name: "Shop" }); });
    const later = traceOf(function fails() { throw new Error("later"); });
    console.log(JSON.stringify([failure, later]));
  `) as string[];
  expect(failure).toContain("Missing resource name");
  expect(failure).toContain("at declares");
  expect(later).toContain("at fails");
});
