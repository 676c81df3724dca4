/** `pulumi import` on a real CLI: the generated code compiles, and a preview of it shows no changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { KEY, OWN, seed } from "../../emulator/service";
import { writesIn } from "../../support/stacks/scenarios";
import { initialized, testIn, writeNodeProgram } from "./support";

const RESOURCES = [
  { type: "dynamiclink:index:Project", name: "shop", id: OWN.project },
  { type: "dynamiclink:index:Application", name: "ios", id: OWN.ios },
  { type: "dynamiclink:index:Application", name: "android", id: OWN.android },
  { type: "dynamiclink:index:CustomDomain", name: "links", id: OWN.domain },
  { type: "dynamiclink:index:CustomDomainActivation", name: "active", id: OWN.domain },
];

testIn(
  ["nodejs"],
  "the code that pulumi import generates compiles, and a preview of it shows no changes",
  async (stack) => {
    const { pulumi, service, directory } = stack;
    writeNodeProgram(stack, "index.ts", "");
    writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(directory, "import.json"), JSON.stringify({ resources: RESOURCES }));
    await initialized(stack);
    await pulumi("import", "--file", "import.json", "--out", "index.ts", "--yes", "--skip-preview");
    const program = join(directory, "index.ts");
    const code = readFileSync(program, "utf8");
    expect(code).toContain('import * as dynamiclink from "pulumi-dynamiclink/native";');
    expect(code).toContain("dynamiclink.AppType.ANDROID");
    expect(errorsIn(program)).toEqual([]);
    await pulumi("refresh", "--expect-no-changes", "--yes");
    const { changeSummary } = JSON.parse(await pulumi("preview", "--expect-no-changes", "--json"));
    expect(changeSummary).toEqual({ same: RESOURCES.length + 1 });
    expect(writesIn(service)).toEqual([]);
  },
  { seed, environment: { DYNAMICLINK_API_KEY: KEY } },
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
