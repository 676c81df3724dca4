/**
 * A session: checked settings, a client, and what the service says about the key, asked once and shared.
 *
 * One session per settings and process, whatever number of resources, kinds or functions use it: that is why a
 * preview without changes costs a single request.
 */
import type { Client, ClientOptions, CurrentApiCredential, Scope } from "../client";
import { UserError } from "../lifecycle/errors";
import type { Settings } from "./settings";

/** The organization that a key belongs to, and what the key may do. */
export type Identity = CurrentApiCredential;

/** What every operation of one organization in one process shares. */
export interface Session {
  readonly client: Client;
  readonly readOnly: boolean;
  /** The identity behind the key: one request, shared by everyone; a failure is forgotten, so the next caller asks again. */
  identity(): Promise<Identity>;
  /** The identity, looked up again: what a 404 means depends on whose key it is now. */
  lookUpIdentity(): Promise<Identity>;
}

/** How a session's client deals with time. Default: by the system's clock. */
export type Timing = Pick<ClientOptions, "clock" | "random" | "timeoutMs">;

/**
 * Opens a session. Nothing is sent until the identity or the client is used.
 *
 * @throws UserError when the environment keeps the client from being created.
 */
export function createSession(settings: Settings, timing: Timing = {}): Session {
  const client = clientWith({ ...settings, ...timing });
  let identity: Promise<Identity> | undefined;
  async function lookUpIdentity(): Promise<Identity> {
    return await client.getCurrentApiCredential({});
  }
  return {
    client,
    readOnly: settings.readOnly,
    identity() {
      if (identity === undefined) {
        const asked = lookUpIdentity();
        identity = asked;
        asked.catch(() => {
          if (identity === asked) identity = undefined;
        });
      }
      return identity;
    },
    lookUpIdentity,
  };
}

function clientWith(options: ClientOptions): Client {
  // Loaded here, so that a program which only declares resources never loads an HTTP client.
  const { createClient } = require("../client") as typeof import("../client");
  try {
    return createClient(options);
  } catch (error) {
    // The settings are checked, so it is the environment's, as that of HTTPS_PROXY is.
    throw error instanceof TypeError ? new UserError(error.message, { cause: error }) : error;
  }
}

const sessions = new Map<string, Session>();

/** The session of these settings in this process. */
export function sharedSession(settings: Settings): Session {
  const key = JSON.stringify([settings.apiUrl, settings.readOnly, settings.apiKey]);
  let session = sessions.get(key);
  if (session === undefined) {
    session = createSession(settings);
    sessions.set(key, session);
  }
  return session;
}

/**
 * The identity, when the key has all the given scopes.
 *
 * @throws UserError that names every scope that is missing.
 */
export async function requireScopes(
  session: Session,
  scopes: readonly Scope[],
  purpose: string,
): Promise<Identity> {
  const identity = await session.identity();
  const missing = scopes.filter((scope) => !identity.scopes.includes(scope));
  if (missing.length > 0) {
    // It is six characters, unless something else answered than the service.
    const keyPrefix = [...session.client.printable(identity.keyPrefix)].slice(0, 6).join("");
    throw new UserError(
      `The API key ${keyPrefix}… lacks the ${missing.length === 1 ? "scope" : "scopes"} ${missing.join(" and ")}, which ${purpose} needs. Use a key that has ${missing.length === 1 ? "it" : "them"}: scopes are chosen when a key is created.`,
    );
  }
  return identity;
}
