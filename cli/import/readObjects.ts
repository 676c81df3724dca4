/** Reads the objects to import from one organization. */
import { NotFoundError } from "../../provider/client/errors";
import { UserError } from "../../provider/errors";
import { readExisting } from "../../provider/lifecycle/adoption";
import { explain } from "../../provider/lifecycle/explain";
import { requireScopes } from "../../provider/session/session";
import { withArticle } from "../../provider/shapes/words";
import { KINDS } from "../objects/kinds";
import type { ImportedObject } from "../pulumi/importFile";
import { importability } from "../service/importability";
import type { Organization } from "../service/organization";
import { type Console, withProgress } from "../terminal/console";
import type { ResolvedRequest } from "./resolveReferences";
import { type ImportRequest, inPlace } from "./sources/request";

export interface ReadObject extends ImportedObject, Pick<ImportRequest, "origin"> {}

/** An object that can be imported, with what needs review about it; or the problem of one that cannot. */
export interface ReadResult {
  readonly object?: ReadObject;
  readonly problem?: string;
  /** Whether the organization does not have it. */
  readonly isMissing?: boolean;
}

export async function readObjects(
  { id, run, context }: Organization,
  requests: readonly ResolvedRequest[],
  console: Console,
): Promise<readonly ReadResult[]> {
  return await withProgress(console, "Reading", (progress) => {
    progress.setTotal(requests.length);
    async function read({ uuid, place, ...rest }: ResolvedRequest): Promise<ReadResult> {
      const { kind } = rest;
      const { description, imported } = KINDS[kind];
      try {
        await requireScopes(
          run.session,
          description.scopes.read,
          `reading ${withArticle(description.title)}`,
        );
        const found = await readExisting({ description, context, uuid, state: {} });
        const { reading, problem } = await importability(run, { kind, reading: imported(id, found) });
        return {
          ...(reading !== undefined && { object: { ...rest, reading } }),
          ...(problem !== undefined && { problem: inPlace(place, problem.message) }),
        };
      } catch (error) {
        const isMissing = error instanceof UserError && error.cause instanceof NotFoundError;
        return { problem: inPlace(place, explain(error).message), isMissing };
      } finally {
        progress.increment();
      }
    }
    return Promise.all(requests.map(read));
  });
}
