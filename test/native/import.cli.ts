/** `pulumi import` on a real CLI: the generated code compiles, and a preview of it shows no changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { startEmulator } from "../../testing/emulator";
import { ANDROID, DOMAIN, IOS, KEY, PROJECT, seed } from "../emulator/service";
import { pulumiCli, testOnCli } from "../support/processes/pulumiCli";
import { nativeCliStack } from "../support/stacks/nativeStack";
import { writesIn } from "../support/stacks/scenarios";

const RESOURCES = [
  { type: "dynamiclink:index:Project", name: "shop", id: PROJECT },
  { type: "dynamiclink:index:Application", name: "ios", id: IOS },
  { type: "dynamiclink:index:Application", name: "android", id: ANDROID },
  { type: "dynamiclink:index:CustomDomain", name: "links", id: DOMAIN },
  { type: "dynamiclink:index:CustomDomainActivation", name: "active", id: DOMAIN },
];

testOnCli(
  "the code that pulumi import generates compiles, and a preview of it shows no changes",
  async () => {
    const service = await startEmulator({ seed });
    const stack = await nativeCliStack(pulumiCli(), {
      config: { "dynamiclink:apiUrl": service.url },
      environment: { DYNAMICLINK_API_KEY: KEY },
    });
    try {
      const program = join(stack.directory, "index.ts");
      writeFileSync(join(stack.directory, "import.json"), JSON.stringify({ resources: RESOURCES }));
      writeFileSync(program, "");
      await stack.pulumi("import", "--file", "import.json", "--out", "index.ts", "--yes", "--skip-preview");
      const code = readFileSync(program, "utf8");
      expect(code).toContain('import * as dynamiclink from "pulumi-dynamiclink/native";');
      expect(code).toContain("dynamiclink.AppType.ANDROID");
      expect(errorsIn(program)).toEqual([]);
      expect(await stack.preview("--expect-no-changes")).toEqual({ same: RESOURCES.length + 1 });
      expect(writesIn(service)).toEqual([]);
    } finally {
      stack.close();
      await service.close();
    }
  },
);

function errorsIn(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
