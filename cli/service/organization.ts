/** Opens an organization for reading: settings from a stack or the environment, and a read-only session. */

import { systemClock } from "../../provider/client/client";
import { UserError } from "../../provider/errors";
import type { OperationContext } from "../../provider/lifecycle/description";
import { ORGANIZATION_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import type { RunContext } from "../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../provider/lifecycle/run/runMemory";
import { DEFAULT_API_URL } from "../../provider/service";
import { createSession } from "../../provider/session/session";
import { type RawSettings, resolveSettings } from "../../provider/session/settings";
import { providerUrnOf, type StackResource } from "../pulumi/stack";
import { HOW_TO_SET_URL } from "../pulumi/stackSettings";
import { isDefaultProvider, nameInUrn } from "../pulumi/urn";
import { type Console, printMessage } from "../terminal/console";

/** An organization that is open for reading: the context of operations on its objects. */
export interface Organization extends RunContext, OperationContext {
  /** Its settings other than the defaults, without the key. A program that declares its objects needs them. */
  readonly publicSettings: Readonly<Record<string, string>>;
}

/** Resolves the settings, and opens a session that refuses writes. Sends nothing. */
export function openSession(raw: RawSettings, console: Console) {
  const { environment } = console;
  const settings = resolveSettings(raw, { environment, howToSetUrl: HOW_TO_SET_URL });
  const report = (message: string) => printMessage(console, "note", message);
  return { settings, report, session: createSession({ ...settings, readOnly: true }, { report }) };
}

/** Opens the organization of the key in the settings. Sends one request, the lookup of the key. */
export async function openOrganization(raw: RawSettings, console: Console): Promise<Organization> {
  const { settings, report, session } = openSession(raw, console);
  const { organizationId, scopes } = await session.identity();
  return {
    session,
    client: session.client,
    organizationId,
    scopes,
    signal: new AbortController().signal,
    report,
    clock: systemClock,
    isUnknown: () => false,
    mayShow: () => false,
    memory: newRunMemory(),
    publicSettings: {
      ...(typeof raw.apiKeyEnvVar === "string" && { apiKeyEnvVar: raw.apiKeyEnvVar }),
      ...(settings.apiUrl !== DEFAULT_API_URL && { apiUrl: settings.apiUrl }),
    },
  };
}

export async function closeAll(organizations: readonly Organization[]): Promise<void> {
  await Promise.all(organizations.map(({ client }) => client.close()));
}

/**
 * Requires that the key belongs to the organization of the resources that one provider of a stack manages.
 *
 * @param provider the provider's URN; undefined for the default provider.
 */
export function requireStackOrganization(
  { organizationId: id }: Organization,
  resources: readonly StackResource[],
  provider: string | undefined,
): void {
  for (const resource of resources) {
    const owner = resource.outputs?.[ORGANIZATION_PROPERTY];
    if (owner === undefined || owner === id || !isManagedBy(resource, provider)) continue;
    throw new UserError(
      `The stack has ${nameInUrn(resource.urn)} of organization ${owner}, but the API key belongs to organization ${id}. Use a key of organization ${owner}, or specify the provider of organization ${id} with --provider.`,
    );
  }
}

function isManagedBy(resource: StackResource, provider: string | undefined): boolean {
  const urn = providerUrnOf(resource);
  return provider === undefined ? isDefaultProvider(urn) : urn === provider;
}
