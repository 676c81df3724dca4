/**
 * The operations of all resources: check, diff, create, read, update and delete. A description defines how to read and
 * write one kind of object; everything that is the same for all kinds is here. The module does not depend on a host,
 * which handles gRPC and the format of its calls.
 */

import type { Found, ResourceDescription } from "../description";
import { objectKey } from "../ledger/facts";
import type { ResourceRun, RunContext } from "../run/runContext";
import type { ManagedObject } from "../state";
import { check } from "./check";
import { compare, create } from "./create";
import { remove } from "./delete";
import { diff } from "./diff";
import { imported, read } from "./read";
import { update } from "./update";

export type ResourceOperations = ReturnType<typeof resourceOperations>;

export function resourceOperations<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
) {
  // Hosts pass untyped values. `check` has validated those that the functions of a description receive.
  const description = typed as unknown as ResourceDescription;

  function ofKind<Request, Result>(operation: (run: ResourceRun, request: Request) => Promise<Result>) {
    return (run: RunContext, request: Request) => operation({ ...run, description }, request);
  }

  /** Records that an entry of the state has an object. States of import files can have its UUID in upper case. */
  function onObject<Request extends ManagedObject, Result>(
    operation: (run: ResourceRun, request: Request) => Promise<Result>,
  ) {
    return (run: RunContext, request: Request) => {
      const object = objectKey(description.title, request.uuid);
      run.memory.ledger.record({ is: "seen", object, by: run.urn });
      return operation({ ...run, description }, { ...request, uuid: request.uuid.toLowerCase() });
    };
  }

  return {
    description,
    check: ofKind(check),
    diff: onObject(diff),
    create: ofKind(create),
    read: onObject(read),
    imported: (organizationId: string, found: Found) => imported(description, organizationId, found),
    compare: ofKind(compare),
    update: onObject(update),
    delete: onObject(remove),
  };
}
