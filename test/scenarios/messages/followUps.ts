/**
 * What the messages of the cases advise, and what follows from it. Each row is a case, then what its message says, to the
 * end, on one host. What needs a program in files or a Pulumi CLI is in advice.ts.
 */
import { createClient } from "../../../provider/client";
import type { Emulator } from "../../../testing/emulator";
import { discover } from "../../commands/run";
import type { Declaration, Outcome } from "../../support/stacks/declaredStack";
import type { ScenarioHost } from "../../support/stacks/scenarioStack";
import { KEY, ORGANIZATION, writesIn } from "../../support/stacks/scenarios";
import { ADVICE, patternOf, whoamiIn } from "./advice";
import {
  activation,
  addLink,
  application,
  type CaseTools,
  command,
  DOMAIN,
  domain,
  ios,
  linksUseIt,
  market,
  OTHER_PROJECT,
  PROJECT,
  preview,
  project,
  type Step,
  service,
  setting,
  up,
  upRefresh,
  variable,
} from "./cases";

/** A step that may need what the message says. */
type FollowingStep = (tools: CaseTools, message: string) => unknown;

export interface FollowUp {
  /** The words in the message. "…" stands for what differs. */
  readonly words: string;
  /** What leads to the message: the title of a case, or steps. */
  readonly after: string | readonly Step[];
  /** The only host with these words. Default: the rows alternate, because the hosts share the messages. */
  readonly only?: ScenarioHost["name"];
  /** What the words say. Every command succeeds. */
  readonly steps: readonly FollowingStep[];
}

/** The objects in the service: names of projects, types of applications, hostnames of custom domains. */
function objectsIn({ service: { state } }: CaseTools): string[] {
  return [
    ...state.projects.map(({ name }) => name),
    ...state.applications.map(({ appType }) => appType),
    ...state.customDomains.map(({ hostname }) => hostname),
  ];
}
const SEEDED = ["Shop", "WEB", "links.shop.example"];

/** Runs `up`. Then the service has these objects and those of the seed, and a preview shows no change. */
function settled(objects: readonly string[], ...declarations: Declaration[]): Step {
  return async (tools) => {
    expect(errorsIn(await tools.stack.up(declarations))).toEqual([]);
    const { changes } = await tools.stack.preview(declarations);
    expect(Object.keys(changes)).toEqual(["same"]);
    expect(objectsIn(tools).sort()).toEqual([...SEEDED, ...objects].sort());
  };
}

/** What a step prints if it is a command that fails. */
export function errorsIn(outcome: unknown): readonly unknown[] {
  const { failed, diagnostics } = (outcome ?? {}) as Partial<Outcome>;
  return failed ? (diagnostics ?? []) : [];
}

/** The UUID that a message says to adopt. */
function adoptIn(message: string): string {
  return /(?:`import(?:`? to|:) "|^ {2})([\da-f-]{36})/m.exec(message)?.[1] ?? "";
}

/** The same for an `up` that adopts the object that the message names and writes nothing. */
function adopts(
  objects: readonly string[],
  declarationsFor: (options: { readonly adopt: string; readonly protect: false }) => readonly Declaration[],
): FollowingStep {
  return async (tools, message) => {
    const adopt = adoptIn(message);
    tools.service.clearRequests();
    await settled(objects, ...declarationsFor({ adopt, protect: false }))(tools);
    expect(writesIn(tools.service)).toEqual([]);
  };
}

/** Removes a resource with `pulumi state delete`. Then `pulumi destroy` succeeds, and leaves its object. */
function releases(resource: Declaration, ...objects: string[]): FollowingStep {
  return async (tools) => {
    tools.stack.forget(resource);
    expect(errorsIn(await tools.stack.destroy())).toEqual([]);
    expect(objectsIn(tools).sort()).toEqual([...SEEDED, ...objects].sort());
  };
}

/** Runs the `whoami` of the message with the key that is set. */
function checksKey(code: 0 | 1): FollowingStep {
  return async ({ environment, config }, message) => {
    const key = config["dynamiclink:apiKey"] ?? environment.DYNAMICLINK_API_KEY ?? "";
    expect((await whoamiIn(message, key)).code ?? 0).toBe(code);
  };
}

/** Runs the `discover` of the message, which prints this code. */
function discovers(code: string): FollowingStep {
  return async (tools, message) => {
    const [, uuid = ""] = /`npx pulumi-dynamiclink discover ([\da-f-]+)`/.exec(message) ?? [];
    expect((await discover(tools.service, uuid)).stdout).toContain(code);
  };
}

