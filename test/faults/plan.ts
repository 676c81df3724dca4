/** Generates the sequences of the fault campaign: programs, steps, and faults. */
import fc from "fast-check";
import { exportName } from "../../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../../provider/resources";
import type { Behaviour, FaultEffect, OperationId, Scope } from "../../testing/emulator";
import { handlers } from "../../testing/emulator/operations";
import { SPECIMEN_KINDS, SPECIMENS } from "../specimens";
import { type Declaration, type Declared, isIdOf } from "../support/stacks/declaredStack";

/** A program, as choices for a fixed set of logical names, so that any program can follow any other. */
export interface Plan {
  readonly projects: readonly Choice[];
  readonly applications: readonly (Choice & { readonly project: number; readonly platform: number })[];
  readonly domains: readonly (Choice & { readonly project: number })[];
  /** Whether it declares the kinds that create no object of their own. */
  readonly others: boolean;
}
interface Choice {
  readonly present: boolean;
  /** Distinguishes two declarations of the same resource. */
  readonly variant: number;
}

/** A fault during a command. */
export type Trouble =
  | { readonly kind: "kill"; readonly atRequest: number }
  /** A change of an object in the console, between the provider's read and its write. */
  | { readonly kind: "console"; readonly atWrite: number }
  | {
      readonly kind: string;
      readonly operation: OperationId[] | "*";
      readonly skip: number;
      readonly count: number;
    };

/** How a program declares a resource elsewhere: under another name, in a component, or with another provider. */
export interface Location {
  readonly renamed: boolean;
  readonly component: boolean;
  readonly provider: boolean;
}

/** Resource options that change what the engine does with a resource. */
export interface Options {
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly replaceOnChanges: boolean;
  readonly ignoreChanges: boolean;
}

/** One step of a sequence. */
export type Step =
  | { readonly do: "up" | "refresh" | "destroy"; readonly trouble: readonly Trouble[] }
  | { readonly do: "program"; readonly plan: Plan }
  | {
      readonly do: "replace";
      readonly pick: number;
      /** Whether the program adopts the object in the same run. */
      readonly adopting: boolean;
      readonly trouble: readonly Trouble[];
    }
  | { readonly do: "move"; readonly pick: number; readonly to: Location; readonly alias: boolean }
  | { readonly do: "options"; readonly pick: number; readonly options: Options }
  | { readonly do: "moveToMissing"; readonly pick: number; readonly trouble: readonly Trouble[] }
  | { readonly do: "replaceElsewhere"; readonly pick: number }
  | {
      readonly do: "importAgain";
      readonly pick: number;
      /** Whether the program declares the new entry from then on, instead of the old one. */
      readonly declared: boolean;
    }
  | { readonly do: "adopt" | "import" | "deleteManually" | "changeManually"; readonly pick: number }
  | { readonly do: "revokeKey" | "replaceKey" | "otherOrganization" | "ownOrganization" | "restoreScopes" }
  | { readonly do: "removeScopes"; readonly scopes: readonly Scope[] };

/** A sequence: the service's undocumented behaviour, the random number for retries, and the steps. */
export interface Sequence {
  readonly behaviour: Partial<Behaviour>;
  readonly chance: number;
  readonly steps: readonly Step[];
}

/** The time limit of a request while faults are injected, in milliseconds. */
export const TIMEOUT_MS = 150;

const variant = fc.nat({ max: 1 });
const plan: fc.Arbitrary<Plan> = fc.record({
  projects: fc.tuple(...[0, 1, 2].map(() => fc.record({ present: mostly(), variant: fc.nat({ max: 2 }) }))),
  applications: fc.tuple(
    ...[0, 1, 2, 3, 4].map(() =>
      fc.record({
        present: fc.boolean(),
        variant,
        project: fc.nat({ max: 2 }),
        platform: fc.nat({ max: 2 }),
      }),
    ),
  ),
  domains: fc.tuple(
    ...[0, 1, 2].map(() => fc.record({ present: fc.boolean(), variant, project: fc.nat({ max: 2 }) })),
  ),
  others: fc.boolean(),
});

function mostly(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 3 }).map((number) => number > 0);
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat({ max: 2 }).map((number) => number === 0);
}

