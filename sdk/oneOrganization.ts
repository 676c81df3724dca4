/**
 * Keeps a stack in its organization when the engine asks the host only about some of its resources, as with `--target`:
 * the host creates those with the key that it has, and sees no state that says which organization the others are in.
 * The program gets the outputs of all its resources, so it compares them.
 */

import * as pulumi from "@pulumi/pulumi";
import { ORGANIZATION_PROPERTY } from "../provider/lifecycle/hiddenProperties";
import { hostDirectory } from "./program/hostDirectory";
import { knownValue } from "./program/knownValue";
import { runError } from "./program/runError";
import { declaredSettings, programSession, resolvedSettings } from "./programSession";
import { isMocked } from "./pulumi/mocks";

/** An output costs time and memory, and one resource that exists is enough to know the organization. */
const FIRST_WATCHED = 10;

/** What the program has seen of the resources of one provider. */
interface Seen {
  resources: number;
  /** Whether a resource will be created. */
  creates: boolean;
  /** A resource that exists, and its organization. */
  existing?: { readonly subject: string; readonly organization: string };
  compared: boolean;
}

/** By the connection to the engine, because one process can run several programs, and by provider. */
const programs = new WeakMap<object, Map<pulumi.ProviderResource | undefined, Seen>>();

function seenOf(provider: pulumi.ProviderResource | undefined): Seen | undefined {
  const program = pulumi.runtime.getMonitor();
  // In `up`, it is too late: the preview has compared them.
  if (program === undefined || !pulumi.runtime.isDryRun() || isMocked()) return undefined;
  const providers = programs.get(program) ?? new Map<pulumi.ProviderResource | undefined, Seen>();
  programs.set(program, providers);
  const seen = providers.get(provider) ?? { resources: 0, creates: false, compared: false };
  providers.set(provider, seen);
  return seen;
}

/** The property that a resource registers, so that the program gets its organization. */
export function watchedProperties(provider: pulumi.ProviderResource | undefined): pulumi.Inputs {
  const seen = seenOf(provider);
  return seen !== undefined && isWatched(seen.resources) ? { [ORGANIZATION_PROPERTY]: undefined } : {};
}

/** The first resources, and ever fewer of the later ones: new resources may be declared before those that exist. */
function isWatched(index: number): boolean {
  return index < FIRST_WATCHED || Number.isInteger(Math.log2(index));
}

/**
 * Fails the preview if it creates a resource, and another one of the same provider is in another organization than the
 * key. Sends the lookup of the key only if both are there, so a preview without changes sends nothing from here.
 */
export function requireOneOrganization(
  resource: pulumi.CustomResource,
  title: string,
  provider: pulumi.ProviderResource | undefined,
): void {
  const seen = seenOf(provider);
  if (seen === undefined) return;
  seen.resources++;
  void compare(resource, title, provider, seen);
}

async function compare(
  resource: pulumi.CustomResource,
  title: string,
  provider: pulumi.ProviderResource | undefined,
  seen: Seen,
): Promise<void> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const id = await knownValue(resource.id);
    if (id === undefined) seen.creates = true;
    else if (seen.existing === undefined && ORGANIZATION_PROPERTY in resource) {
      const organization = await knownValue(resource[ORGANIZATION_PROPERTY] as pulumi.Output<unknown>);
      if (typeof organization === "string") seen.existing = { subject: `${title} ${id}`, organization };
    }
    const { creates, existing, compared } = seen;
    if (compared || !creates || existing === undefined) return;
    seen.compared = true;
    await requireOrganizationOf(provider, existing);
  } finally {
    done();
  }
}

async function requireOrganizationOf(
  provider: pulumi.ProviderResource | undefined,
  { subject, organization }: NonNullable<Seen["existing"]>,
): Promise<void> {
  const output = declaredSettings(provider);
  const raw = output && (await knownValue(output));
  // Settings that are unknown or invalid are errors of the provider, which reports them.
  if (raw === undefined) return;
  // The environment of an inline program is not that of its host, so neither may be the key.
  if (hostDirectory()?.inline && raw.apiKey == null) return;
  const { requireOrganization } = await import("../provider/lifecycle/ownership.js");
  const { explain } = await import("../provider/lifecycle/explain.js");
  try {
    const session = await programSession(await resolvedSettings(raw));
    await requireOrganization(session, organization, subject);
  } catch (error) {
    throw runError(explain(error).message);
  }
}