const refresh = command("refresh");
const faultsEnd = service((each) => each.clearFaults());
const noMarket = service(({ state }) => expect(state.projects.map(({ name }) => name)).toEqual(["Shop"]));
const otherProject = service((each) => each.createProject(ORGANIZATION, { id: OTHER_PROJECT, name: "Blog" }));
const deletedFirst = project("Market", { deleteBeforeReplace: true });
/** Two projects with these names. */
function named(one: string, other: string): Declaration[] {
  return [project(one, { name: "one" }), project(other, { name: "other" })];
}
const goDomain = domain();
const newDomain = domain({ hostname: "new.shop.example" });
const active = activation({ customDomainId: { idOf: goDomain.name } });

const advances = service((each) => each.setBehaviour({ domainAdvance: { pollsPerState: 1 } }));

function newestDomain({ state }: Emulator): string {
  return state.customDomains.at(-1)?.id ?? "";
}
const fails = service((each) => each.setDomainStatus(newestDomain(each), "FAILED"));
/** Begins the deletion of the newest domain, which does not end by itself. */
function deletes(each: Emulator): void {
  each.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
  each.setDomainStatus(newestDomain(each), "DELETING");
}
/** A domain that is being deleted. */
const deletion = service((each) => {
  each.createCustomDomain(PROJECT, { hostname: "go.shop.example" });
  deletes(each);
});
const deletionEnds = service((each) => each.deleteCustomDomain(newestDomain(each)));

/** Deletes the links with the client, as messages say. */
async function linksDeleted({ service: { url, state } }: CaseTools): Promise<void> {
  const client = createClient({ apiUrl: url, apiKey: KEY });
  await Promise.all(state.links.map(({ id }) => client.deleteLink({ linkId: id })));
  await client.close();
}

