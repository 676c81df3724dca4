/** The directory of the compile cache. */
import { compileCache } from "../../../testing/engine/process/compileCache";
import { startNode } from "../../../testing/engine/process/nodeProcess";

test("the processes of the engine use this directory", async () => {
  const lines: string[] = [];
  const script = "console.log(JSON.stringify(process.env.NODE_COMPILE_CACHE ?? null)); process.exit();";
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  const { exited } = startNode(["--eval", script], {
    directory: process.cwd(),
    environment,
    onLine: (line, stream) => stream === "stdout" && lines.push(line),
  });
  await exited;
  expect(JSON.parse(lines.join("\n"))).toBe(compileCache().NODE_COMPILE_CACHE);
});
