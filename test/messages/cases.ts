/** The ways in which a command can fail for a user, each with its title and how to cause it. */
import { DESCRIPTIONS } from "../../provider/resources";
import { withArticle } from "../../provider/shapes/words";
import type { Behaviour, Emulator, Seed } from "../../testing/emulator";
import { SPECIMEN_KINDS, SPECIMENS, specimensOf } from "../specimens";
import type { Declaration, Declared, DeclaredStack, Kind, Outcome } from "../support/stacks/declaredStack";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../support/stacks/scenarios";

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
  /** Runs the commands. The last one fails. */
  run(tools: CaseTools): Promise<Outcome>;
}

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const APPLICATION = "0e0e0e0e-0000-4000-8000-000000000005";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";

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

const market = declare("Project", "market", { name: "Market" });
const taken = declare("Project", "shop", { name: "Shop" });
const web = declare("Application", "web", { projectId: PROJECT, appType: "WEB" });
const domain = declare("CustomDomain", "links", { projectId: PROJECT, hostname: "go.shop.example" });

function activation(properties: Record<string, Declared> = {}) {
  return declare("CustomDomainActivation", "active", { customDomainId: DOMAIN, ...properties });
}

function settings(title: string, given: Pick<MessageCase, "config" | "environment">): MessageCase {
  return {
    section: "Settings",
    title,
    ...given,
    run: ({ stack }) => stack.preview([market]),
  };
}

/** Runs `up`, and then a command that fails. */
async function afterUp(
  { stack }: CaseTools,
  declarations: readonly Declaration[],
  next: () => Promise<Outcome>,
): Promise<Outcome> {
  const { failed, diagnostics } = await stack.up(declarations);
  if (failed) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return await next();
}

