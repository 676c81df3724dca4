/**
 * Runs the scenarios of test/scenarios that hold for any service, on a real CLI if there is one, otherwise on the test
 * engine. Their requests go through the gateway.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPulumiCli } from "../support/processes/pulumiCli";
import { ON_SERVICE, type RemoteSettings, SERVICE_VARIABLE } from "../support/stacks/remoteService";

/** The results of the scenarios. */
export interface Promises {
  readonly host: string;
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  readonly failed: readonly { readonly name: string; readonly message: string }[];
}

/** The part of Jest's report that is used. */
interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const ROOT = join(__dirname, "..", "..");

/** Runs the scenarios in a process of their own, which the signal ends. */
export async function runPromises(
  remote: RemoteSettings,
  { directory, apiKey }: { readonly directory: string; readonly apiKey: string },
  signal: AbortSignal,
): Promise<Promises> {
  const cli = findPulumiCli();
  const report = join(directory, `${remote.prefix}scenarios.json`);
  const files = globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) =>
    readFileSync(join(ROOT, file), "utf8").includes("onService:"),
  );
  const args = [
    ...["--config", cli === undefined ? "jest.config.ts" : "test/cliTests.config.ts", "--runInBand"],
    ...["--testNamePattern", ON_SERVICE, "--json", "--outputFile", report, ...files],
  ];
  const child = spawn(process.execPath, [require.resolve("jest/bin/jest"), ...args], {
    cwd: ROOT,
    env: { ...process.env, DYNAMICLINK_TEST_API_KEY: apiKey, [SERVICE_VARIABLE]: JSON.stringify(remote) },
    stdio: ["ignore", "ignore", "inherit"],
    signal,
  });
  await once(child, "close");
  const { testResults }: JestReport = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => fullName.includes(ON_SERVICE));
  const named = (status: string) => tests.filter((test) => test.status === status);
  const unloaded = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    host: cli === undefined ? "the test engine" : "the Pulumi CLI",
    passed: named("passed").map(({ fullName }) => fullName),
    skipped: named("pending").map(({ fullName }) => fullName),
    failed: [
      ...named("failed").map(({ fullName, failureMessages }) => ({
        name: fullName,
        message: failureMessages.join("\n"),
      })),
      ...unloaded.map(({ message }) => ({ name: "a test file does not load", message })),
    ],
  };
}
