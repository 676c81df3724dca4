/** The ways in which a command can fail for a user, each with its title and how to cause it. */
import { DESCRIPTIONS } from "../../../provider/resources";
import { EXAMPLE_KINDS, examplesOf, RESOURCE_EXAMPLES } from "../../../provider/resources/examples";
import { withArticle } from "../../../provider/values/phrases";
import type { Behaviour, Emulator, Seed } from "../../../testing/emulator";
import type { Declaration, Declared, DeclaredStack, Kind, Outcome } from "../../support/stacks/declaredStack";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";

/** The tools of a case. */
export interface CaseTools {
  readonly stack: DeclaredStack;
  readonly service: Emulator;
  /** Sets the variables of the provider's process, from the next command on. */
  setEnvironment(environment: Record<string, string>): void;
}

/** One message, or several that a command reports together. */
export interface MessageCase {
  readonly title: string;
  readonly section: string;
  readonly behaviour?: Partial<Behaviour>;
  /** The settings in the stack's configuration. Default: those of a stack that works. */
  readonly config?: Record<string, string | undefined>;
  readonly environment?: Record<string, string>;
  /** What the stack has before. Default: nothing. */
  readonly before?: readonly Declaration[];
  /** Runs the command that fails. */
  run(tools: CaseTools): Promise<Outcome>;
}

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const APPLICATION = "0e0e0e0e-0000-4000-8000-000000000005";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";
const NEW_PROJECT = "0c0c0c0c-0000-4000-8000-000000000007";

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

function declare(
  kind: Kind,
  name: string,
  properties: Record<string, Declared>,
  options: Partial<Declaration> = {},
): Declaration {
  return { kind, name, properties, ...options };
}

const ADOPTED_APPLICATION = { adopt: APPLICATION, protect: false };
const REPLACED_PROJECT = { adopt: PROJECT, protect: false, replaceOnChanges: ["name"] };
const market = declare("Project", "market", { name: "Market" });
const taken = declare("Project", "shop", { name: "Shop" });
const web = declare("Application", "web", { projectId: PROJECT, appType: "WEB" });
const domain = declare("CustomDomain", "links", { projectId: PROJECT, hostname: "go.shop.example" });

/** The custom domain in another project. */
function movedTo(projectId: string): Declaration {
  return { ...domain, properties: { ...domain.properties, projectId } };
}

function activation(properties: Record<string, Declared> = {}) {
  return declare("CustomDomainActivation", "active", { customDomainId: DOMAIN, ...properties });
}

type SectionCase = Omit<MessageCase, "section">;

type Command = "preview" | "up" | "refresh" | "destroy";

/** A command that fails after something has happened in the service. */
function after(
  title: string,
  happens: (service: Emulator) => void,
  command: Command,
  ...declarations: Declaration[]
): SectionCase {
  return {
    title,
    run({ stack, service }) {
      happens(service);
      if (command === "refresh" || command === "destroy") return stack[command]();
      return stack[command](declarations);
    },
  };
}

/** A command that fails because of what it declares. */
function fails(title: string, command: Command, ...declarations: Declaration[]): SectionCase {
  return after(title, () => {}, command, ...declarations);
}

function settings(title: string, given: Pick<MessageCase, "config" | "environment">): SectionCase {
  return { ...fails(title, "preview", market), ...given };
}

/** A command that fails because of faults of the service. */
function faulty(
  title: string,
  command: Command,
  declaration: Declaration,
  ...faults: readonly Parameters<Emulator["inject"]>[0][]
): SectionCase {
  const inject = (service: Emulator) => {
    for (const fault of faults) service.inject(fault);
  };
  return after(title, inject, command, declaration);
}

/** The project that the program declares in addition to those that exist. */
function marketIn({ state }: Emulator): string {
  return state.projects.find(({ name }) => name === "Market")?.id ?? "";
}

function iosIn({ state }: Emulator): string {
  return state.applications.find(({ appType }) => appType === "IOS")?.id ?? "";
}

/** Creates a link on the custom domain that the program declares in addition to those that exist. */
function addLink(service: Emulator): void {
  const customDomainId = service.state.customDomains.at(-1)?.id;
  service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId });
}