/** The rows, by what is advised. */
export const FOLLOW_UPS: Readonly<Record<string, FollowUp>> = {
  "Check a key of the environment": {
    words:
      "To check it, run `npx pulumi-dynamiclink whoami --api-url …`, which also lists what each kind of resource lacks",
    after: "An unknown key",
    steps: [checksKey(1), variable("DYNAMICLINK_API_KEY", KEY), checksKey(0), settled(["Market"], market)],
  },
  "Check a key of the configuration": {
    words: "To check it, set DYNAMICLINK_API_KEY to it and run `npx pulumi-dynamiclink whoami --api-url …`",
    after: "An unknown key in the configuration",
    steps: [checksKey(1), setting("apiKey", KEY), checksKey(0), settled(["Market"], market)],
  },
  "Deploy a key that was replaced": {
    words: "If you have set another one since, run `pulumi up` without `--refresh` first",
    after: "A refresh with a key that was replaced",
    steps: [settled(["Market"], market), refresh],
  },
  "Set apiUrl": {
    words: "Otherwise run `pulumi config set dynamiclink:apiUrl https://…`",
    after: "No apiUrl",
    steps: [(tools) => setting("apiUrl", tools.service.url)(tools), settled(["Market"], market)],
  },

  "Refresh what may be deleted": {
    words: "Run `pulumi refresh`: it removes the object from the state if it was deleted",
    after: "A change of what is gone",
    steps: [refresh, settled(["Bazaar"], project("Bazaar"))],
  },
  "Refresh what was changed": {
    words: "Run `pulumi refresh`, then `pulumi up`",
    after: "A platform that was changed outside Pulumi",
    steps: [refresh, settled(["IOS"], ios({ appName: "Market" }))],
  },
  "Declare what the service has stored": {
    words: "Declare what the service has. Otherwise, each update sends the same again.",
    after: "A value that the service does not apply",
    steps: [settled(["IOS"], ios({ appStoreId: "12345" }))],
  },
  "Wait for a domain again": {
    words: "Run `pulumi up` again to continue waiting",
    after: "A pending domain",
    steps: [service((each) => each.setDomainStatus(DOMAIN, "ACTIVE")), settled([], activation())],
  },
  "Have the service retry a failed domain": {
    words: "set retryFailed and run `pulumi up` to have the service try again.",
    after: [advances, up(goDomain, active), fails, refresh],
    steps: [
      settled(["go.shop.example"], goDomain, activation({ ...active.properties, retryFailed: true })),
      ({ service: { requests } }) =>
        expect(requests.map(({ operationId }) => operationId)).toContain("retryCustomDomain"),
    ],
  },
  "Wait until a domain is gone": {
    words: "is being deleted. Run `pulumi up` again when it is gone.",
    after: [deletion, preview(goDomain)],
    steps: [deletionEnds, settled(["go.shop.example"], goDomain)],
  },
  "Do not adopt a domain that is being deleted": {
    words: "Remove the option import: the next `pulumi up` after the deletion creates a new one",
    after: [deletion, (tools) => preview({ ...goDomain, adopt: newestDomain(tools.service) })(tools)],
    steps: [deletionEnds, settled(["go.shop.example"], goDomain)],
  },
  "Activate a domain again that is being deleted": {
    words: "When it is deleted, run `pulumi up --refresh`",
    after: [advances, up(goDomain, active), service(deletes), upRefresh(goDomain, active)],
    steps: [deletionEnds, upRefresh(goDomain, active), settled(["go.shop.example"], goDomain, active)],
  },
  "Refresh a domain without a CNAME target": {
    words:
      "was created, but has no CNAME target yet (…). Run `pulumi up --refresh` when the service has assigned it",
    after: "A domain without a CNAME target",
    steps: [
      upRefresh(goDomain),
      ({ stack }) => expect(stack.resources[0]?.outputs?.cnameTarget).toMatch(/^[\da-f]+\.edge/),
      settled(["go.shop.example"], goDomain),
    ],
  },

  "Adopt what has a similar name": {
    words: 'Choose another name, or declare the one that it has and set the option `import` to "…"',
    after: "A conflict with a similar name",
    steps: [adopts(["market"], (options) => [project("market", options)])],
  },
  "Adopt a project with the name": {
    words:
      'If no stack manages it, adopt it: set the option `import` to "…" (`npx pulumi-dynamiclink discover …` prints all that is in it)',
    after: "A name in use, in a preview",
    steps: [discovers('appType: "WEB"'), adopts([], (options) => [project("Shop", options)])],
  },
  "See more objects that exist": {
    words: "To see all objects that the stack does not manage, run `npx pulumi-dynamiclink discover`.",
    after: "Four names in use, in a preview",
    steps: [async ({ service: each }) => expect((await discover(each)).stdout).toContain('name: "d"')],
  },
  "Swap two names": {
    words: "In an earlier `pulumi up`, give the resource … one that nothing uses",
    after: [up(...named("Blog", "News")), preview(...named("News", "Blog"))],
    steps: [
      settled(["News", "Unused"], ...named("Unused", "News")),
      settled(["Blog", "Unused"], ...named("Unused", "Blog")),
      settled(["Blog", "News"], ...named("News", "Blog")),
    ],
  },
  "Choose another name": {
    words:
      "Otherwise, choose another name; if Pulumi replaces it, set `deleteBeforeReplace`, unless it is set",
    after: "A name in use",
    steps: [
      settled(["Market"], market),
      ({ stack }) => stack.up([deletedFirst], { replace: [stack.urnOf(market)] }),
      settled(["Market"], market),
    ],
  },
  "Adopt an equal application": {
    words: "If no stack manages one of them, adopt it: set the option `import` to its UUID",
    after: "An application like an existing one, in a preview",
    steps: [adopts([], (options) => [application({}, options)])],
  },
  "Create an equal application": {
    words: "Otherwise, `pulumi up` creates another one",
    after: "An application like an existing one, in a preview",
    steps: [settled(["WEB"], application())],
  },
  "Rename an application with an alias": {
    words: "If this resource was renamed or moved, add `aliases`",
    after: [up(ios()), preview(ios({}, { name: "store" }))],
    steps: [
      service((each) => each.clearRequests()),
      settled(["IOS"], ios({}, { name: "store", aliases: [ios()] })),
      (tools) => expect(writesIn(tools.service)).toEqual([]),
    ],
  },
  "Rename an application again, with an alias": {
    words:
      "If this resource was renamed or moved, and one of them still exists after this run, undo that, run `pulumi up`, and rename it with `aliases`",
    after: [
      up(ios()),
      ({ stack }) => {
        const renamed = ios({}, { name: "store" });
        // Pulumi does not get to the deletion of the original.
        return stack.up([renamed], { target: [stack.urnOf(renamed)], refresh: true });
      },
    ],
    steps: [settled(["IOS"], ios()), settled(["IOS"], ios({}, { name: "store", aliases: [ios()] }))],
  },
  "Adopt what an interrupted run may have left": {
    words:
      "If no stack manages one of them, an interrupted run may have left it behind: adopt it as another resource with the option `import`, or delete it in the service",
    after: "A created application like an existing one",
    steps: [adopts(["WEB"], (options) => [application(), application({}, { name: "site", ...options })])],
  },
  "Adopt what was created without a response": {
    words: 'created …: set the option `import` to "…"',
    after: "A lost response, and applications",
    steps: [adopts(["IOS"], (options) => [ios({}, options)])],
  },
  "Adopt or delete what two creates without a response have left": {
    words:
      "Before you run `pulumi up` again, adopt each one that no stack manages with that option, or delete it",
    after: "Two lost responses, and applications",
    steps: [
      service((each) => each.deleteApplication(String(each.state.applications.at(-1)?.id))),
      adopts(["IOS"], (options) => [ios({}, options)]),
    ],
  },
  "Look for what may have been created": {
    words:
      "Before you run `pulumi up` again, which may create another one, check whether the service lists it now",
    after: "A lost response, and nothing listed",
    steps: [noMarket, settled(["Market"], market)],
  },
  "Look for what may have been created, without a list": {
    words: "Check the service before you run `pulumi up` again",
    after: "A lost response, and no list",
    steps: [faultsEnd, noMarket, settled(["Market"], market)],
  },
  "See what an adopted object has": {
    words:
      'To see what the service has, call get…({ id: "…" }) in the program, or run `npx pulumi-dynamiclink discover …`, which prints the code that declares it',
    after: "Adopting what differs",
    steps: [discovers('name: "Shop"'), settled([], project("Shop", { adopt: PROJECT }))],
  },
  "Create what was adopted and deleted": {
    words:
      "If it was deleted, and the program adopts it with the option `import`, remove the option: `pulumi up --refresh` then creates a new one",
    after: [
      otherProject,
      up(project("Blog", { adopt: OTHER_PROJECT, protect: false })),
      service((each) => each.clock.advance(60_000)),
      service((each) => each.deleteProject(OTHER_PROJECT)),
      upRefresh(project("Blog", { adopt: OTHER_PROJECT, protect: false })),
    ],
    steps: [upRefresh(project("Blog")), settled(["Blog"], project("Blog"))],
  },
  "Create again what was deleted outside Pulumi": {
    words:
      "was deleted outside Pulumi. It leaves the state, and is created again if the program declares it.",
    after: [
      up(ios()),
      service((each) => each.clock.advance(60_000)),
      service((each) => each.deleteApplication(String(each.state.applications.at(-1)?.id))),
      ({ stack }) => stack.preview([ios()], { refresh: true }),
    ],
    steps: [upRefresh(ios()), settled(["IOS"], ios())],
  },
  "Wait again for a domain that was not found": {
    words: "If the program declares it, the next `pulumi up` waits again.",
    after: [
      advances,
      up(goDomain, active),
      service((each) => each.clock.advance(60_000)),
      service((each) => each.deleteCustomDomain(newestDomain(each))),
      refresh,
    ],
    steps: [settled(["go.shop.example"], goDomain, active)],
  },
  "Adopt another object after a replacement has deleted the first one": {
    only: "native",
    words:
      "If this replacement has deleted its old project, run `pulumi state delete '…' --target-dependents` before you adopt another one.",
    after: [
      up(deletedFirst),
      service((each) => each.inject({ operation: "createProject", effect: { reset: "before" } })),
      ({ stack }) => stack.up([deletedFirst], { replace: [stack.urnOf(market)] }),
    ],
    steps: [
      service((each) => each.createProject(ORGANIZATION, { id: OTHER_PROJECT, name: "Market" })),
      ({ stack }, message) => {
        expect(message).toContain(`'${stack.urnOf(market)}'`);
        stack.forget(market);
      },
      settled(["Market"], project("Market", { adopt: OTHER_PROJECT, protect: false })),
    ],
  },
  "Replace what was adopted": {
    only: "dynamic",
    words:
      "To replace and delete it, first remove import from the program, change nothing else, and run `pulumi up`",
    after: "Replacing what is adopted",
    steps: [
      settled([], application({}, { protect: false })),
      otherProject,
      settled(["Blog"], application({ projectId: OTHER_PROJECT })),
    ],
  },
  "Replace what was adopted, by replaceOnChanges": {
    only: "dynamic",
    words: "To replace it, first remove the option import and run `pulumi up`",
    after: [
      otherProject,
      up(project("Blog", { adopt: OTHER_PROJECT, protect: false, replaceOnChanges: ["name"] })),
      preview(project("News", { adopt: OTHER_PROJECT, protect: false, replaceOnChanges: ["name"] })),
    ],
    steps: [
      settled(["Blog"], project("Blog", { replaceOnChanges: ["name"] })),
      settled(["News"], project("News", { replaceOnChanges: ["name"] })),
      service(({ state }) => expect(state.projects.map(({ id }) => id)).not.toContain(OTHER_PROJECT)),
    ],
  },

  "Adopt the domain that a replacement left behind": {
    words:
      'unless a replacement left it behind. In that case, undo the change in the program, add the option `import: "…"`, and run `pulumi up`, which deletes the new custom domain instead',
    after: [
      up(goDomain),
      addLink,
      // Otherwise the preview refuses it.
      service((each) => each.setScopes(KEY, ["projects:read", "domains:read", "domains:write"])),
      up(newDomain),
    ],
    steps: [
      async (tools, message) => {
        const adopt = adoptIn(message);
        const adopted = { ...goDomain, adopt, protect: false };
        await settled(["go.shop.example"], adopted)(tools);
        await settled(["go.shop.example", "new.shop.example"], adopted, { ...newDomain, name: "second" })(
          tools,
        );
      },
    ],
  },
  "Keep a domain with links beside a new one, or delete the links": {
    words:
      "Delete the links first, in the console, or with `deleteLink` of `pulumi-dynamiclink/client`, or leave its hostname unchanged and declare a second custom domain beside it.",
    after: [up(goDomain), addLink, up(newDomain)],
    steps: [
      settled(["go.shop.example", "new.shop.example"], goDomain, { ...newDomain, name: "second" }),
      settled(["go.shop.example"], goDomain),
      linksDeleted,
      settled(["new.shop.example"], newDomain),
    ],
  },
  "Keep a project that is not empty": {
    words: "To keep the project, remove it from the stack with `pulumi state delete`",
    after: "A project with something in it",
    steps: [releases(market, "Market", "WEB")],
  },
  "Keep an application that links open": {
    words:
      "Links may open the application: change or delete them first, in the console, or with `updateLink` or `deleteLink` of `pulumi-dynamiclink/client`. To keep the application, remove it from the stack with `pulumi state delete`",
    after: "An application that links use",
    steps: [faultsEnd, releases(ios(), "IOS")],
  },
  "Adopt the application that a replacement left behind": {
    words:
      'unless a replacement left it behind. In that case, undo the change in the program, add the option `import: "…"`, and run `pulumi up`, which deletes the new application instead.',
    after: [
      otherProject,
      up(ios()),
      linksUseIt,
      up(ios({}, { properties: { ...ios().properties, projectId: OTHER_PROJECT } })),
    ],
    steps: [
      async (tools, message) => {
        const adopt = adoptIn(message);
        expect(tools.service.state.applications).toHaveLength(3);
        await settled(["Blog", "IOS"], ios({}, { adopt, protect: false }))(tools);
        expect(tools.service.state.applications.map(({ id }) => id)).toContain(adopt);
      },
    ],
  },
  "Delete the links that keep an object": {
    words: "links in the console, or with `deleteLink` of `pulumi-dynamiclink/client`",
    after: "A domain with links",
    steps: [linksDeleted, command("destroy"), settled([])],
  },
  "Move a domain with links": {
    words:
      "Delete the links first, in the console, or with `deleteLink` of `pulumi-dynamiclink/client`, or leave the",
    after: "A domain with links that moves",
    steps: [linksDeleted, settled(["Market", "go.shop.example"], domain({ projectId: OTHER_PROJECT }))],
  },
  "Keep a domain with links": {
    words: "To keep the custom domain, remove it from the stack with `pulumi state delete`",
    after: "A domain with links",
    steps: [releases(goDomain, "go.shop.example")],
  },
};

/** The words of every row, by its name. */
export const ROWS: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.entries(FOLLOW_UPS), ...Object.entries(ADVICE)].map(([name, { words }]) => [name, words]),
);

/** The rows whose words are in a message. */
export function rowsOf(message: string): string[] {
  return Object.keys(ROWS).filter((name) => patternOf(ROWS[name] ?? "").test(message));
}
