/** `pulumi-dynamiclink terraform-mapping`: the path of the mapping, if it can be used. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { terraformMappingCommand } from "../../cli/commands/terraformMapping";
import { version } from "../../package.json";
import { terraformMapping } from "../../scripts/terraformMapping";
import { fileWith } from "./directories";
import { run } from "./run";

const COMMAND = resolve(__dirname, "..", "..", "dist", "cli", "index.js");

test("it prints the path of the file that the build wrote, whose name is that of the provider", () => {
  const printed = execFileSync(process.execPath, [COMMAND, "terraform-mapping"], { encoding: "utf8" });
  const file = printed.replace(/\n$/, "");
  expect(basename(file)).toBe("dynamiclink.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(terraformMapping({ version }));
});

test("it prints no path of a file that is truncated", async () => {
  const file = fileWith('{"name":"dynamiclink","provider":{', "dynamiclink.json");
  const { code, stdout, stderr } = await run((console) => terraformMappingCommand(console, file), []);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^error: .* cannot be read from .*dynamiclink\.json: .* Install pulumi-dynamiclink again\.\n$/,
  );
});