function ios(info: Record<string, Declared>): Declaration {
  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", ...info };
  return declare("Application", "ios", { projectId: PROJECT, appType: "IOS", appleInfo });
}

/** The cases by their section, in the order of the catalogue. */
const SECTIONS: Readonly<Record<string, readonly SectionCase[]>> = {
  Settings: [
    settings("No key is set", { environment: {} }),
    settings("The variable that apiKeyEnvVar names is blank", {
      config: { apiKeyEnvVar: "TEAM_KEY" },
      environment: { TEAM_KEY: " ", DYNAMICLINK_API_KEY: KEY },
    }),
    settings("apiKeyEnvVar is not the name of a variable", { config: { apiKeyEnvVar: "1-KEY" } }),
    settings("apiKey is blank", { config: { apiKey: "" } }),
    settings("The key has a line break", { environment: { DYNAMICLINK_API_KEY: `${KEY}\n` } }),
    settings("apiUrl is not set", { config: { apiUrl: undefined } }),
    settings("Nothing is set", { config: { apiUrl: undefined }, environment: {} }),
    settings("apiUrl is not a URL", { config: { apiUrl: "dynamiclink" } }),
    settings("apiUrl is not https", { config: { apiUrl: "http://dynamiclink.example" } }),
    settings("apiUrl has a user name", { config: { apiUrl: "https://me@dynamiclink.example" } }),
    settings("apiUrl has a query", { config: { apiUrl: "https://dynamiclink.example?key=1" } }),
    settings("readOnly is neither true nor false", { config: { readOnly: "perhaps" } }),
    faulty("apiUrl is the URL of another server", "preview", market, {
      operation: "getCurrentApiCredential",
      effect: { foreign: 404 },
    }),
    faulty("apiUrl is a URL of the service without its API", "preview", market, {
      operation: "getCurrentApiCredential",
      effect: { status: 404 },
    }),
  ],
  "The key": [
    settings("The service does not know the key", { environment: { DYNAMICLINK_API_KEY: "unknown-key-1" } }),
    settings("The service does not know the key of the stack's configuration", {
      config: { apiKey: "unknown-key-1" },
    }),
    after(
      "The organization is blocked",
      (service) => service.blockOrganization(ORGANIZATION, true),
      "preview",
      market,
    ),
    after("The key lacks a scope", (service) => service.setScopes(KEY, ["projects:read"]), "preview", market),
    after("The key lacks several scopes", (service) => service.setScopes(KEY, []), "preview", domain),
    {
      title: "The key is one of another organization",
      before: [market],
      run({ stack, setEnvironment }) {
        setEnvironment({ DYNAMICLINK_API_KEY: OTHER_KEY });
        return stack.preview([market]);
      },
    },
    {
      ...fails("A write in read-only mode", "up", market),
      environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: "1" },
    },
  ],
  "What the program declares": [
    fails("A required argument is missing", "preview", declare("Project", "shop", {})),
    fails("A text is too long", "preview", declare("Project", "shop", { name: "x".repeat(101) })),
    fails(
      "An argument is misspelt",
      "preview",
      declare("Project", "shop", { name: "Shop", defaultHookupMessage: "Hi" }),
    ),
    fails(
      "Several things at once",
      "preview",
      declare("Application", "android", {
        projectId: "shop",
        appType: "ANDROID",
        androidInfo: { appName: "Shop", appPackageName: "shop", sha256Fingerprints: ["AB:CD"] },
      }),
    ),
    fails(
      "The info of another platform",
      "preview",
      declare("Application", "web", { projectId: PROJECT, appType: "WEB", appleInfo: { appName: "Shop" } }),
    ),
    fails(
      "A platform that does not exist",
      "preview",
      declare("Application", "desktop", { projectId: PROJECT, appType: "DESKTOP" }),
    ),
    fails(
      "A project that does not exist",
      "preview",
      declare("Application", "web", { projectId: MISSING, appType: "WEB" }),
    ),
    ...EXAMPLE_KINDS.map((kind) =>
      fails(
        `The values of ${withArticle(DESCRIPTIONS[kind].title)}`,
        "preview",
        ...examplesOf(kind, RESOURCE_EXAMPLES[kind].invalid),
      ),
    ),
  ],
  Adopting: [
    fails(
      "Something other than a UUID",
      "preview",
      declare("Project", "shop", { name: "Shop" }, { adopt: "acme/shop" }),
    ),
    fails(
      "There is no such object",
      "preview",
      declare("Project", "shop", { name: "Shop" }, { adopt: MISSING }),
    ),
    fails(
      "The program differs from what exists",
      "preview",
      declare("Project", "shop", { name: "Market", defaultHookupMsg: "Hello" }, { adopt: PROJECT }),
    ),
    {
      ...fails(
        "A change would replace an adopted object",
        "preview",
        declare("Application", "web", { projectId: MISSING, appType: "WEB" }, ADOPTED_APPLICATION),
      ),
      before: [{ ...web, ...ADOPTED_APPLICATION }],
    },
    {
      ...fails("replaceOnChanges would replace an adopted object", "preview", {
        ...market,
        name: "shop",
        ...REPLACED_PROJECT,
      }),
      before: [{ ...taken, ...REPLACED_PROJECT }],
    },
    fails(
      "Two resources adopt the same object",
      "preview",
      declare("Project", "first", { name: "Shop" }, { adopt: PROJECT }),
      declare("Project", "second", { name: "Shop" }, { adopt: PROJECT }),
    ),
    {
      ...fails("The stack has another object here", "preview", { ...market, adopt: PROJECT }),
      before: [market],
    },
  ],
  Creating: [
    fails("The name is taken by a project of this organization", "up", taken),
    after(
      "The host name is taken by someone else",
      (service) => {
        const other = service.createProject(OTHER_ORGANIZATION, { name: "Theirs" });
        service.createCustomDomain(other.id, { hostname: "go.shop.example" });
      },
      "up",
      domain,
    ),
    after("The project has no Pro entitlement", (service) => service.setPro(PROJECT, false), "up", domain),
    after(
      "The project does not exist, and the key cannot read projects",
      (service) => service.setScopes(KEY, ["applications:read", "applications:write"]),
      "up",
      declare("Application", "web", { projectId: MISSING, appType: "WEB" }),
    ),
    faulty("The service objects to the request", "up", market, {
      operation: "createProject",
      effect: { status: 400, message: ["project_name must not contain an emoji"] },
    }),
    faulty("The response was lost, and the service does not list the project", "up", market, {
      operation: "createProject",
      effect: { status: 502 },
    }),
    faulty("The response was lost, and applications cannot be told apart", "up", web, {
      operation: "createApplication",
      effect: { reset: "after" },
    }),
    faulty("The response is about an object which existed before", "up", web, {
      operation: "createApplication",
      effect: { body: (application: object) => ({ ...application, id: APPLICATION }) },
    }),
    after(
      "The response is about an object that another resource of the run creates",
      (service) => {
        let first: object;
        const lost = (application: object) => {
          first = application;
          return {};
        };
        service.inject({ operation: "createApplication", effect: { body: lost } });
        service.inject({ operation: "createApplication", effect: { body: () => first } });
      },
      "up",
      web,
      ios({}),
    ),
    after(
      "One of several equal resources may have been created",
      (service) => service.inject({ operation: "createApplication", effect: { reset: "before" } }),
      "up",
      web,
      { ...web, name: "site" },
    ),
    after(
      "The response was lost, and the service may have changed what it created",
      (service) => {
        service.inject({
          match({ method }) {
            if (method === "POST") service.createProject(ORGANIZATION, { name: "market" });
            return false;
          },
          effect: { delayMs: 0 },
        });
        service.inject({ operation: "createProject", effect: { status: 502 } });
      },
      "up",
      market,
    ),
    {
      ...faulty(
        "The response was lost, and the Date header of the service's responses is missing or behind",
        "up",
        market,
        { operation: "createProject", effect: { reset: "after" } },
      ),
      behaviour: { dateHeader: "absent" },
    },
    after(
      "The name is used by none, but similar to another one",
      (service) => {
        service.createProject(ORGANIZATION, { name: "market" });
        service.inject({ operation: "createProject", effect: { status: 409, message: "Name taken." } });
      },
      "up",
      market,
    ),
    faulty(
      "The response was lost, and the list cannot be read",
      "up",
      market,
      { operation: "createProject", effect: { status: 502 } },
      { operation: "listProjects", count: Number.POSITIVE_INFINITY, effect: { status: 403 } },
    ),
  ],
  "Changing and deleting": [
    {
      ...fails("The service did not apply a value", "up", ios({})),
      behaviour: { nullInfoField: "ignore" },
      before: [ios({ appStoreId: "12345" })],
    },
    {
      ...after(
        "What is to be changed is gone",
        (service) => service.deleteProject(marketIn(service)),
        "up",
        declare("Project", "market", { name: "Bazaar" }),
      ),
      before: [market],
    },
    {
      ...after(
        "Something is still under the project",
        (service) => service.createApplication(marketIn(service), { appType: "WEB" }),
        "destroy",
      ),
      before: [market],
    },
    { ...after("The domain has links", addLink, "destroy"), before: [domain] },
    {
      ...fails("The project that a domain moves to does not exist", "preview", movedTo(MISSING)),
      before: [domain],
    },
    {
      title: "Reads of an application are older than its state",
      before: [ios({})],
      async run({ stack, service }) {
        let outdated: unknown;
        const remembered = (actual: unknown) => {
          outdated = actual;
          return actual;
        };
        service.inject({ operation: "getApplication", effect: { body: remembered } });
        service.clock.advance(1_000);
        await stack.up([ios({ appName: "Market" })]);
        service.inject({
          operation: "getApplication",
          count: Number.POSITIVE_INFINITY,
          match: iosIn(service),
          effect: { body: () => outdated },
        });
        return stack.up([ios({ appName: "Market", appScheme: "market" })]);
      },
    },
    {
      ...after(
        "The platform of an application was changed outside Pulumi",
        (service) => service.updateApplication(iosIn(service), { appType: "WEB", appleInfo: null }),
        "up",
        ios({ appName: "Market" }),
      ),
      before: [ios({})],
    },
    {
      ...faulty("A read does not find the object, and a list contains it", "refresh", market, {
        operation: "getProject",
        effect: { status: 404, message: "Project not found." },
      }),
      before: [market],
    },
    {
      ...after(
        "A custom domain with links moves to another project",
        (service) => {
          addLink(service);
          service.createProject(ORGANIZATION, { id: NEW_PROJECT, name: "Market" });
        },
        "preview",
        movedTo(NEW_PROJECT),
      ),
      before: [domain],
    },
    {
      ...fails("The service does not delete the domain", "destroy"),
      behaviour: { deletingPolls: Number.POSITIVE_INFINITY },
      before: [domain],
    },
    {
      ...faulty("A deletion gets a response other than 204", "destroy", market, {
        operation: "deleteProject",
        effect: { foreign: 200 },
      }),
      before: [market],
    },
  ],
  "Waiting for a custom domain": [
    {
      ...fails("It is still pending at the time limit", "up", activation({ timeoutSeconds: 60 })),
      behaviour: { domainAdvance: "manual" },
    },
    after("It has failed", (service) => service.setDomainStatus(DOMAIN, "FAILED"), "up", activation()),
    after("It has expired", (service) => service.setDomainStatus(DOMAIN, "EXPIRED"), "up", activation()),
    fails("It does not exist", "up", activation({ customDomainId: MISSING })),
  ],
  "The connection": [
    ...(
      [
        ["The service cannot be reached", { reset: "before" }],
        ["The service is not available", { status: 503 }],
        ["Rate limit reached", { status: 429 }],
        ["The service fails", { status: 500 }],
        ["The response is not JSON", { malformed: true }],
        ["The response is not valid", { body: { projects: [] } }],
        ["Something other than the service responds", { foreign: 404 }],
        ["A redirect", { redirect: "https://login.example/" }],
      ] as const
    ).map(
      ([title, effect]): SectionCase => ({
        ...faulty(title, "refresh", market, {
          operation: "getProject",
          count: Number.POSITIVE_INFINITY,
          effect,
        }),
        before: [market],
      }),
    ),
  ],
};

/** The cases, in the order of the catalogue. */
export const MESSAGE_CASES: readonly MessageCase[] = Object.entries(SECTIONS).flatMap(([section, cases]) =>
  cases.map((each) => ({ section, ...each })),
);
