/**
 * The ways in which a command can fail or warn: the steps of each, by title. The last step is the command. They run on the test
 * engine, with program and hosts in this process.
 */
import type { Host } from "../../../provider/hosts/hosts";
import { type Behaviour, type Emulator, type Seed, startEmulator } from "../../../testing/emulator";
import { stopClock } from "../../support/providers/clocks";
import {
  type Declaration,
  type Declared,
  type DeclaredStack,
  declaredStack,
  errorOf,
  type Kind,
  type Outcome,
} from "../../support/stacks/declaredStack";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";
import { EXAMPLE_KINDS, examplesOf, RESOURCE_EXAMPLES } from "../../support/values/resourceExamples";

/** What a case can change before its command. */
export interface CaseTools {
  readonly stack: DeclaredStack;
  readonly service: Emulator;
  /** The stack's configuration, and the variables of its processes. */
  readonly config: Record<string, string>;
  readonly environment: Record<string, string>;
}

export type Step = (tools: CaseTools) => unknown;
type Effect = Parameters<Emulator["inject"]>[0]["effect"];
type Operation = NonNullable<Parameters<Emulator["inject"]>[0]["operation"]>;

export const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
export const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const APPLICATION = "0e0e0e0e-0000-4000-8000-000000000005";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";
export const OTHER_PROJECT = "0c0c0c0c-0000-4000-8000-000000000007";

/** The objects that exist before each case. */
export const seed: Seed = {
  organizations: [
    {
      id: ORGANIZATION,
      keys: [{ key: KEY }],
      projects: [
        {
          id: PROJECT,
          name: "Shop",
          applications: [{ id: APPLICATION, appType: "WEB" }],
          customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "PENDING_DNS" }],
        },
      ],
    },
    { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }] },
  ],
};

function declare(kind: Kind, properties: object, options: object = {}): Declaration {
  return { kind, name: kind.toLowerCase(), properties: properties as Record<string, Declared>, ...options };
}
/** The names of projects. */
const FOUR = ["a", "b", "c", "d"];

export function project(name: string, options?: object): Declaration {
  return declare("Project", { name }, options);
}
export function application(properties?: object, options?: object): Declaration {
  return declare("Application", { projectId: PROJECT, appType: "WEB", ...properties }, options);
}
export function ios(info?: object, options?: object): Declaration {
  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop", ...info };
  return application({ appType: "IOS", appleInfo }, options);
}
export function domain(properties?: object): Declaration {
  return declare("CustomDomain", { projectId: PROJECT, hostname: "go.shop.example", ...properties });
}
export function activation(properties?: object): Declaration {
  return declare("CustomDomainActivation", { customDomainId: DOMAIN, ...properties });
}

/** A command. Another one may follow if it succeeds. */
export function command(name: "preview" | "up" | "refresh" | "destroy", ...declared: Declaration[]): Step {
  return ({ stack }) => stack[name](declared);
}
export function preview(...declarations: Declaration[]): Step {
  return command("preview", ...declarations);
}
export function up(...declarations: Declaration[]): Step {
  return command("up", ...declarations);
}
export function upRefresh(...declarations: Declaration[]): Step {
  return ({ stack }) => stack.up(declarations, { refresh: true });
}
/** A change of the service. */
export function service(change: (service: Emulator) => unknown): Step {
  return (tools) => void change(tools.service);
}
function behaviour(changes: Partial<Behaviour>): Step {
  return service((each) => each.setBehaviour(changes));
}
function fault(operation: Operation, effect: Effect, count = 1): Step {
  return service((each) => each.inject({ operation, effect, count }));
}
export function setting(name: string, value: string): Step {
  return ({ config }) => void Object.assign(config, { [`dynamiclink:${name}`]: value });
}
export function variable(name: string, value: string): Step {
  return ({ environment }) => void Object.assign(environment, { [name]: value });
}
function noUrl({ config }: CaseTools): void {
  delete config["dynamiclink:apiUrl"];
}
function noKey({ environment }: CaseTools): void {
  delete environment.DYNAMICLINK_API_KEY;
}
export function addLink(tools: CaseTools): void {
  const customDomainId = tools.service.state.customDomains.at(-1)?.id;
  tools.service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId });
}
/** The UUID of what the program has created. */
function created({ state }: Emulator, list: "projects" | "applications"): string {
  return state[list].at(-1)?.id ?? "";
}

