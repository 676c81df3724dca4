/** What a host gives to each operation, and what an operation gives on to a description's functions. */
import type { Clock } from "../client";
import type { Session } from "../session/session";
import type { OperationContext, Report } from "./description";
import { explained } from "./explain";
import { requireOrganization } from "./ownership";
import type { IsUnknown } from "./properties";
import type { RunMemory } from "./runMemory";

/** What every operation is given by its host. */
export interface RunContext {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly clock: Clock;
  readonly isUnknown: IsUnknown;
  readonly memory: RunMemory;
}

/**
 * The context of a description's functions, once the key is known to be the owner's.
 *
 * @param owner the organization that the state names; undefined where there is no state.
 * @param subject what the operation is about, as in `project <uuid>`.
 */
export async function contextFor(
  { session, memory, signal, report, clock }: RunContext,
  owner: unknown,
  subject: string,
): Promise<OperationContext> {
  if (owner != null) memory.owners.add(String(owner));
  const { organizationId, scopes } = await explained(() => requireOrganization(session, owner, subject));
  return { client: session.client, organizationId, scopes, signal, report, clock };
}
