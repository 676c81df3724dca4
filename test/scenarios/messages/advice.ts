/**
 * What messages advise, and what follows from it. Each advice is a row: its words, the situation in which a user reads it,
 * what the user then does, and the result. After it, a preview shows no change.
 */
import { run, WITHOUT_CLI } from "../../commands/run";
import {
  failureOf,
  KEY,
  type Scenario,
  type ScenarioTools,
  seedWith,
  writesIn,
} from "../../support/stacks/scenarios";

export interface Advice extends Omit<Scenario, "name" | "run"> {
  /** The words in the message. "…" stands for what differs. */
  readonly words: string;
  /** Brings about the situation. Returns what is printed. */
  situation(tools: ScenarioTools): Promise<string>;
  /** Does what the words say. */
  follow(tools: ScenarioTools, printed: string): Promise<unknown>;
}

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const seed = seedWith([{ id: SHOP, name: "Shop" }]);

function activation(args = "", options = ""): string {
  return `
    const links = new CustomDomain("links", { projectId: "${SHOP}", hostname: "links.shop.example" }${options});
    export const active = new CustomDomainActivation("active", { customDomainId: links.id${args} }).hostname;
  `;
}
const WEB = `new Application("web", { projectId: "${SHOP}", appType: "WEB" });`;

/** What is between the quotes of an option in a message. */
function argumentOf(option: string, printed: string): string[] {
  return [new RegExp(`${option} '([^']+)'`).exec(printed)?.[1] ?? ""];
}

