/** A session: settings, a client, and the identity of the key. A process shares it, so a preview without changes sends one request. */
import type { Client, ClientOptions, CurrentApiCredential, Retry, Scope, SettingSources } from "../client";
import { scope } from "../client/model/credential";
import { UserError } from "../errors";
import type { Report } from "../report";
import { READ_ONLY_VARIABLE } from "../service";
import { enumerated } from "../values/phrases";
import type { Settings } from "./settings";

/** The scopes that resources and functions may need. Links are only read. */
const RESOURCE_SCOPES = scope.options.filter((one) => one !== "links:write");
const READ_SCOPES = RESOURCE_SCOPES.filter((one) => one.endsWith(":read"));

/** The organization and the scopes of a key. */
export type Identity = CurrentApiCredential;

/** Shared by all operations with the same settings in a process. */
export interface Session extends Readonly<ReturnType<typeof createSession>> {}

/** With the clock, the randomness and the timeout of the client, for tests. */
export interface SessionOptions extends Pick<ClientOptions, "clock" | "random" | "timeoutMs"> {
  /** Reports each wait before a retry. Default: not reported. */
  readonly report?: Report | undefined;
}

/** The limits of the lookup of the key. The program waits for it, so a service that is down or hangs is reported early. */
const LOOKUP_BUDGET_MS = 60_000;
const LOOKUP_ATTEMPTS = 5;
/** How often a key is looked up again that lacks a scope. */
const LACK_MS = 10_000;

/** Opens a session, and sends nothing yet. @throws UserError if the environment is invalid, such as HTTPS_PROXY. */
export function createSession(settings: Settings, { report, ...timing }: SessionOptions = {}) {
  const onRetry = report && ((retry: Retry) => report(retryMessage(retry)));
  const { log, ...clientSettings } = settings;
  const onAttempt = log === undefined ? undefined : logTo(log, report);
  const client = clientWith({ ...clientSettings, ...timing, onRetry, onAttempt });
  const now = () => timing.clock?.now() ?? performance.now();
  let identity: Promise<Identity> | undefined;
  let lookedUpAtMs = -Infinity;
  /** Requests the identity without the cache. What a 404 means depends on the current organization of the key. */
  async function lookUpIdentity(): Promise<Identity> {
    const found = await client.getCurrentApiCredential(
      {},
      { budgetMs: LOOKUP_BUDGET_MS, maxAttempts: LOOKUP_ATTEMPTS },
    );
    // The service sends six characters; something other than the service may have sent more.
    return { ...found, keyPrefix: [...client.sanitized(found.keyPrefix)].slice(0, 6).join("") };
  }
  /** A failure is not cached. */
  function cachedIdentity(): Promise<Identity> {
    if (identity === undefined) lookedUpAtMs = now();
    identity ??= lookUpIdentity().catch((error: unknown) => {
      identity = undefined;
      throw error;
    });
    return identity;
  }
  return {
    client,
    readOnly: settings.readOnly,
    /** Where the key comes from, for messages. */
    sources: settings.sources as SettingSources | undefined,
    /** The identity of the key. It is looked up once, and again for a `needed` scope that it lacked some time ago. */
    async identity(needed: readonly Scope[] = []): Promise<Identity> {
      const { scopes } = await cachedIdentity();
      const isLacking = needed.some((one) => !scopes.includes(one));
      if (isLacking && now() - lookedUpAtMs >= LACK_MS) identity = undefined;
      return await cachedIdentity();
    },
    lookUpIdentity,
  };
}

function logTo(file: string, report?: Report): ClientOptions["onAttempt"] {
  // Loaded only if requests are logged.
  const { requestLog } = require("./requestLog") as typeof import("./requestLog");
  return requestLog(file, report);
}

function retryMessage({ activity, reason, waitMs }: Retry): string {
  return `${activity}: ${reason}. Trying again in ${(waitMs / 1_000).toFixed(waitMs < 1_000 ? 1 : 0)} s`;
}

function clientWith(options: ClientOptions): Client {
  // Loaded lazily: a program that only declares resources needs no HTTP client.
  const { createClient } = require("../client") as typeof import("../client");
  try {
    return createClient(options);
  } catch (error) {
    // The settings are valid, so the cause is the environment, such as HTTPS_PROXY.
    throw error instanceof TypeError ? new UserError(error.message, { cause: error }) : error;
  }
}

const sessions = new Map<string, Session>();

/** The session for these settings in this process, with the options of the first call. */
export function sharedSession(settings: Settings, options: SessionOptions): Session {
  const key = JSON.stringify([settings.apiUrl, settings.readOnly, settings.apiKey]);
  const session = sessions.get(key) ?? createSession(settings, options);
  sessions.set(key, session);
  return session;
}

/** Returns the identity if the key has all scopes that a purpose, such as `a project`, needs. @throws UserError */
export async function requireScopes(
  session: Session,
  scopes: readonly Scope[],
  purpose: string,
): Promise<Identity> {
  const identity = await session.identity(scopes);
  const lacked = (wanted: readonly Scope[]) => wanted.filter((one) => !identity.scopes.includes(one));
  const missing = lacked(scopes);
  if (missing.length === 0) return identity;
  const [noun, them] = missing.length === 1 ? ["scope", "it"] : ["scopes", "them"];
  const lack = `The API key ${identity.keyPrefix}… lacks the ${noun} ${enumerated(missing)}, which ${purpose} needs.`;
  const { check } = session.sources ?? {};
  // A command, which needs nothing else.
  if (check === undefined)
    throw new UserError(`${lack} Use a key that has ${them}: scopes are chosen when a key is created.`);
  // Pulumi stops after the first resource that fails, so the message also lists what others may need.
  const others = lacked(session.readOnly ? READ_SCOPES : RESOURCE_SCOPES).filter(
    (one) => !missing.includes(one),
  );
  const also =
    others.length === 0
      ? ""
      : ` Other resources and functions may need ${enumerated(others)}, which it lacks too.`;
  const lines = [
    `${lack}${also}`,
    `Use a key with all scopes that the program needs: scopes are chosen when a key is created.${check}`,
  ];
  if (missing.some((one) => one.endsWith(":write")))
    lines.push(
      `For a command that only reads, such as a preview or an import, set ${READ_ONLY_VARIABLE}=1: then the read scopes are enough.`,
    );
  throw new UserError(lines.join("\n"));
}
