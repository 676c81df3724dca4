/** Warns in a preview that the service may refuse a create, because something else has the unique input. */
import type { CallOptions } from "../../client";
import { adviceFor } from "../create/conflict";
import type { Found, OperationContext } from "../description";
import { ifVisible } from "../evidence/visible";
import { createKey } from "../ledger/facts";
import type { Properties } from "../properties";
import { contextFor, type ResourceRun } from "../run/runContext";

/**
 * Warns that an object, or another new resource of the program, has the unique input of a resource which is about to be
 * created. That is no error: the run may change or delete the object first. Each list is requested once in a run. If they
 * cannot be listed, the create reports what is wrong.
 *
 * @param by the resource.
 */
export async function reportInUse(run: ResourceRun, inputs: Properties, by: string): Promise<void> {
  const { description, memory, isUnknown, urn } = run;
  const { title, uniqueBy, replaceOnChanges } = description;
  if (uniqueBy === undefined || isUnknown(inputs[uniqueBy]) || memory.deletedFirst.has(by)) return;
  const context = await contextFor(run);
  const { sanitized } = context.client;
  const key = createKey(title, [context.organizationId, inputs[uniqueBy]]);
  const first = memory.previewed.get(key) ?? by;
  memory.previewed.set(key, first);
  const users = (await listed(run, context, inputs)).filter(
    ({ properties }) => properties[uniqueBy] === inputs[uniqueBy],
  );
  // Only on the row of the resource is it clear which one is meant.
  const subject = `The ${uniqueBy} of ${urn === undefined ? sanitized(by) : `this ${title}`}`;
  const ifRenamed = replaceOnChanges.includes(uniqueBy)
    ? ""
    : ` If this run changes its ${uniqueBy}, add its resource to the option \`dependsOn\`.`;
  const lines = users.map(
    ({ uuid }) =>
      `${subject} is used by ${title} ${uuid}, so the service may refuse the create. ${adviceFor(uuid)}${ifRenamed} If this run deletes it, delete it in an earlier \`pulumi up\`: Pulumi creates before it deletes.`,
  );
  if (first !== by)
    lines.push(
      `${subject} is also that of the new resource ${sanitized(first)}, so the service may refuse to create one of them. Change one ${uniqueBy}.`,
    );
  for (const line of lines) context.report(line, { persistent: true, warning: true });
}

/** The objects among which the input is unique, listed once in a run. None if they cannot be listed. */
async function listed(
  { description: { title, parentId, uniqueAmong, list }, memory, isUnknown }: ResourceRun,
  context: OperationContext,
  inputs: Properties,
): Promise<readonly Found[]> {
  const place = uniqueAmong === undefined && parentId !== undefined ? inputs[parentId] : undefined;
  if (isUnknown(place)) return [];
  const client = context.client.withOptions(onceBefore(context.clock.now() + LONGEST_MS));
  const listProjects: typeof client.listProjects = (request) =>
    remembered(memory.inUse, `projects ${JSON.stringify(request)}`, () => client.listProjects(request));
  const once = { ...context, client: { ...client, listProjects } };
  const request = async () =>
    uniqueAmong === undefined
      ? await list?.(once, inputs)
      : await ifVisible(context, "projects:read", () => uniqueAmong(once, inputs));
  const found = await remembered(memory.inUse, `${title} ${place}`, () => request().catch(() => undefined));
  context.signal.throwIfAborted();
  return found ?? [];
}

/** The answer to a request, which is sent once in a run. */
function remembered<Value>(
  answers: Map<string, Promise<unknown>>,
  key: string,
  request: () => Promise<Value>,
): Promise<Value> {
  const answer = (answers.get(key) as Promise<Value> | undefined) ?? request();
  answers.set(key, answer);
  return answer;
}

/** A preview does not wait longer for what it can do without. */
const LONGEST_MS = 10_000;

function onceBefore(deadline: number): CallOptions {
  return { deadline, timeoutMs: LONGEST_MS, maxAttempts: 1 };
}
