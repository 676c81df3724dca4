/**
 * What every run is about to create and has created, in a file that outlives it. A line is on the disk before its request
 * is sent, so whatever ends a run, the next one knows what it may delete.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** An object of the service. */
export interface ServiceObject {
  readonly id: string;
  readonly path: string;
  /** Undefined for what has no name. */
  readonly name: string | undefined;
  readonly projectId: string | undefined;
}

/** A line of the file: a run begins, will create something, has created it, or has deleted it. */
interface Line {
  readonly run?: string;
  readonly creates?: string;
  readonly created?: ServiceObject;
  readonly deleted?: string;
}

export type Journal = ReturnType<typeof openJournal>;

/** Opens the journal of an organization. */
export function openJournal(directory: string, organization: string) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `journal-${organization}.jsonl`);
  const id = randomBytes(4).toString("hex");
  const runs = new Set<string>();
  const own = new Set<string>();
  const rest = new Map<string, ServiceObject>();

  function apply({ run, created, deleted = "" }: Line): void {
    if (run !== undefined) runs.add(run);
    if (created !== undefined) rest.set(own.add(created.id) && created.id, created);
    rest.delete(deleted);
  }
  // The last line of a run that was killed may be cut off.
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const line of lines) if (line.endsWith("}")) apply(JSON.parse(line));
  function write(line: Line): void {
    appendFileSync(file, `\n${JSON.stringify(line)}`, { flush: true });
    apply(line);
  }

  return {
    /** Begins every name that this run creates. */
    prefix: `acceptance-${id}-`,
    /** Begins a run: from now on, its names are its own. */
    begin: () => write({ run: id }),
    write,
    isOwn: (one: string) => own.has(one),
    isOwnName: (name: string) => runs.has(/acceptance-([0-9a-f]{8})-/i.exec(name)?.[1]?.toLowerCase() ?? ""),
    /** The objects of this and earlier runs that still exist, oldest first. */
    get rest(): readonly ServiceObject[] {
      return [...rest.values()];
    },
  };
}

/** The lists in responses. */
const LISTS = ["projects", "applications", "custom_domains", "links"];

type Json = { readonly [name: string]: unknown };

/** All names that a body gives. A link repeats those of applications and domains. */
export function namesIn(body: unknown): string[] {
  const { suffix, dynamic_link_name, ...fields } = (body ?? {}) as Json;
  const infos = [fields.apple_info, fields.android_info].map((info) => (info as Json | null)?.app_name);
  const others = suffix === undefined ? [fields.project_name, fields.hostname, ...infos] : [];
  return [dynamic_link_name, ...others].filter((name) => typeof name === "string");
}

/** The objects that a response shows: one, or a list. */
export function objectsIn(answer: unknown): ServiceObject[] {
  const shown = [answer, ...LISTS.flatMap((list) => (answer as Json | undefined)?.[list] ?? [])];
  return shown.flatMap((object) => {
    const { id, project_id, ...fields } = (object ?? {}) as Json;
    const path = pathOf(fields);
    return path === undefined
      ? []
      : [
          {
            id: `${id}`,
            path: `/api/v2/${path}/${id}`,
            name: namesIn(object)[0],
            projectId: project_id as string,
          },
        ];
  });
}

/** Where the objects of a kind are, by a field that no other kind has. */
function pathOf({ organization_id, ...fields }: Json): string | undefined {
  if ("project_name" in fields) return `organizations/${organization_id}/projects`;
  if ("app_type" in fields) return "applications";
  if ("retry_count" in fields) return "custom-domains";
  return "suffix" in fields ? "links" : undefined;
}
