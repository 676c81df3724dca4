/**
 * The output that docs/walkthrough.md shows is up to date. It is slow because it runs the commands of the page as a user
 * does, each as a process.
 */

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { engineStacks } from "../../support/stacks/scenarioStack";
import { failureOf, KEY, seedWith } from "../../support/stacks/scenarios";
import { programWith, ROOT } from "../package/unpackedProgram";
import { codeBlocks } from "./codeBlocks";

const [, demo = "", program = "", failing = ""] = codeBlocks()
  .filter(({ place }) => place.startsWith("docs/walkthrough.md:"))
  .map(({ text }) => text);

test("a copy of the demo prints what the page shows", () => {
  using directory = programWith({});
  const home = directory.path;
  cpSync(join(ROOT, "examples", "quickstart"), join(home, "quickstart"), { recursive: true });
  const printed = execFileSync(process.execPath, [join(home, "quickstart", "demo.ts")], {
    encoding: "utf8",
    stdio: "pipe",
    // Where no Pulumi CLI is found.
    env: { PATH: dirname(process.execPath), HOME: home, USERPROFILE: home, TMPDIR: tmpdir() },
  });
  expect(printed.replaceAll(/[ ]+$/gm, "")).toBe(demo);
});

test("the preview fails with the messages that the page shows", async () => {
  const service = await startEmulator({ seed: seedWith() });
  const stack = await engineStacks(SEPARATE_PROCESSES)({
    DYNAMICLINK_API_KEY: KEY,
    DYNAMICLINK_READ_ONLY: undefined,
  });
  try {
    await stack.configure({ "dynamiclink:apiUrl": service.url });
    stack.program(program.replace(/^import .*$/m, ""));
    const message = await failureOf(stack.preview());
    const errors = (text: string) => text.match(/resource 'shop-android' has a problem: .*$/gm);
    expect(errors(failing)).toHaveLength(2);
    expect(errors(message)).toEqual(errors(failing));
  } finally {
    await stack.close();
    await service.close();
  }
});
