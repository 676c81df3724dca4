/**
 * A real service in place of the emulator, for scenarios that hold for any service. `npm run test:service` serves it through
 * a gateway, which records the requests. Scenarios see their own names and UUIDs: what they send is translated to names of
 * the run and UUIDs of the service, and what they receive is translated back.
 */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Emulator, Seed } from "../../../testing/emulator";
import { fromWire } from "../../../testing/emulator/wire/wire";
import { ORGANIZATION } from "../values/organizations";
import type { ScenarioStack } from "./scenarioStack";

/** Has the settings of the service, as JSON. */
export const SERVICE_VARIABLE = "DYNAMICLINK_TEST_SERVICE";

/** Ends the titles of the tests that use it. */
export const ON_SERVICE = "on the service";

/** The service, as `npm run test:service` found it. */
export interface RemoteSettings {
  /** The URL of the gateway. */
  readonly url: string;
  readonly organization: string;
  /** Begins every name of the run. */
  readonly prefix: string;
  /** The domain of hostnames. */
  readonly domain: string;
  /** Whether each scenario runs with one host only. */
  readonly short: boolean;
  readonly hasDomains: boolean;
  readonly becomesActive: boolean;
  /** How far reads and lists lag behind writes. */
  readonly lagMs: number;
}

/** The part of an emulator that a real service has too. Changes are sent before the next command. */
export type RemoteService = Pick<
  Emulator,
  "requests" | "clearRequests" | "state" | "updateProject" | "deleteCustomDomain"
>;

type Body = Record<string, unknown>;

const DELETION_POLL_MS = 1_000;

/** The settings of this process. Undefined if its scenarios use emulators. */
export function remoteSettings(): RemoteSettings | undefined {
  const { [SERVICE_VARIABLE]: settings } = process.env;
  return settings === undefined ? undefined : JSON.parse(settings);
}

/** Opens the service for a scenario, with the projects of its seed. */
export async function openRemoteService(settings: RemoteSettings, seed: Seed) {
  const { url, organization, domain, lagMs } = settings;
  const apiKey = process.env.DYNAMICLINK_TEST_API_KEY ?? "";
  const prefix = `${settings.prefix}${randomBytes(2).toString("hex")}-`;
  const home = `/organizations/${organization}/projects`;
  /** What the scenario has, by what the service has. */
  const translations = new Map([[organization, ORGANIZATION]]);
  let changes: (() => Promise<unknown>)[] = [];
  let cleared = 0;
  let recorded: Emulator["requests"] = [];
  let state = { projects: [], applications: [], customDomains: [] };

  async function send(method: string, path: string, content?: object): Promise<Response> {
    const headers = { "x-api-key": apiKey, "user-agent": prefix, "content-type": "application/json" };
    const body = content === undefined ? null : JSON.stringify(content);
    return await fetch(`${url}/api/v2${path}`, { method, headers, body });
  }

  /** Sends a request that must succeed. Resolves with its fields. */
  async function request(method: string, path: string, content?: object): Promise<Body> {
    const response = await send(method, path, content);
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}.`);
    return response.status === 204 ? {} : ((await response.json()) as Body);
  }

  /** Deletes a domain, and waits until it is gone. */
  async function deleteDomain(path: string): Promise<void> {
    await request("DELETE", path);
    while ((await send("GET", path)).status !== 404) await setTimeout(DELETION_POLL_MS);
  }

  /** A name of the run. It is in lower case, as any service may store it. */
  function ownName(name: string): string {
    const own = `${prefix}${name.toLowerCase().replace(/\bshop\.example$/, domain)}`;
    translations.set(own, name);
    return own;
  }

  function toService(source: string): string {
    const named = source.replace(
      /\b(name|appName|hostname)("?: ?")([^"]+)/g,
      (_, field, colon, name) => `${field}${colon}${ownName(name)}`,
    );
    return [...translations].reduce(
      (text, [theirs, ours]) => (isId(ours) ? text.replaceAll(ours, theirs) : text),
      named,
    );
  }

  function fromService<Value>(value: Value): Value {
    // The longest first, because a name may begin another one.
    const pairs = [...translations].sort(([one], [other]) => other.length - one.length);
    const text = pairs.reduce(
      (found, [theirs, ours]) => found.replaceAll(theirs, ours),
      JSON.stringify(value),
    );
    return JSON.parse(text);
  }

  /** A list; empty if its project does not exist. */
  async function list(path: string, name: string): Promise<Body[]> {
    const response = await send("GET", path);
    return response.status === 404 ? [] : (((await response.json()) as Record<string, Body[]>)[name] ?? []);
  }

  /** Reads what exists, and which requests there were. */
  async function refresh(): Promise<void> {
    await setTimeout(lagMs);
    const response = await fetch(`${url}/exchanges`, { headers: { "x-api-key": apiKey } });
    const exchanges = (await response.json()) as (Emulator["requests"][number] & {
      readonly sender: string;
    })[];
    recorded = fromService(exchanges.filter(({ sender }) => sender !== prefix));
    const all = await list(home, "projects");
    const projects = all.filter(({ project_name }) => String(project_name).startsWith(prefix));
    const contents = async (path: string, name: string) =>
      (await Promise.all(projects.map(({ id }) => list(`${home}/${id}/${path}`, name)))).flat();
    const found = {
      projects: projects.map(({ project_name: name, ...fields }) => ({ ...fields, name })),
      applications: await contents("applications", "applications"),
      custom_domains: await contents("custom-domains", "custom_domains"),
    };
    state = fromService(fromWire(found)) as typeof state;
  }

  for (const { id, name, defaultHookupMsg } of seed.organizations[0]?.projects ?? []) {
    const message = defaultHookupMsg === undefined ? {} : { default_hookup_msg: defaultHookupMsg };
    const created = await request("POST", home, { project_name: ownName(name), ...message });
    if (id !== undefined) translations.set(`${created.id}`, id);
  }

  /** Has a command see the changes, and the scenario what it did. */
  async function commanded<Result>(command: () => Promise<Result>): Promise<Result> {
    for (const change of changes) await change();
    if (changes.length > 0) await setTimeout(lagMs);
    changes = [];
    try {
      return fromService(await command());
    } catch (error) {
      throw new Error(fromService((error as Error).message));
    } finally {
      await refresh();
    }
  }
  const service: RemoteService = {
    get requests() {
      return recorded.slice(cleared);
    },
    get state() {
      return { ...state, organizations: [], credentials: [], links: [] };
    },
    clearRequests() {
      cleared = recorded.length;
    },
    updateProject: (id, { name = "" }) =>
      void changes.push(() => request("PATCH", `${home}/${id}`, { project_name: ownName(name) })),
    deleteCustomDomain: (id) => void changes.push(() => deleteDomain(`/custom-domains/${id}`)),
  };
  await refresh();
  service.clearRequests();
  return {
    service,
    key: apiKey,
    url,
    stackWith: (stack: ScenarioStack): ScenarioStack => ({
      ...stack,
      program: (source, module) => stack.program(toService(source), module),
      deploy: (source) => commanded(() => stack.deploy(toService(source))),
      up: (options) => commanded(() => stack.up(options)),
      preview: (options) => commanded(() => stack.preview(options)),
      refresh: (options) => commanded(() => stack.refresh(options)),
      destroy: () => commanded(() => stack.destroy()),
      resources: async () => fromService(await stack.resources()),
    }),
  };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}-/.test(text);
}
