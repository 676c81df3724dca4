/** An emulator with two organizations, and short functions that send requests to it. */
import {
  type Behaviour,
  type Emulator,
  type EmulatorOptions,
  type Seed,
  startEmulator,
} from "../../testing/emulator";

export const KEY = "key-of-the-first-organization";
export const FOREIGN_KEY = "other-key-of-the-second-one";
export const ORGANIZATION = "0a000000-0000-4000-8000-000000000001";
export const PROJECT = "0b000000-0000-4000-8000-000000000001";
export const SECOND_PROJECT = "0b000000-0000-4000-8000-000000000002";
export const IOS = "0c000000-0000-4000-8000-000000000001";
export const ANDROID = "0c000000-0000-4000-8000-000000000002";
export const SECOND_IOS = "0c000000-0000-4000-8000-000000000003";
export const DOMAIN = "0d000000-0000-4000-8000-000000000001";
export const SECOND_DOMAIN = "0d000000-0000-4000-8000-000000000002";
export const LINK = "0e000000-0000-4000-8000-000000000001";
export const DOMAIN_LINK = "0e000000-0000-4000-8000-000000000002";

export const FOREIGN = {
  organization: "1a000000-0000-4000-8000-000000000001",
  project: "1b000000-0000-4000-8000-000000000001",
  application: "1c000000-0000-4000-8000-000000000001",
  domain: "1d000000-0000-4000-8000-000000000001",
  link: "1e000000-0000-4000-8000-000000000001",
};
export const NOWHERE = "ffffffff-ffff-4fff-8fff-ffffffffffff";

export const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
const androidInfo = { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" };

export const seed: Seed = {
  organizations: [
    {
      id: ORGANIZATION,
      keys: [{ key: KEY }],
      projects: [
        {
          id: PROJECT,
          name: "Shop",
          subDomain: "shop",
          applications: [
            { id: IOS, appType: "IOS", appleInfo },
            { id: ANDROID, appType: "ANDROID", androidInfo },
          ],
          customDomains: [{ id: DOMAIN, hostname: "go.shop.example" }],
          links: [
            { id: LINK, name: "Home", url: "https://shop.example/", suffix: "home" },
            {
              id: DOMAIN_LINK,
              name: "Sale",
              url: "https://shop.example/sale",
              suffix: "sale",
              hostname: "go.shop.example",
            },
          ],
        },
        {
          id: SECOND_PROJECT,
          name: "Blog",
          applications: [{ id: SECOND_IOS, appType: "IOS", appleInfo }],
          customDomains: [{ id: SECOND_DOMAIN, hostname: "go.blog.example" }],
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
          applications: [{ id: FOREIGN.application, appType: "IOS", appleInfo }],
          customDomains: [{ id: FOREIGN.domain, hostname: "go.theirs.example" }],
          links: [{ id: FOREIGN.link, name: "Theirs", url: "https://theirs.example/", suffix: "theirs" }],
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

/** An emulator, and requests to it with the first organization's key. Paths are relative to `/api/v2`. */
export interface TestService {
  readonly emulator: Emulator;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  get(path: string, key?: string): Promise<Answered>;
  post(path: string, body?: unknown): Promise<Answered>;
  patch(path: string, body: unknown): Promise<Answered>;
  put(path: string, body: unknown): Promise<Answered>;
  remove(path: string): Promise<Answered>;
  /** Sets options of the emulator. */
  behave(behaviour: Partial<Behaviour>): void;
}

/** Whether a body is sent as it is, and not as JSON. */
function isContent(body: unknown): body is string | Buffer<ArrayBuffer> {
  return typeof body === "string" || Buffer.isBuffer(body);
}

/** Requests to the emulator that `current` returns. */
function requestsTo(current: () => Emulator): TestService {
  const request: TestService["request"] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${current().url}/api/v2${path}`, {
      method,
      redirect: "manual",
      headers: {
        "x-api-key": KEY,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isContent(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  };
  return {
    get emulator() {
      return current();
    },
    request,
    get: (path, key = KEY) => request("GET", path, undefined, { "x-api-key": key }),
    post: (path, body) => request("POST", path, body),
    patch: (path, body) => request("PATCH", path, body),
    put: (path, body) => request("PUT", path, body),
    remove: (path) => request("DELETE", path),
    behave: (behaviour) => current().setBehaviour(behaviour),
  };
}

/** Starts an emulator with the seed above. */
export async function startService(options: EmulatorOptions = {}): Promise<TestService> {
  const emulator = await startEmulator({ seed, ...options });
  return requestsTo(() => emulator);
}

/** An emulator with the seed above for each test of a file. After each test, expects that no answer broke the interface. */
export function useService(options: EmulatorOptions = {}): TestService {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ seed, ...options });
  });
  beforeEach(() => emulator.reset());
  afterEach(() => expect(emulator.violations).toEqual([]));
  afterAll(() => emulator.close());
  return requestsTo(() => emulator);
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

/** The paths of objects in the seed. */
export const paths = {
  projects: `/organizations/${ORGANIZATION}/projects`,
  project: `/organizations/${ORGANIZATION}/projects/${PROJECT}`,
  secondProject: `/organizations/${ORGANIZATION}/projects/${SECOND_PROJECT}`,
  ios: `/applications/${IOS}`,
  android: `/applications/${ANDROID}`,
  domain: `/custom-domains/${DOMAIN}`,
  link: `/links/${LINK}`,
};
