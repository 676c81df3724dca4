/**
 * Runs the scenarios of test/scenarios that hold for any service, on a real CLI if there is one, otherwise on the test
 * engine. Their requests go through the gateway.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPulumiCli } from "../support/processes/pulumiCli";
import { ON_SERVICE, type RemoteSettings, SERVICE_VARIABLE } from "../support/stacks/remoteService";
import type { Settings } from "./settings";

/** A test in the report of Jest. */
type TestReport = Record<"fullName" | "status", string> & { readonly failureMessages: readonly string[] };

export type Promises = Awaited<ReturnType<typeof runPromises>>;

const ROOT = join(__dirname, "..", "..");

/** Runs the scenarios in a process of their own, which the signal ends. */
export async function runPromises(remote: RemoteSettings, settings: Settings, signal: AbortSignal) {
  const cli = settings.engine ? undefined : findPulumiCli();
  const report = join(settings.directory, `${remote.prefix}scenarios.json`);
  const isMarked = (file: string) => readFileSync(join(ROOT, file), "utf8").includes("onService: ");
  const args = [
    ...["--config", cli === undefined ? "jest.config.ts" : "test/cliTests.config.ts", "--runInBand"],
    ...["--testNamePattern", ON_SERVICE, "--json", "--outputFile", report],
    ...globSync("test/scenarios/**/*.test.ts", { cwd: ROOT }).filter(isMarked),
  ];
  const variables = { DYNAMICLINK_TEST_API_KEY: settings.apiKey, [SERVICE_VARIABLE]: JSON.stringify(remote) };
  const child = spawn(process.execPath, [require.resolve("jest/bin/jest"), ...args], {
    ...{ cwd: ROOT, env: { ...process.env, ...variables }, stdio: ["ignore", "ignore", "inherit"] },
  });
  signal.addEventListener("abort", () => child.kill());
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  signal.throwIfAborted();
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  const tests: readonly TestReport[] = testResults.flatMap(({ assertionResults, message }: never) =>
    (assertionResults as []).length > 0
      ? (assertionResults as TestReport[]).filter(({ fullName }) => fullName.includes(ON_SERVICE))
      : { fullName: "A test file cannot be loaded.", status: "failed", failureMessages: [message] },
  );
  const named = (wanted: string) => tests.filter(({ status }) => status === wanted);
  return {
    engine: cli === undefined ? "the test engine" : "the Pulumi CLI",
    passed: named("passed").map(({ fullName }) => fullName),
    skipped: named("pending").map(({ fullName }) => fullName),
    failed: named("failed").map(({ fullName, failureMessages }) => [fullName, ...failureMessages].join("\n")),
  };
}