export const market = project("Market");
const site = application({}, { name: "site" });
const adopted = { adopt: APPLICATION, protect: false };
const replaced = { adopt: PROJECT, protect: false, replaceOnChanges: ["name"] };
const inMissing = { projectId: MISSING };
const webOfMissing = application(inMissing);
const ALWAYS = Number.POSITIVE_INFINITY;
const TO_WEB = { appType: "WEB", appleInfo: null } as const;

const marketGone = service((each) => each.deleteProject(created(each, "projects")));
const noDate = behaviour({ dateHeader: "absent" });
const noList = fault("listProjects", { status: 403 }, ALWAYS);

/** The deletion of the next application is refused. */
export const linksUseIt = fault("deleteApplication", { status: 409, message: "Links use it." });

/** The effects with which an object cannot be read, by title. */
const UNREADABLE: Readonly<Record<string, Effect>> = {
  "The service cannot be reached": { reset: "before" },
  "The service is not available": { status: 503 },
  "Rate limit reached": { status: 429 },
  "The service fails": { status: 500 },
  "The response is not JSON": { malformed: true },
  "The response is not valid": { body: { projects: [] } },
  "Something other than the service responds": { foreign: 404 },
  "A redirect": { redirect: "https://login.example/" },
};

/** The cases, by title. A last step that is not a command is followed by the preview of a new project. */
export const CASES: Readonly<Record<string, readonly Step[]>> = {
  "No key": [noKey],
  "A blank variable": [setting("apiKeyEnvVar", "TEAM_KEY"), variable("TEAM_KEY", " ")],
  "apiKeyEnvVar is not the name of a variable": [setting("apiKeyEnvVar", "1-KEY")],
  "A key in place of the name of its variable": [setting("apiKeyEnvVar", "dlk_live_c4n4ry7f3a9")],
  "A blank apiKey": [setting("apiKey", "")],
  "A key with a line break": [variable("DYNAMICLINK_API_KEY", `${KEY}\n`)],
  "No apiUrl": [noUrl],
  "Neither key nor apiUrl": [noUrl, noKey],
  "apiUrl is not a URL": [setting("apiUrl", "dynamiclink")],
  "apiUrl is not https": [setting("apiUrl", "http://dynamiclink.example")],
  "apiUrl with a user name": [setting("apiUrl", "https://me@dynamiclink.example")],
  "apiUrl with a query": [setting("apiUrl", "https://dynamiclink.example?key=1")],
  "readOnly is neither true nor false": [setting("readOnly", "perhaps")],
  "apiUrl of another server": [fault("getCurrentApiCredential", { foreign: 404 })],
  "apiUrl without the API": [fault("getCurrentApiCredential", { status: 404 })],
  "An unknown key": [variable("DYNAMICLINK_API_KEY", "unknown-key-1")],
  "An unknown key in the configuration": [setting("apiKey", "unknown-key-1")],
  "A refresh with a key that was replaced": [
    ...[setting("apiKey", KEY), up(market)],
    service((each) => {
      each.addKey(ORGANIZATION, { key: "next-key-1" });
      each.revokeKey(KEY);
    }),
    ...[setting("apiKey", "next-key-1"), upRefresh(market)],
  ],
  "A blocked organization": [service((each) => each.blockOrganization(ORGANIZATION, true))],
  "A missing scope": [service((each) => each.setScopes(KEY, ["projects:read"]))],
  "Several missing scopes": [service((each) => each.setScopes(KEY, [])), preview(domain())],
  "A key of another organization": [up(market), variable("DYNAMICLINK_API_KEY", OTHER_KEY)],
  "A write in read-only mode": [variable("DYNAMICLINK_READ_ONLY", "1"), up(market)],

  "A missing argument": [preview(declare("Project", {}))],
  "A text that is too long": [preview(project("x".repeat(101)))],
  "A number in place of text": [preview(ios({ appStoreId: 1234567890 }))],
  "A misspelt argument": [preview(declare("Project", { name: "Shop", defaultHookupMessage: "Hi" }))],
  "Several things at once": [
    preview(application({ projectId: "shop", appType: "IOS", appleInfo: { appName: "" } })),
  ],
  "The info of another platform": [preview(application({ appleInfo: { appName: "Shop" } }))],
  "An unknown platform": [preview(application({ appType: "DESKTOP" }))],
  "A project that does not exist": [preview(webOfMissing)],
  ...Object.fromEntries(
    EXAMPLE_KINDS.map((kind) => [kind, [preview(...examplesOf(kind, RESOURCE_EXAMPLES[kind].invalid))]]),
  ),

  "Adopting something other than a UUID": [preview(project("Shop", { adopt: "acme/shop" }))],
  "Adopting what does not exist": [preview(project("Shop", { adopt: MISSING }))],
  "Adopting what differs": [
    preview(declare("Project", { name: "Market", defaultHookupMsg: "Hello" }, { adopt: PROJECT })),
  ],
  "Replacing what is adopted": [up(application({}, adopted)), preview(application(inMissing, adopted))],
  "Replacing what is adopted, by replaceOnChanges": [
    up(project("Shop", replaced)),
    preview(project("Market", replaced)),
  ],
  "Adopting one object twice": [
    preview(project("Shop", { name: "a", adopt: PROJECT }), project("Shop", { name: "b", adopt: PROJECT })),
  ],
  "Adopting where the stack has another object": [up(market), preview(project("Market", { adopt: PROJECT }))],

  "A name in use": [up(project("Shop"))],
  "A name in use, in a preview": [preview(project("Shop"))],
  "A name that differs in letter case, in a preview": [preview(project("SHOP"))],
  "Four names in use, in a preview": [
    service((each) => FOUR.map((name) => each.createProject(ORGANIZATION, { name }))),
    preview(...FOUR.map((name) => project(name, { name }))),
  ],
  "An application like an existing one, in a preview": [preview(application())],
  "A created application like an existing one": [up(application())],
  "A hostname of someone else": [
    service((each) => {
      const { id } = each.createProject(OTHER_ORGANIZATION, { name: "Theirs" });
      each.createCustomDomain(id, { hostname: "go.shop.example" });
    }),
    up(domain()),
  ],
  "No Pro entitlement": [service((each) => each.setPro(PROJECT, false)), up(domain())],
  "A missing project, and a key that cannot read projects": [
    service((each) => each.setScopes(KEY, ["applications:read", "applications:write"])),
    up(webOfMissing),
  ],
  "An objection": [fault("createProject", { status: 400, message: ["project_name must not"] }), up(market)],
  "A lost response, and nothing listed": [fault("createProject", { status: 502 }), up(market)],
  "A lost response, and applications": [fault("createApplication", { reset: "after" }), up(ios())],
  "A response about an older object": [
    fault("createApplication", { body: (created: object) => ({ ...created, id: APPLICATION }) }),
    up(application()),
  ],
  "Equal resources": [fault("createApplication", { reset: "before" }), up(application(), site)],
  "A lost response, and no Date header": [noDate, fault("createProject", { reset: "after" }), up(market)],
  "A conflict with a similar name": [
    service((each) => each.createProject(ORGANIZATION, { name: "market" })),
    fault("createProject", { status: 409, message: "Name taken." }),
    up(market),
  ],
  "A lost response, and no list": [fault("createProject", { status: 502 }), noList, up(market)],

  "A value that the service does not apply": [
    behaviour({ nullInfoField: "ignore" }),
    up(ios({ appStoreId: "12345" })),
    up(ios()),
  ],
  "A name that the service stores differently": [
    behaviour({ storedForm: "normalizedNames" }),
    up(project("The Market ")),
  ],
  "Two lost responses, and applications": [
    fault("createApplication", { reset: "after" }),
    async ({ stack }) => void (await stack.up([ios()])),
    fault("createApplication", { reset: "after" }),
    up(ios()),
  ],
  "A change of what is gone": [up(market), marketGone, up(project("Bazaar"))],
  "A project with something in it": [
    up(market),
    service((each) => each.createApplication(created(each, "projects"), { appType: "WEB" })),
    command("destroy"),
  ],
  "A domain with links": [up(domain()), addLink, command("destroy")],
  "A domain that moves to a missing project": [up(domain()), preview(domain({ projectId: MISSING }))],
  "A domain with links that moves": [
    up(domain()),
    addLink,
    service((each) => each.createProject(ORGANIZATION, { id: OTHER_PROJECT, name: "Market" })),
    preview(domain({ projectId: OTHER_PROJECT })),
  ],
  "A platform that was changed outside Pulumi": [
    up(ios()),
    service((each) => each.updateApplication(created(each, "applications"), TO_WEB)),
    up(ios({ appName: "Market" })),
  ],
  "A read that does not find what a list has": [
    up(market),
    fault("getProject", { status: 404, message: "Project not found." }, ALWAYS),
    command("refresh"),
  ],
  "A domain that stays": [behaviour({ deletingPolls: ALWAYS }), up(domain()), command("destroy")],
  "An application that links use": [up(ios()), linksUseIt, up()],
  "A deletion of something else": [up(market), fault("deleteProject", { foreign: 200 }), command("destroy")],

  "A pending domain": [behaviour({ domainAdvance: "manual" }), up(activation({ timeoutSeconds: 60 }))],
  "A failed domain": [service((each) => each.setDomainStatus(DOMAIN, "FAILED")), up(activation())],
  "An expired domain": [service((each) => each.setDomainStatus(DOMAIN, "EXPIRED")), up(activation())],
  "A domain without a CNAME target": [
    // The create reads it 12 times.
    behaviour({ cnameTargetAppears: { afterPolls: 12 }, domainAdvance: "manual" }),
    up(domain()),
  ],
  "A domain that is no longer found": [
    service((each) => each.setDomainStatus(DOMAIN, "ACTIVE")),
    up(activation()),
    service((each) => each.deleteCustomDomain(DOMAIN)),
    command("refresh"),
  ],
  "A missing domain": [up(activation({ customDomainId: MISSING }))],

  ...Object.fromEntries(
    Object.entries(UNREADABLE).map(([title, effect]) => [
      title,
      [up(market), fault("getProject", effect, ALWAYS), command("refresh")],
    ]),
  ),
};

/** What cases start with: an emulator, and a stack without resources. */
export async function openCase(host?: Host): Promise<CaseTools & AsyncDisposable> {
  stopClock();
  const service = await startEmulator({ seed });
  // The seed is older than anything that a case creates, even in whole seconds.
  service.clock.advance(5_000);
  const config: Record<string, string> = { "dynamiclink:apiUrl": service.url };
  const environment: Record<string, string> = { DYNAMICLINK_API_KEY: KEY };
  const stack = declaredStack(service, { config, environment: () => environment, ...(host && { host }) });
  return { stack, service, config, environment, [Symbol.asyncDispose]: () => service.close() };
}

/** Runs a case. Returns the errors of its last command, or what it prints if it succeeds. */
export async function messageOf(tools: CaseTools, steps: readonly Step[]): Promise<string> {
  let outcome: Outcome | undefined;
  for (const step of steps) {
    expect(outcome?.failed ?? false).toBe(false);
    outcome = (await step(tools)) as Outcome | undefined;
  }
  outcome ??= await tools.stack.preview([market]);
  return outcome.failed ? errorOf(outcome) : outcome.diagnostics.map(({ message }) => message).join("\n");
}
