/** The programs of the fault campaign. */
import fc from "fast-check";
import type { Declaration, Declared } from "../support/stacks/declaredStack";
import { fingerprintOf } from "../support/values/resourceExamples";

export type ValueOf<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never;

/** Distinguishes two declarations of the same resource. */
const variant = fc.nat({ max: 1 });
const present = fc.boolean();
const project = fc.nat({ max: 2 });
/** Any program, as choices for a fixed set of logical names, so that any program can follow any other. */
export const plan = fc.record({
  projects: several(3, { present: mostly(), variant: fc.nat({ max: 3 }) }),
  applications: several(5, { present, variant, project, platform: fc.nat({ max: 2 }) }),
  domains: several(3, { present, variant, project }),
  /** Whether it waits for the first domain. */
  others: fc.boolean(),
});
type Plan = ValueOf<typeof plan>;

function several<Fields>(count: number, fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) {
  return fc.tuple(...Array.from({ length: count }, () => fc.record(fields)));
}

/** True in three cases of four. */
export function mostly(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 3 }).map((number) => number > 0);
}

/** In lower case, and not in the order in which a service may store them. */
const FINGERPRINTS = ["cd", "ab"].map(fingerprintOf);

/** The resources of a program, at most twelve, each after those that it refers to. */
export function declarationsOf({ projects, applications, domains, others }: Plan): Declaration[] {
  const chosen = projects.flatMap(({ present }, index) => (present ? [index] : []));
  const projectOf = (project: number) => chosen[project % chosen.length];
  const declarations: Declaration[] = chosen.map((index) => {
    const { variant = 0 } = projects[index] ?? {};
    // The last two have the name of the second.
    const name = `project ${index} ${Math.min(variant, 1)}`;
    const defaultHookupMsg = [undefined, `Hello from ${index}`, null, `Goodbye from ${index}`][variant];
    const properties = { name, ...(defaultHookupMsg !== undefined && { defaultHookupMsg }) };
    return { kind: "Project", name: `p${index}`, properties };
  });
  if (chosen.length === 0) return declarations;
  for (const [index, { present, variant, project, platform }] of applications.entries()) {
    if (!present) continue;
    const projectId = { idOf: `p${projectOf(project)}` };
    const appName = `Application ${index} ${variant}`;
    const properties: Record<string, Declared>[] = [
      { appType: "WEB" },
      { appType: "IOS", appleInfo: { appName, appScheme: "shop", bundleId: `example.shop.a${index}` } },
      {
        appType: "ANDROID",
        androidInfo: {
          appName,
          appScheme: "shop",
          appPackageName: `example.shop.a${index}`,
          ...(variant === 1 && { sha256Fingerprints: FINGERPRINTS }),
        },
      },
    ];
    declarations.push({
      kind: "Application",
      name: `a${index}`,
      properties: { projectId, ...properties[platform] },
    });
  }
  for (const [index, { present, variant, project }] of domains.entries()) {
    if (!present) continue;
    const properties = {
      projectId: { idOf: `p${projectOf(project)}` },
      hostname: `d${index}-${variant}.shop.example`,
    };
    declarations.push({ kind: "CustomDomain", name: `d${index}`, properties });
  }
  if (others && domains[0]?.present) {
    const properties = { customDomainId: { idOf: "d0" }, timeoutSeconds: 60 };
    declarations.push({ kind: "CustomDomainActivation", name: "activation", properties });
  }
  return declarations;
}