/** The resources of a program, at most twelve, each after those that it refers to. */
export function declarationsOf({ projects, applications, domains, others }: Plan): Declaration[] {
  const chosen = projects.flatMap(({ present }, index) => (present ? [index] : []));
  const projectOf = (project: number) => chosen[project % chosen.length];
  const declarations: Declaration[] = chosen.map((index) => {
    const { variant } = projects[index] as Choice;
    const properties: Record<string, Declared> = { name: `Project ${index} ${variant}` };
    if (variant === 1) properties.defaultHookupMsg = `Hello from ${index}`;
    if (variant === 2) properties.defaultHookupMsg = null;
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
        androidInfo: { appName, appScheme: "shop", appPackageName: `example.shop.a${index}` },
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
  for (const kind of SPECIMEN_KINDS) {
    if (!others || DESCRIPTIONS[kind].creates === "object") continue;
    // The references of a specimen are to the first object of a kind.
    const names: Readonly<Record<string, string>> = { project: `p${chosen[0]}`, customDomain: "d0" };
    const properties = Object.fromEntries(
      Object.entries(SPECIMENS[kind].valid[0]).map(([name, value]) => [
        name,
        isIdOf(value) ? { idOf: names[value.idOf] as string } : value,
      ]),
    );
    const declared = Object.values(properties).filter(isIdOf);
    if (declared.every(({ idOf }) => declarations.some(({ name }) => name === idOf))) {
      declarations.push({ kind, name: exportName(DESCRIPTIONS[kind]), properties });
    }
  }
  return declarations;
}

const READS = operations(/^(get|list)/);
const CREATES = operations(/^create(?!.*Link)/);
const CHANGES = operations(/^(update|save)/);
const DELETES = operations(/^delete/);

function operations(name: RegExp): OperationId[] {
  return (Object.keys(handlers) as OperationId[]).filter((each) => name.test(each));
}
const operation = fc.constantFrom<OperationId[] | "*">(
  "*",
  READS,
  CREATES,
  CREATES,
  CREATES,
  CHANGES,
  DELETES,
);

/** The target of redirects. Nothing listens there. */
export const REDIRECT_TARGET = "http://127.0.0.1:9/elsewhere";
const WRONG_ID = "0f0f0f0f-0000-4000-8000-00000000000f";
/** A valid object with another id. */
const wrongObject = {
  id: WRONG_ID,
  organization_id: WRONG_ID,
  project_id: WRONG_ID,
  created_by_user_id: WRONG_ID,
  project_name: "Another",
  logo_image_id: null,
  sub_domain: null,
  default_hookup_msg: null,
  logo_image: null,
  skin_info: null,
  android_app_flag: false,
  ios_app_flag: false,
  app_type: "WEB",
  apple_info: null,
  android_info: null,
  hostname: "another.shop.example",
  lifecycle_status: "ACTIVE",
  retry_count: 0,
  key_prefix: "canary",
  scopes: [],
  created_at: "2020-01-01T00:00:00.000Z",
  updated_at: "2020-01-01T00:00:00.000Z",
};

/** Every kind of fault that is consistent with the documented meaning of a status. */
function effects(echo: string): Readonly<Record<string, FaultEffect>> {
  return {
    "400": { status: 400, message: ["name is odd", echo] },
    "401": { status: 401, message: `Who is ${echo}?` },
    "403": { status: 403 },
    "409": { status: 409 },
    "429": { status: 429, retryAfter: 3 },
    "500 before": { status: 500, message: echo },
    "500 after": { status: 500, afterEffect: true },
    "502 before": { status: 502 },
    "502 after": { status: 502, afterEffect: true },
    "503 with Retry-After": { status: 503, retryAfter: 2 },
    "503 before": { status: 503 },
    "503 after": { status: 503, afterEffect: true },
    "504 before": { status: 504 },
    "504 after": { status: 504, afterEffect: true },
    "reset before": { reset: "before" },
    "reset after": { reset: "after" },
    "hang before": { hang: true },
    "hang after": { hang: true, afterEffect: true },
    "slow answer": { delayMs: 5 },
    "late effect": { delayMs: TIMEOUT_MS * 2 },
    malformed: { malformed: true },
    truncated: { truncated: true },
    redirect: { redirect: REDIRECT_TARGET },
    "foreign 404 before": { foreign: 404 },
    "foreign 404 after": { foreign: 404, text: echo, echoRequestId: true, afterEffect: true },
    "foreign 409 before": { foreign: 409 },
    "foreign 409 after": { foreign: 409, afterEffect: true },
    "foreign 200 before": { foreign: 200, text: echo },
    "foreign 200 after": { foreign: 200, text: echo, afterEffect: true },
    "empty object": { body: {} },
    "not an object": { body: ["<html>", echo] },
    "another object": { body: wrongObject },
    "broken list": { body: { projects: [{}], applications: [null], custom_domains: ["?"] } },
    "list of others": {
      body: { projects: [wrongObject], applications: [wrongObject], custom_domains: [wrongObject] },
    },
  };
}

/** The key that the campaign's own organization uses first; replaced keys end in another number. */
export const CANARY = "canary-key-of+the/fault=campaign-";
/** The key of an organization that owns none of the objects. */
export const OTHER_KEY = "bother-key-of+the/fault=campaign-0";

/** The effect of a fault of that kind. Some responses contain the key of the request. */
export function effectOf(kind: string, key: string): FaultEffect {
  return effects(key)[kind] as FaultEffect;
}

const fault: fc.Arbitrary<Trouble> = fc
  .record({
    kind: fc.constantFrom(...Object.keys(effects(""))),
    operation,
    skip: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ kind, ...rest }) => ({
    kind,
    ...rest,
    // Responses with another object apply to reads and changes only, because the provider cannot verify those to a
    // create.
    ...((kind === "another object" || kind === "list of others") && {
      operation: [...READS.filter((each) => each !== "getCurrentApiCredential"), ...CHANGES],
    }),
  }));
const kill: fc.Arbitrary<Trouble> = fc.record({
  kind: fc.constant("kill" as const),
  atRequest: fc.integer({ min: 2, max: 12 }),
});
const consoleChange: fc.Arbitrary<Trouble> = fc.record({
  kind: fc.constant("console" as const),
  atWrite: fc.integer({ min: 1, max: 2 }),
});
const trouble = fc.array(
  fc.oneof(
    { arbitrary: fault, weight: 6 },
    { arbitrary: kill, weight: 1 },
    { arbitrary: consoleChange, weight: 2 },
  ),
  { minLength: 0, maxLength: 3 },
);

const USED_SCOPES: readonly Scope[] = [
  ...new Set(
    Object.values(DESCRIPTIONS).flatMap(({ scopes: { read, write } }) => [
      ...read,
      ...(typeof write === "function" ? [] : write),
    ]),
  ),
];
const pick = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("up" as const), trouble }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refresh" as const), trouble }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("destroy" as const), trouble }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("replace" as const), pick, adopting: fc.boolean(), trouble }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      pick,
      to: fc.record({ renamed: fc.boolean(), component: fc.boolean(), provider: fc.boolean() }),
      alias: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("options" as const),
      pick,
      options: fc.record({
        retainOnDelete: rarely(),
        deleteBeforeReplace: rarely(),
        replaceOnChanges: rarely(),
        ignoreChanges: rarely(),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("moveToMissing" as const), pick, trouble }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replaceElsewhere" as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("program" as const), plan }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("importAgain" as const), pick, declared: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "adopt" as const,
        "import" as const,
        "deleteManually" as const,
        "changeManually" as const,
      ),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "revokeKey" as const,
        "replaceKey" as const,
        "replaceKey" as const,
        "otherOrganization" as const,
        "ownOrganization" as const,
        "ownOrganization" as const,
        "restoreScopes" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("removeScopes" as const),
      scopes: fc.subarray([...USED_SCOPES], { minLength: 1, maxLength: 2 }),
    }),
  },
);

