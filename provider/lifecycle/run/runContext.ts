/** The context of an operation, from the host, and that of a description's functions, from the operation. */
import type { ReportOptions } from "../../report";
import type { Session } from "../../session/session";
import { existsInService } from "../creates";
import type { OperationContext, ResourceDescription } from "../description";
import { recordYouth } from "../evidence/youth";
import { explained } from "../explain";
import { ORGANIZATION_PROPERTY } from "../hiddenProperties";
import { objectKey } from "../ledger/facts";
import { requireOrganization } from "../ownership";
import type { IsUnknown } from "../properties";
import { creationIn, type ManagedObject } from "../state";
import type { RunMemory } from "./runMemory";

export interface RunContext extends Pick<OperationContext, "signal" | "waits" | "report" | "clock"> {
  readonly session: Session;
  readonly isUnknown: IsUnknown;
  readonly memory: RunMemory;
  /** The URN of the resource, if the host knows it. */
  readonly urn?: string;
}

export interface ResourceRun extends RunContext {
  readonly description: ResourceDescription;
}

/** The context of a description's functions. Checks that the key belongs to the owner of the object, if the state has one. */
export async function contextFor(
  { description, session, memory, signal, waits = signal, report, clock }: ResourceRun,
  object?: ManagedObject,
): Promise<OperationContext> {
  const { title } = description;
  const owner = object?.state[ORGANIZATION_PROPERTY];
  if (owner != null) memory.owners.add(String(owner));
  const subject = object === undefined ? title : objectKey(title, object.uuid);
  const { organizationId, scopes } = await explained(() => requireOrganization(session, owner, subject));
  const facts = memory.ledger;
  const emptiedUntilMs = memory.emptiedUntilMs.get(subject);
  const { client } = session;
  const context = { client, organizationId, scopes, signal, waits, report, clock, facts, emptiedUntilMs };
  if (object !== undefined && existsInService(description))
    recordYouth(context, subject, creationIn(object.state));
  return context;
}

export function reportOnce(
  { memory: { noticed }, report }: Pick<RunContext, "memory" | "report">,
  message: string,
  how: ReportOptions = { persistent: true },
): void {
  if (noticed.has(message)) return;
  noticed.add(message);
  report(message, how);
}
