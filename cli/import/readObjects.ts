/** Reads the objects to import from one organization. */
import { NotFoundError } from "../../provider/client/errors";
import { UserError } from "../../provider/errors";
import { explain } from "../../provider/lifecycle/explain";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import { KINDS } from "../objects/kinds";
import type { ImportedObject } from "../pulumi/importFile";
import { importability } from "../service/importability";
import type { Organization } from "../service/organization";
import { type Console, withProgress } from "../terminal/console";
import type { ResolvedRequest } from "./resolveReferences";
import { type ImportRequest, inPlace } from "./sources/request";

/** An object that can be imported, with what needs review about it; or the problem of one that cannot. */
export interface ReadResult {
  readonly object?: ImportedObject & Pick<ImportRequest, "origin">;
  readonly problem?: string;
  /** Whether the organization does not have it. */
  readonly isMissing?: boolean;
}

export async function readObjects(
  organization: Organization,
  requests: readonly ResolvedRequest[],
  console: Console,
): Promise<readonly ReadResult[]> {
  return await withProgress(console, "Reading", (progress) => {
    progress.setTotal(requests.length);
    async function read({ uuid, place, ...rest }: ResolvedRequest): Promise<ReadResult> {
      const { kind } = rest;
      try {
        // Without a state, an object that does not exist is an error.
        const reading = (await KINDS[kind].read(organization, { uuid, state: {} })) as Reading;
        const { reading: importable, problem } = await importability(organization, { kind, reading });
        return {
          ...(importable !== undefined && { object: { ...rest, reading: importable } }),
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