/** Runs the `whoami` that a message names. */
export function whoamiIn(printed: string, key: string): ReturnType<typeof run> {
  const [, url = ""] = /whoami (--api-url \S+?)`/.exec(printed) ?? [];
  return run("whoami", url.split(" "), { ...WITHOUT_CLI, DYNAMICLINK_API_KEY: key });
}

/** A deployed activation whose domain then has another status. */
async function ended({ stack, service }: ScenarioTools, program: string, status: "FAILED" | "EXPIRED") {
  await stack.deploy(program);
  service.setDomainStatus(String(service.state.customDomains[0]?.id), status);
}
/** The words as a pattern. */
export function patternOf(words: string, flags = ""): RegExp {
  const parts = words.split("…").map((part) => part.replace(/[^\w\s]/g, "\\$&"));
  return new RegExp(parts.join(".*?"), flags);
}

const QUICK = { seed, behaviour: { domainAdvance: { pollsPerState: 1 } } } as const;
const BOTH = { hosts: "both", onCli: true } as const;

/** The rows, by situation. */
export const ADVICE: Readonly<Record<string, Advice>> = {
  "An expired domain, which the service does not retry": {
    ...{ ...QUICK, ...BOTH },
    words:
      "If it refuses, set `deleteBeforeReplace: true` of the custom domain, and run `pulumi up --replace '…'`, which deletes it, if it has no links, and creates it again.",
    async situation(tools) {
      await ended(tools, activation(), "EXPIRED");
      return (await tools.stack.refresh()).printed;
    },
    async follow({ stack, service }) {
      const [{ id = "" } = {}] = service.state.customDomains;
      const refused = await failureOf(stack.deploy(activation(", retryFailed: true")));
      expect(refused).toMatch(/409 Conflict.*\n\s*If it persists, set `deleteBeforeReplace: true`/);
      stack.program(activation(", retryFailed: true", ", { deleteBeforeReplace: true }"));
      await stack.up({ replace: argumentOf("--replace", refused) });
      expect(writesIn(service).slice(-2)).toEqual(["deleteCustomDomain 204", "createCustomDomain 201"]);
      expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "ACTIVE" }]);
      expect(service.state.customDomains[0]?.id).not.toBe(id);
    },
  },
  "A failed domain, and other changes": {
    ...{ ...QUICK, ...BOTH },
    words:
      "Until it is active, `pulumi up --exclude '**:CustomDomainActivation::*'` deploys everything else.",
    async situation(tools) {
      await ended(tools, activation() + WEB, "FAILED");
      return await failureOf(tools.stack.up({ refresh: true }));
    },
    async follow({ stack, service }, printed) {
      stack.program(activation());
      await stack.up({ exclude: argumentOf("--exclude", printed) });
      expect(service.state.applications).toEqual([]);
      service.setDomainStatus(String(service.state.customDomains[0]?.id), "ACTIVE");
      await stack.up();
    },
  },

  "A wrong key of a Provider that is not deployed": {
    ...{ seed, ...BOTH, environment: { TEAM_KEY: "unknown-key-of-a-team" } },
    words:
      "The key comes from the environment variable TEAM_KEY. Set a valid key of the service at apiUrl. To check it, set DYNAMICLINK_API_KEY to it and run `npx pulumi-dynamiclink whoami --api-url …`",
    async situation({ stack }) {
      stack.program(`
        const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
        const provider = new Provider("team", { apiUrl, apiKeyEnvVar: "TEAM_KEY" });
        new Project("market", { name: "Market" }, { provider });`);
      return await failureOf(stack.preview());
    },
    async follow({ stack }, printed) {
      const { code, stderr } = await whoamiIn(printed, "unknown-key-of-a-team");
      const refusal = expect.stringMatching(/401 .* DYNAMICLINK_API_KEY\. Set a valid key/);
      expect([code, stderr]).toEqual([1, refusal]);
      expect(await whoamiIn(printed, KEY)).toMatchObject({ code: 0 });
      await stack.environment({ TEAM_KEY: KEY });
      await stack.up();
    },
  },
  "A key that another resource of the program supplies": {
    ...{ seed, ...BOTH },
    words:
      "If a resource supplies it, create that first with `pulumi up --skip-preview --target` and its URN, or run `pulumi up --skip-preview` once.",
    async situation({ stack }) {
      stack.program(`
        const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
        const vault = new Project("vault", { name: "Vault" });
        const provider = new Provider("team", { apiUrl, apiKey: vault.id.apply(() => process.env.DYNAMICLINK_API_KEY ?? "") });
        new Project("market", { name: "Market" }, { provider });`);
      const message = await failureOf(stack.preview());
      expect(message).toMatch(/(?<!serializing.*)apiKey of Provider team is not known yet/);
      return message;
    },
    async follow({ stack, service }) {
      await stack.up({ target: [stack.urnOf("Project", "vault")] });
      await stack.preview();
      expect(service.state.projects).toHaveLength(2);
      await stack.up();
    },
  },
  "A setting that does not exist": {
    ...{ seed, ...BOTH },
    words: "If it is in the stack's configuration, remove it: `pulumi config rm dynamiclink:readonly`",
    async situation({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:readonly": "true" });
      stack.program(`await dynamiclink.getProject({ id: "${SHOP}" });`);
      const message = await failureOf(stack.preview());
      stack.program(WEB);
      expect(await failureOf(stack.preview())).toContain("`pulumi config rm dynamiclink:readonly`");
      expect(service.requests).toEqual([]);
      return message;
    },
    async follow({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url });
      await stack.up();
    },
  },
  "A key in plain text": {
    ...{ seed, ...BOTH, environment: { DYNAMICLINK_API_KEY: undefined } },
    words: "To encrypt it, run `pulumi config set --secret dynamiclink:apiKey`",
    async situation({ stack, service, host }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": KEY });
      const { printed } = await stack.deploy(`
        const settings = new pulumi.Config("dynamiclink");
        const ours = new Provider("ours", { apiUrl: settings.require("apiUrl"), apiKey: settings.require("apiKey") });
        new Project("market", { name: "Market" }, { provider: ours });`);
      expect(printed).toContain("dynamiclink:apiKey in plain text");
      stack.program(WEB);
      service.clearRequests();
      // Pulumi stores the configuration of dynamic resources as it is, so the program fails before that.
      const fails = host === "dynamic";
      const message = fails ? await failureOf(stack.up()) : (await stack.up()).printed;
      expect(service.requests.length > 0).toBe(!fails);
      expect(printed + message + (await stack.stateText())).not.toContain(KEY);
      return message;
    },
    async follow({ stack, service }) {
      await stack.configure({ "dynamiclink:apiUrl": service.url, "dynamiclink:apiKey": { secret: KEY } });
      await stack.up();
    },
  },
};