/** The cases, in the order of the catalogue. */
export const MESSAGE_CASES: readonly MessageCase[] = [
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

  {
    section: "Settings",
    title: "apiUrl is the URL of another server",
    run({ stack, service }) {
      service.inject({ operation: "getCurrentApiCredential", effect: { foreign: 404 } });
      return stack.preview([market]);
    },
  },

  {
    section: "The key",
    title: "The service does not know the key",
    environment: { DYNAMICLINK_API_KEY: "unknown-key-1" },
    run: ({ stack }) => stack.preview([market]),
  },
  {
    section: "The key",
    title: "The service does not know the key of the stack's configuration",
    config: { apiKey: "unknown-key-1" },
    run: ({ stack }) => stack.preview([market]),
  },
  {
    section: "The key",
    title: "The organization is blocked",
    run({ stack, service }) {
      service.blockOrganization(ORGANIZATION, true);
      return stack.preview([market]);
    },
  },
  {
    section: "The key",
    title: "The key lacks a scope",
    run({ stack, service }) {
      service.setScopes(KEY, ["projects:read"]);
      return stack.preview([market]);
    },
  },
  {
    section: "The key",
    title: "The key lacks several scopes",
    run({ stack, service }) {
      service.setScopes(KEY, []);
      return stack.preview([domain]);
    },
  },
  {
    section: "The key",
    title: "The key is one of another organization",
    run: (tools) =>
      afterUp(tools, [market], () => {
        tools.setEnvironment({ DYNAMICLINK_API_KEY: OTHER_KEY });
        return tools.stack.preview([market]);
      }),
  },
  {
    section: "The key",
    title: "A write in read-only mode",
    environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: "1" },
    run: ({ stack }) => stack.up([market]),
  },

  {
    section: "What the program declares",
    title: "A required argument is missing",
    run: ({ stack }) => stack.preview([declare("Project", "shop", {})]),
  },
  {
    section: "What the program declares",
    title: "A text is too long",
    run: ({ stack }) => stack.preview([declare("Project", "shop", { name: "x".repeat(101) })]),
  },
  {
    section: "What the program declares",
    title: "An argument is misspelt",
    run: ({ stack }) =>
      stack.preview([declare("Project", "shop", { name: "Shop", defaultHookupMessage: "Hi" })]),
  },
  {
    section: "What the program declares",
    title: "Several things at once",
    run: ({ stack }) =>
      stack.preview([
        declare("Application", "android", {
          projectId: "shop",
          appType: "ANDROID",
          androidInfo: { appName: "Shop", appPackageName: "shop", sha256Fingerprints: ["AB:CD"] },
        }),
      ]),
  },
  {
    section: "What the program declares",
    title: "The info of another platform",
    run: ({ stack }) =>
      stack.preview([
        declare("Application", "web", { projectId: PROJECT, appType: "WEB", appleInfo: { appName: "Shop" } }),
      ]),
  },
  {
    section: "What the program declares",
    title: "A platform that does not exist",
    run: ({ stack }) =>
      stack.preview([declare("Application", "desktop", { projectId: PROJECT, appType: "DESKTOP" })]),
  },
  {
    section: "What the program declares",
    title: "A project that does not exist",
    run: ({ stack }) =>
      stack.preview([declare("Application", "web", { projectId: MISSING, appType: "WEB" })]),
  },
  ...SPECIMEN_KINDS.map(
    (kind): MessageCase => ({
      section: "What the program declares",
      title: `The values of ${withArticle(DESCRIPTIONS[kind].title)}`,
      run: ({ stack }) => stack.preview(specimensOf(kind, SPECIMENS[kind].invalid)),
    }),
  ),

  {
    section: "Adopting",
    title: "Something other than a UUID",
    run: ({ stack }) => stack.preview([declare("Project", "shop", { name: "Shop" }, { adopt: "acme/shop" })]),
  },
  {
    section: "Adopting",
    title: "There is no such object",
    run: ({ stack }) => stack.preview([declare("Project", "shop", { name: "Shop" }, { adopt: MISSING })]),
  },
  {
    section: "Adopting",
    title: "The program differs from what exists",
    run: ({ stack }) =>
      stack.preview([
        declare("Project", "shop", { name: "Market", defaultHookupMsg: "Hello" }, { adopt: PROJECT }),
      ]),
  },
  {
    section: "Adopting",
    title: "A change would replace an adopted object",
    run(tools) {
      const adopted = { adopt: APPLICATION, protect: false };
      const moved = { projectId: MISSING, appType: "WEB" };
      return afterUp(tools, [{ ...web, ...adopted }], () =>
        tools.stack.preview([declare("Application", "web", moved, adopted)]),
      );
    },
  },
  {
    section: "Adopting",
    title: "replaceOnChanges would replace an adopted object",
    run(tools) {
      const options = { adopt: PROJECT, protect: false, replaceOnChanges: ["name"] };
      return afterUp(tools, [{ ...taken, ...options }], () =>
        tools.stack.preview([{ ...market, name: "shop", ...options }]),
      );
    },
  },
  {
    section: "Adopting",
    title: "Two resources adopt the same object",
    run: ({ stack }) =>
      stack.preview([
        declare("Project", "first", { name: "Shop" }, { adopt: PROJECT }),
        declare("Project", "second", { name: "Shop" }, { adopt: PROJECT }),
      ]),
  },
  {
    section: "Adopting",
    title: "The stack has another object here",
    run: (tools) =>
      afterUp(tools, [market], () =>
        tools.stack.preview([declare("Project", "market", { name: "Market" }, { adopt: PROJECT })]),
      ),
  },

  {
    section: "Creating",
    title: "The name is taken by a project of this organization",
    run: ({ stack }) => stack.up([taken]),
  },
  {
    section: "Creating",
    title: "The host name is taken by someone else",
    run({ stack, service }) {
      const other = service.createProject(OTHER_ORGANIZATION, { name: "Theirs" });
      service.createCustomDomain(other.id, { hostname: "go.shop.example" });
      return stack.up([domain]);
    },
  },
  {
    section: "Creating",
    title: "The project has no Pro entitlement",
    run({ stack, service }) {
      service.setPro(PROJECT, false);
      return stack.up([domain]);
    },
  },
  {
    section: "Creating",
    title: "The project does not exist, and the key cannot read projects",
    run({ stack, service }) {
      service.setScopes(KEY, ["applications:read", "applications:write"]);
      return stack.up([declare("Application", "web", { projectId: MISSING, appType: "WEB" })]);
    },
  },
  {
    section: "Creating",
    title: "The service objects to the request",
    run({ stack, service }) {
      service.inject({
        operation: "createProject",
        effect: { status: 400, message: ["project_name must not contain an emoji"] },
      });
      return stack.up([market]);
    },
  },
  {
    section: "Creating",
    title: "The response was lost, and the service does not list the project",
    run({ stack, service }) {
      service.inject({ operation: "createProject", effect: { status: 502 } });
      return stack.up([market]);
    },
  },
  {
    section: "Creating",
    title: "The response was lost, and applications cannot be told apart",
    run({ stack, service }) {
      service.inject({ operation: "createApplication", effect: { reset: "after" } });
      return stack.up([web]);
    },
  },
  {
    section: "Creating",
    title: "The response was lost, and the service may have changed what it created",
    run({ stack, service }) {
      service.inject({
        match({ method }) {
          if (method === "POST") service.createProject(ORGANIZATION, { name: "market" });
          return false;
        },
        effect: { delayMs: 0 },
      });
      service.inject({ operation: "createProject", effect: { status: 502 } });
      return stack.up([market]);
    },
  },
  {
    section: "Creating",
    title: "The response was lost, and the Date header of the service's responses is missing or behind",
    behaviour: { dateHeader: "absent" },
    run({ stack, service }) {
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      return stack.up([market]);
    },
  },
  {
    section: "Creating",
    title: "The name is used by none, but similar to another one",
    run({ stack, service }) {
      service.createProject(ORGANIZATION, { name: "market" });
      service.inject({ operation: "createProject", effect: { status: 409, message: "Name taken." } });
      return stack.up([market]);
    },
  },
  {
    section: "Creating",
    title: "The response was lost, and the list cannot be read",
    run({ stack, service }) {
      service.inject({ operation: "createProject", effect: { status: 502 } });
      service.inject({ operation: "listProjects", count: Number.POSITIVE_INFINITY, effect: { status: 403 } });
      return stack.up([market]);
    },
  },

  {
    section: "Changing and deleting",
    title: "The service did not apply a value",
    behaviour: { nullInfoField: "ignore" },
    run: (tools) => {
      const ios = (properties: Record<string, Declared>) =>
        declare("Application", "ios", {
          projectId: PROJECT,
          appType: "IOS",
          appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", ...properties },
        });
      return afterUp(tools, [ios({ appStoreId: "12345" })], () => tools.stack.up([ios({})]));
    },
  },
  {
    section: "Changing and deleting",
    title: "What is to be changed is gone",
    run: (tools) =>
      afterUp(tools, [market], () => {
        const { id } = tools.service.state.projects.find(({ name }) => name === "Market") ?? { id: "" };
        tools.service.deleteProject(id);
        return tools.stack.up([declare("Project", "market", { name: "Bazaar" })]);
      }),
  },
  {
    section: "Changing and deleting",
    title: "Something is still under the project",
    run: (tools) =>
      afterUp(tools, [market], () => {
        const { id } = tools.service.state.projects.find(({ name }) => name === "Market") ?? { id: "" };
        tools.service.createApplication(id, { appType: "WEB" });
        return tools.stack.destroy();
      }),
  },
  {
    section: "Changing and deleting",
    title: "The domain has links",
    run: (tools) =>
      afterUp(tools, [domain], () => {
        const { id } =
          tools.service.state.customDomains.find(({ hostname }) => hostname.startsWith("go.")) ?? {};
        tools.service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId: id });
        return tools.stack.destroy();
      }),
  },
  {
    section: "Changing and deleting",
    title: "The project that a domain moves to does not exist",
    run: (tools) =>
      afterUp(tools, [domain], () =>
        tools.stack.preview([{ ...domain, properties: { ...domain.properties, projectId: MISSING } }]),
      ),
  },
  {
    section: "Changing and deleting",
    title: "The platform of an application was changed outside Pulumi",
    run: (tools) => {
      const ios = (appName: string) =>
        declare("Application", "ios", {
          projectId: PROJECT,
          appType: "IOS",
          appleInfo: { appName, appScheme: "shop", bundleId: "example.shop.app" },
        });
      return afterUp(tools, [ios("Shop")], () => {
        const { id } = tools.service.state.applications.find(({ appType }) => appType === "IOS") ?? {
          id: "",
        };
        tools.service.updateApplication(id, { appType: "WEB", appleInfo: null });
        return tools.stack.up([ios("Market")]);
      });
    },
  },
  {
    section: "Changing and deleting",
    title: "A read does not find the object, and a list contains it",
    run: (tools) =>
      afterUp(tools, [market], () => {
        tools.service.inject({
          operation: "getProject",
          effect: { status: 404, message: "Project not found." },
        });
        return tools.stack.refresh();
      }),
  },
  {
    section: "Changing and deleting",
    title: "A custom domain with links moves to another project",
    run: (tools) =>
      afterUp(tools, [domain], () => {
        const { id } = tools.service.state.customDomains.at(-1) ?? {};
        tools.service.createLink(PROJECT, { url: "https://shop.example/", name: "Home", customDomainId: id });
        const { id: projectId } = tools.service.createProject(ORGANIZATION, { name: "Market" });
        return tools.stack.preview([{ ...domain, properties: { ...domain.properties, projectId } }]);
      }),
  },
  {
    section: "Changing and deleting",
    title: "The service does not delete the domain",
    behaviour: { deletingPolls: Number.POSITIVE_INFINITY },
    run: (tools) => afterUp(tools, [domain], () => tools.stack.destroy()),
  },
  {
    section: "Changing and deleting",
    title: "A deletion gets a response other than 204",
    run: (tools) =>
      afterUp(tools, [market], () => {
        tools.service.inject({ operation: "deleteProject", effect: { foreign: 200 } });
        return tools.stack.destroy();
      }),
  },

  {
    section: "Waiting for a custom domain",
    title: "It is still pending at the time limit",
    behaviour: { domainAdvance: "manual" },
    run: ({ stack }) => stack.up([activation({ timeoutSeconds: 60 })]),
  },
  {
    section: "Waiting for a custom domain",
    title: "It has failed",
    run({ stack, service }) {
      service.setDomainStatus(DOMAIN, "FAILED");
      return stack.up([activation()]);
    },
  },
  {
    section: "Waiting for a custom domain",
    title: "It has expired",
    run({ stack, service }) {
      service.setDomainStatus(DOMAIN, "EXPIRED");
      return stack.up([activation()]);
    },
  },
  {
    section: "Waiting for a custom domain",
    title: "It does not exist",
    run: ({ stack }) => stack.up([declare("CustomDomainActivation", "active", { customDomainId: MISSING })]),
  },

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
    ([title, effect]): MessageCase => ({
      section: "The connection",
      title,
      run: (tools) =>
        afterUp(tools, [market], () => {
          tools.service.inject({ operation: "getProject", count: Number.POSITIVE_INFINITY, effect });
          return tools.stack.refresh();
        }),
    }),
  ),
];