/** A sequence of the campaign. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    behaviour: fc.record({
      deletingPolls: fc.nat({ max: 2 }),
      deleteWhileDeleting: fc.constantFrom("conflict" as const, "accepted" as const),
      deleteProjectWithChildren: fc.constantFrom("conflict" as const, "cascade" as const),
      cnameTargetAppears: fc.constantFrom("atOnce" as const, "never" as const, { afterPolls: 2 }),
      hostnameSpelling: fc.constantFrom("asGiven" as const, "normalized" as const),
      patchInfo: fc.constantFrom("merge" as const, "replace" as const),
      absentInfoField: fc.constantFrom("null" as const, "omit" as const),
      uniqueProjectNames: mostly(),
    }),
    chance: fc.double({ min: 0, max: 0.99, noNaN: true }),
    first: plan,
    trouble,
    steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  })
  .map(({ behaviour, chance, first, trouble, steps }) => ({
    behaviour,
    chance,
    steps: [{ do: "program", plan: first }, { do: "up", trouble }, ...steps],
  }));

/** The sequence without what takes a minute on a real clock: missing responses, and waits for CNAME targets. */
export function withoutLongWaits({ behaviour, chance, steps }: Sequence): Sequence {
  return {
    behaviour: { ...behaviour, cnameTargetAppears: "atOnce" },
    chance,
    steps: steps.map((one) =>
      "trouble" in one
        ? { ...one, trouble: one.trouble.filter(({ kind }) => !kind.startsWith("hang")) }
        : one,
    ),
  };
}
