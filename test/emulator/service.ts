/** An emulator with two organizations, and short functions that send requests to it. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from "node:http";
import {
  type Behaviour,
  type Emulator,
  type EmulatorOptions,
  type NewApplication,
  type NewLink,
  type Seed,
  startEmulator,
} from "../../testing/emulator";

export const KEY = "key-of-the-first-organization";
export const FOREIGN_KEY = "other-key-of-the-second-one";

/** The time of the system in these tests, which stands still. The emulator's clock advances only by `advance`. */
export const START_MS = Date.parse("2030-01-02T03:04:05.678Z");
beforeAll(() => jest.spyOn(Date, "now").mockReturnValue(START_MS));

export const OWN = {
  organization: "0a000000-0000-4000-8000-000000000001",
  project: "0b000000-0000-4000-8000-000000000001",
  secondProject: "0b000000-0000-4000-8000-000000000002",
  ios: "0c000000-0000-4000-8000-000000000001",
  android: "0c000000-0000-4000-8000-000000000002",
  secondIos: "0c000000-0000-4000-8000-000000000003",
  domain: "0d000000-0000-4000-8000-000000000001",
  secondDomain: "0d000000-0000-4000-8000-000000000002",
  link: "0e000000-0000-4000-8000-000000000001",
  domainLink: "0e000000-0000-4000-8000-000000000002",
};

export const FOREIGN = {
  organization: "1a000000-0000-4000-8000-000000000001",
  project: "1b000000-0000-4000-8000-000000000001",
  application: "1c000000-0000-4000-8000-000000000001",
  domain: "1d000000-0000-4000-8000-000000000001",
  link: "1e000000-0000-4000-8000-000000000001",
};
const HOSTNAME = "go.shop.example";
export const NOWHERE = "ffffffff-ffff-4fff-8fff-ffffffffffff";

export const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
const androidInfo = { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" };

function iosApplication(id: string): NewApplication {
  return { id, appType: "IOS", appleInfo };
}

function linkNamed(name: string, id: string): NewLink {
  return { id, name, url: "https://shop.example/", suffix: name.toLowerCase() };
}

export const seed: Seed = {
  organizations: [
    {
      id: OWN.organization,
      keys: [{ key: KEY }],
      projects: [
        {
          id: OWN.project,
          name: "Shop",
          subDomain: "shop",
          applications: [iosApplication(OWN.ios), { id: OWN.android, appType: "ANDROID", androidInfo }],
          customDomains: [{ id: OWN.domain, hostname: HOSTNAME }],
          links: [linkNamed("Home", OWN.link), { ...linkNamed("Sale", OWN.domainLink), hostname: HOSTNAME }],
        },
        {
          id: OWN.secondProject,
          name: "Blog",
          applications: [iosApplication(OWN.secondIos)],
          customDomains: [{ id: OWN.secondDomain, hostname: "go.blog.example" }],
        },
      ],
    },
    {
      id: FOREIGN.organization,
      keys: [{ key: FOREIGN_KEY }],
      projects: [
        {
          id: FOREIGN.project,
          name: "Theirs",
          applications: [iosApplication(FOREIGN.application)],
          customDomains: [{ id: FOREIGN.domain, hostname: "go.theirs.example" }],
          links: [linkNamed("Theirs", FOREIGN.link)],
        },
      ],
    },
  ],
};

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // The shape depends on the operation, and the emulator has validated it.
  readonly body: Record<string, unknown>;
}

/**
 * The emulator that `current` returns, and requests to it with the first organization's key. Paths are relative to
 * `/api/v2`.
 */
function requestsTo(current: () => Emulator) {
  async function request(
    method: string,
    path: string,
    /** Text and bytes are sent as they are, anything else as JSON. */
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const response = await fetch(`${current().url}/api/v2${path}`, {
      method,
      redirect: "manual",
      headers: {
        "x-api-key": KEY,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: sentAs(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  }
  return {
    get emulator() {
      return current();
    },
    request,
    get: (path: string, key = KEY) => request("GET", path, undefined, { "x-api-key": key }),
    post: (path: string, body?: unknown) => request("POST", path, body),
    patch: (path: string, body: unknown) => request("PATCH", path, body),
    put: (path: string, body: unknown) => request("PUT", path, body),
    remove: (path: string) => request("DELETE", path),
    behave: (behaviour: Partial<Behaviour>) => current().setBehaviour(behaviour),
  };
}

function sentAs(body: unknown): string | Buffer<ArrayBuffer> {
  return typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body);
}

export async function startService(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({ seed, ...options });
  return requestsTo(() => emulator);
}

/** An emulator with the seed above for each test of a file. After each test, expects that no answer broke the interface. */
export function useService(options: EmulatorOptions = {}) {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ seed, ...options });
  });
  beforeEach(() => emulator.reset());
  afterEach(() => expect(emulator.violations).toEqual([]));
  afterAll(() => emulator.close());
  return requestsTo(() => emulator);
}

/** A response as it arrived, also over a connection that broke. */
interface Received {
  readonly status?: number | undefined;
  readonly headers?: IncomingHttpHeaders;
  readonly text: string;
  readonly error?: string | undefined;
}

/** Sends a request as it is. `fetch` sends other headers, and has nothing of a response that is cut off. */
export async function exchange(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | undefined },
): Promise<Received> {
  let received: Received = { text: "" };
  try {
    const [response] = (await once(request(url, options).end(body), "response")) as [IncomingMessage];
    received = { status: response.statusCode, headers: response.headers, text: "" };
    for await (const chunk of response.setEncoding("utf8"))
      received = { ...received, text: received.text + chunk };
    return received;
  } catch (error) {
    return { ...received, error: (error as NodeJS.ErrnoException).code };
  }
}

/** Expects the status of an answer, and its error message or parts of its body. Returns the body. */
export async function expectAnswer(
  answer: Promise<Answered>,
  status: number,
  expected: string | readonly unknown[] | object = {},
): Promise<Answered["body"]> {
  const isMessage = typeof expected === "string" || Array.isArray(expected);
  const answered = await answer;
  expect(answered).toMatchObject({ status, body: isMessage ? { message: expected } : expected });
  return answered.body;
}

/** The path of an operation on objects of the seed, or at last on one with another id. */
export function pathOf({ path }: { readonly path: string }, id?: unknown): string {
  const ids: Readonly<Record<string, string>> = {
    organization_id: OWN.organization,
    project_id: OWN.project,
    application_id: OWN.ios,
    custom_domain_id: OWN.domain,
    link_id: OWN.link,
  };
  return path
    .replace("/api/v2", "")
    .replace(/\{\w+\}$/, (last) => String(id ?? last))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
}

export const paths = {
  projects: `/organizations/${OWN.organization}/projects`,
  project: `/organizations/${OWN.organization}/projects/${OWN.project}`,
  secondProject: `/organizations/${OWN.organization}/projects/${OWN.secondProject}`,
  ios: `/applications/${OWN.ios}`,
  android: `/applications/${OWN.android}`,
  domain: `/custom-domains/${OWN.domain}`,
  link: `/links/${OWN.link}`,
};
