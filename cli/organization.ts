/** An organization, opened to be read: settings from a stack or the environment, and a session that refuses to write. */
import { systemClock } from "../provider/client/client";
import type { OperationContext } from "../provider/lifecycle/description";
import { UserError } from "../provider/lifecycle/errors";
import { ORGANIZATION_PROPERTY } from "../provider/lifecycle/ownership";
import type { RunContext } from "../provider/lifecycle/runContext";
import { newRunMemory } from "../provider/lifecycle/runMemory";
import { DEFAULT_API_URL } from "../provider/session/service";
import { createSession } from "../provider/session/session";
import { type RawSettings, resolveSettings } from "../provider/session/settings";
import type { Console } from "./console";
import { nameOf, type StackResource } from "./pulumiStack";

/** An organization that is read. */
export interface Organization {
  readonly id: string;
  /** What operations on its objects are given. */
  readonly host: RunContext;
  readonly context: OperationContext;
  /** What its settings say other than the defaults, without the key: a program that declares its objects needs them. */
  readonly publicSettings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens the organization that settings lead to. Looks up the key, and nothing else. */
export async function openOrganization(raw: RawSettings, { environment }: Console): Promise<Organization> {
  const settings = { ...resolveSettings(raw, { environment }), readOnly: true };
  const session = createSession(settings);
  const host: RunContext = {
    session,
    signal: new AbortController().signal,
    report() {},
    clock: systemClock,
    isUnknown: () => false,
    memory: newRunMemory(),
  };
  const { organizationId, scopes } = await session.identity();
  return {
    id: organizationId,
    host,
    context: { ...host, client: session.client, organizationId, scopes },
    publicSettings: {
      ...(typeof raw.apiKeyEnvVar === "string" && { apiKeyEnvVar: raw.apiKeyEnvVar }),
      ...(settings.apiUrl !== DEFAULT_API_URL && { apiUrl: settings.apiUrl }),
    },
    close: () => session.client.close(),
  };
}

/**
 * Refuses a key of another organization than that of the resources that one provider of a stack has.
 *
 * @param provider the provider's URN; the default one unless given.
 */
export function requireSameOrganization(
  { id }: Organization,
  resources: readonly StackResource[],
  { provider }: { readonly provider?: string | undefined } = {},
): void {
  for (const resource of resources) {
    const owner = resource.outputs?.[ORGANIZATION_PROPERTY];
    if (owner === undefined || owner === id || !isOf(resource, provider)) continue;
    throw new UserError(
      `The stack has ${nameOf(resource.urn)} of organization ${owner}, but the API key belongs to organization ${id}. Use a key of organization ${owner}, or name the provider of organization ${id} with --provider.`,
    );
  }
}

function isOf(resource: StackResource, provider: string | undefined): boolean {
  const urn = (resource.provider ?? "").replace(/::[^:]*$/, "");
  return provider === undefined ? nameOf(urn).startsWith("default") : urn === provider;
}
