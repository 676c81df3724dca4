/** Reads the objects to import, and builds the import file. */

import { UserError } from "../../provider/errors";
import { explain } from "../../provider/lifecycle/explain";
import type { Host } from "../objects/hosts";
import { identityKey } from "../objects/identity";
import { PARENT_KINDS } from "../objects/kinds";
import { entriesForCode, importEntry } from "../pulumi/importFile";
import { objectsIn } from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import { openOrganization, requireStackOrganization } from "../service/organization";
import { storedSettings } from "../service/storedSettings";
import type { Console } from "../terminal/console";
import { type ReadResult, readObjects } from "./readObjects";
import { resolveReferences } from "./resolveReferences";
import type { ImportSelection } from "./selection";

interface Preparation {
  /** The host of the objects whose type the selection does not have. */
  readonly host: Host;
  /** Whether what the stack has already is left out, in place of being a problem. */
  readonly skipsExisting: boolean;
  readonly pulumi: PulumiContext;
  readonly console: Console;
}

/**
 * Reads the selected objects, each with the settings of its provider.
 *
 * @throws AggregateError of all that is wrong with the selection and its objects.
 */
export async function prepareImport(selection: ImportSelection, preparation: Preparation) {
  const { pulumi, console } = preparation;
  // Secrets are needed only to read the settings of a provider, which may be that of a parent.
  const showSecrets = selection.requests.some(
    ({ parent, provider }) => parent !== undefined || provider !== undefined,
  );
  const resources = await pulumi.stack?.resources({ showSecrets });
  const objectsInStack = objectsIn(resources ?? []);
  const managed = Map.groupBy(
    objectsInStack.filter(({ isManaged }) => isManaged),
    identityKey,
  );
  const skipped = preparation.skipsExisting
    ? selection.requests.filter((request) => managed.has(identityKey(request)))
    : [];
  const rest = selection.requests.filter((request) => !skipped.includes(request));
  const { requests, references, ...resolved } = resolveReferences(
    { ...selection, requests: rest },
    { ...preparation, resources, managed },
  );
  const { nameTable } = references;

  const results: ReadResult[] = [...selection.problems, ...resolved.problems].map((problem) => ({ problem }));
  let isOneMissing = false;
  for (const [provider, group] of Map.groupBy(requests, (request) => request.provider)) {
    try {
      // All objects of a provider have its host.
      const { host } = group[0] ?? preparation;
      const places = { entries: selection.support, resources, nameTable, pulumi, host };
      const organization = await openOrganization(await storedSettings(provider, places), console);
      try {
        const urn = provider === undefined ? undefined : (nameTable[provider] ?? provider);
        requireStackOrganization(organization, resources ?? [], urn);
        const read = await readObjects(organization, group, console);
        results.push(...read);
        isOneMissing ||= provider === undefined && read.some(({ isMissing }) => isMissing);
      } finally {
        await organization.client.close();
      }
    } catch (error) {
      results.push({ problem: explain(error).message });
    }
  }
  if (isOneMissing && selection.adviceIfMissing !== undefined)
    results.push({ problem: selection.adviceIfMissing });
  const objects = results.flatMap(({ object }) => object ?? []);
  const failures = results.flatMap(({ object, problem }) => (object ? [] : (problem ?? [])));
  if (failures.length > 0) throw new AggregateError(failures.map((failure) => new UserError(failure)));
  const entries = preparation.host.isReadByPulumi
    ? entriesForCode(objects, { taken: Object.keys(nameTable) })
    : objects.map(importEntry);
  return {
    objects,
    skipped,
    // The logical names of the projects in the stack, by key.
    stackProjects: new Map(
      objectsInStack
        .filter(({ kind }) => PARENT_KINDS.includes(kind))
        .map((object) => [identityKey(object), object.name]),
    ),
    // What needs review, although the objects can be imported.
    problems: results.flatMap(({ problem }) => problem ?? []),
    file: { nameTable, resources: [...selection.support, ...entries] },
  };
}
