/** Generated organizations: what `discover` finds is imported and then previewed without changes. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Behaviour, NewApplication, Seed, SeedProject } from "../../../testing/emulator";
import type { ImportFile } from "../../../testing/engine";
import { seedWith } from "../../support/stacks/scenarios";
import { HOSTILE_NAMES } from "../largeSeed";
import { programStacks } from "../programStacks";
import { newDirectory, run, TIMEOUT_MS, withService } from "../support";

const stackOf = programStacks();

/** Each run starts the engine, with many objects. */
const RUNS = 2;

function anyText(maxLength: number) {
  return (
    fc
      .oneof(
        fc.string({ unit: "grapheme", minLength: 1, maxLength }),
        fc.string({ unit: "binary", minLength: 1, maxLength }),
        fc.constantFrom(...HOSTILE_NAMES),
      )
      // JSON over HTTP has no lone surrogates.
      .map((text) => [...text.toWellFormed()].slice(0, maxLength).join(""))
  );
}

function optional<Value>(value: fc.Arbitrary<Value>) {
  return fc.option(value, { nil: null });
}

const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z0-9]$/);
const dotted = fc
  .array(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join("."));
const createdAt = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2025-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

const appleInfo = fc.record({
  appName: optional(anyText(50)),
  appStoreId: optional(anyText(100)),
  appScheme: optional(anyText(50)),
  appIdPrefix: optional(fc.stringMatching(/^[A-Z0-9]{10}$/)),
  bundleId: optional(dotted),
});
const androidInfo = fc.record({
  appName: optional(anyText(50)),
  appPackageName: optional(dotted),
  appScheme: optional(anyText(500)),
});
const application: fc.Arbitrary<NewApplication> = fc.record({
  appType: fc.constantFrom("IOS", "ANDROID", "WEB"),
  appleInfo: optional(appleInfo),
  androidInfo: optional(androidInfo),
  createdAt,
});
const customDomain = fc.record({
  hostname: fc
    .tuple(
      fc.oneof(
        label,
        anyText(20).map((text) => text.replace(/[\s/:?#@]/g, "-")),
      ),
      label,
    )
    .map((labels) => `${labels.join(".")}.example`),
  lifecycleStatus: fc.constantFrom("ACTIVE", "PENDING_DNS", "FAILED", "EXPIRED", "DELETING"),
  createdAt,
});
const project: fc.Arbitrary<SeedProject> = fc.record({
  name: anyText(100),
  defaultHookupMsg: optional(anyText(200)),
  createdAt,
  applications: fc.array(application, { maxLength: 4 }),
  customDomains: fc.array(customDomain, { maxLength: 2 }),
});
const behaviour: fc.Arbitrary<Partial<Behaviour>> = fc.record({
  absentInfoField: fc.constantFrom("null", "omit"),
  deriveAppId: fc.boolean(),
  hostnameSpelling: fc.constantFrom("asGiven", "normalized"),
});

test(
  "any organization is discovered, imported, and previewed and refreshed without changes",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(project, { minLength: 15, maxLength: 30 }),
        behaviour,
        async (projects, answers) => {
          const seed: Seed = seedWith(projects);
          await withService(
            seed,
            async (service) => {
              const directory = newDirectory();
              mkdirSync(join(directory, "estate"));
              const out = join(directory, "estate");
              const { code, stdout, stderr } = await run("discover", [
                ...["--out", out, "--api-url", service.url, "--json"],
              ]);
              expect([0, 2]).toContain(code);
              expect(stderr.split("\n").filter((line) => !/^(warning: .*| {2}.*)?$/.test(line))).toEqual([]);
              const file = JSON.parse(readFileSync(join(out, "import.json"), "utf8")) as ImportFile;
              const { problems } = JSON.parse(stdout) as { problems: { object?: { reason: string } }[] };
              const left = problems.filter(({ object }) =>
                ["DELETING", "undeclarable"].includes(object?.reason ?? ""),
              ).length;
              const { projects: made, applications, customDomains } = service.state;
              expect(file.resources).toHaveLength(
                made.length + applications.length + customDomains.length - left,
              );

              const stack = stackOf(out, service);
              await stack.importFile(file);
              await stack.preview({ expectNoChanges: true });
              await stack.refresh({ expectNoChanges: true });
            },
            answers,
          );
        },
      ),
      // A failure shows its whole input; shrinking it would take many runs of the engine.
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  TIMEOUT_MS,
);
