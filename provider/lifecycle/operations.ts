/**
 * What a resource description is, and what every resource does with it: check, diff, create, adopt, read,
 * update, delete. It knows the service's client and no host: hidden properties and gRPC are the host's.
 */
import { randomUUID } from "node:crypto";
import type { Client, Clock, Scope } from "../client";
import { ConflictError, NotFoundError } from "../client/errors";
import { requireScopes, type Session } from "../session/session";
import { checkValue } from "../shapes/schema";
import { type ObjectShape, object, type ShapeFields } from "../shapes/shape";
import { capitalized, withArticle } from "../shapes/words";
import { createOnce, namingHolder } from "./createOnce";
import { NotReadyError, UserError } from "./errors";
import { explain } from "./explain";
import {
  confirmGone,
  notFoundIn,
  ORGANIZATION_PROPERTY,
  requireKnownOrganization,
  requireOrganization,
} from "./ownership";
import {
  changedPaths,
  declaredPart,
  differences,
  type IsUnknown,
  type Properties,
  partAt,
  unknownPaths,
  valueAt,
  withoutNulls,
} from "./properties";
import { objectKey, type RunMemory } from "./runMemory";

/** An object of the service, as a resource sees it. */
export interface Found<Values extends object = Properties> {
  /** The service's UUID, in lower case. */
  readonly uuid: string;
  /** Every property that the resource knows, whether a program declares it or not. */
  readonly properties: Values;
  /** When the service made it, as ISO 8601 date and time. */
  readonly createdAt: string;
  /** Where it is in its life, for an object that has one. */
  readonly lifecycle?: string;
}

/** A change to make: what is declared now, and the paths in which it differs from what was declared before. */
export interface Change<Inputs extends object = Properties> {
  readonly inputs: Inputs;
  /**
   * What to send, and nothing else: what is at other paths may have been changed outside Pulumi. Empty when a
   * resource that was not ready is resumed.
   */
  readonly changed: readonly Path<Inputs>[];
}

/** A replacement that is about to be planned. */
export interface Replacement<Inputs extends object = Properties> {
  readonly before: Inputs;
  readonly inputs: Inputs;
  readonly isUnknown: IsUnknown;
}

/** Where a value stands in the inputs, such as `appleInfo.appName`. */
type Path<Inputs> = (keyof Inputs & string) | `${keyof Inputs & string}.${string}`;

/** The inputs that are always there. */
type RequiredNames<Inputs> = {
  [Name in keyof Inputs & string]: Record<never, never> extends Pick<Inputs, Name> ? never : Name;
}[keyof Inputs & string];

/** What a description's functions may use besides their arguments. */
export interface OperationContext {
  readonly session: Session;
  readonly client: Client;
  /** The organization that the key belongs to. */
  readonly organizationId: string;
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly clock: Clock;
  readonly memory: RunMemory;
}

/** Tells the user what is going on. The message vanishes with the operation unless it is said to stay. */
export type Report = (message: string, options?: { readonly stays?: boolean }) => void;

/** A resource, described once. The provider, the class, the import file and the documentation follow from it. */
export interface ResourceDescription<
  Inputs extends object = Properties,
  Outputs extends object = Properties,
> {
  /** The name under which `provider/index.ts` exports it. It stands in users' state: never renamed. */
  readonly exportName: string;
  /** The last part of the type token. It stands in users' state: never renamed. */
  readonly type: string;
  /** What a sentence calls it. */
  readonly title: string;
  /** What the key must be allowed to do. */
  readonly scopes: {
    readonly read: readonly Scope[];
    readonly write: readonly Scope[] | ((inputs: Partial<Inputs>) => readonly Scope[]);
  };
  /**
   * What a create leaves at the service: an object of its own, values of an object that is there already, or nothing.
   * Only a create of an object must not be repeated after a lost answer, and what leaves nothing cannot be imported.
   */
  readonly creates: "object" | "values" | "nothing";
  /** What a sentence calls the object whose UUID is the id, where it is another one than the resource's own. */
  readonly idOf?: string;
  /** What a program declares. */
  readonly inputs: ShapeFields;
  /** What the service adds. */
  readonly outputs: ShapeFields;
  /** The inputs that cannot change in place. */
  readonly replaceOnChanges: readonly (keyof Inputs & string)[];
  /** The shape of these inputs, where it depends on one of them. */
  shapeFor?(inputs: Properties): ObjectShape;
  /** The properties that the service may fill in by itself when they are not declared. */
  readonly filledIn?: readonly Path<Inputs>[];
  /** Whether the old object must go before its replacement can be made. */
  deleteBeforeReplace?(inputs: Inputs, state: Inputs & Outputs): boolean;
  /**
   * Finds what would keep the replacement from being created, while the old object is still there, and reports what
   * the replacement means. Called when an input that replaces has changed. Sends reads only. @throws UserError
   */
  checkReplacement?(context: OperationContext, replacement: Replacement<Inputs>): Promise<void>;
  /** The inputs in the one spelling that the service compares by. */
  canonical?(inputs: Inputs): Inputs;
  /** The input that the service keeps unique, where it keeps one. */
  readonly uniqueBy?: RequiredNames<Inputs>;
  /**
   * The objects of the same kind in the place where one with these inputs is created: for refreshes of many, and for the
   * search after a lost answer, which what creates objects needs. Absent where the service has no list.
   */
  siblings?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** The objects among which the unique input must be unique, where they are more than the siblings. */
  holders?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** Reads the object. @throws NotFoundError */
  read(
    context: OperationContext,
    uuid: string,
    state: Partial<Inputs & Outputs>,
  ): Promise<Found<Inputs & Outputs>>;
  /** Makes the object. */
  create(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>>;
  /** Changes the object. */
  update(context: OperationContext, uuid: string, change: Change<Inputs>): Promise<Found<Inputs & Outputs>>;
  /** Waits until the object can be used, where that takes a while. @throws NotReadyError when it takes too long. */
  settle?(
    context: OperationContext,
    found: Found<Inputs & Outputs>,
    state?: Inputs & Outputs,
  ): Promise<Found<Inputs & Outputs>>;
  /** Whether the object of a state can be used. Default: always. */
  isReady?(state: Partial<Inputs & Outputs>): boolean;
  /** Deletes the object. @throws NotFoundError when it is gone already. */
  delete(context: OperationContext, uuid: string, state: Inputs & Outputs): Promise<void>;
}

/** What every operation is given by its host. */
export interface OperationHost {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly clock: Clock;
  readonly isUnknown: IsUnknown;
  readonly memory: RunMemory;
}

/** Which object an operation is about. */
export interface Subject {
  readonly uuid: string;
  readonly state: Properties;
}

/** What reading an object gives. */
export interface Reading extends Subject {
  /** What the program declares of it, as it is now. */
  readonly inputs: Properties;
  /** The UUID that the option `import` names, as the state remembers it. */
  readonly adopt?: unknown;
  /** Whether it can be used; if not, the next update resumes. */
  readonly ready: boolean;
  /** Where it is in its life, for an object that has one. */
  readonly lifecycle?: string;
}

/** The operations of one resource. */
export type ResourceOperations = ReturnType<typeof resourceOperations>;

/** What every resource does with its description. */
export function resourceOperations<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
) {
  // The host hands over values without types; what a description's functions get has passed the check.
  const description = typed as unknown as ResourceDescription;
  const { title, scopes } = description;
  const inputShape = object(description.inputs);

  function scopesFor(session: Session, inputs: Properties): readonly Scope[] {
    if (session.readOnly) return scopes.read;
    return [...scopes.read, ...(typeof scopes.write === "function" ? scopes.write(inputs) : scopes.write)];
  }

  /** The values in the one spelling that the service compares by: UUIDs in lower case, and what the description adds. */
  function canonical(values: Properties): Properties {
    const uuids = Object.entries(values).filter(
      ([name, value]) => description.inputs[name]?.rules?.format === "uuid" && typeof value === "string",
    );
    const spelled = {
      ...values,
      ...Object.fromEntries(uuids.map(([name, value]) => [name, String(value).toLowerCase()])),
    };
    return description.canonical?.(spelled) ?? spelled;
  }

  async function contextFor(host: OperationHost, owner: unknown, subject: string): Promise<OperationContext> {
    if (owner != null) host.memory.owners.add(String(owner));
    const organizationId = await explained(() => requireOrganization(host.session, owner, subject));
    return {
      session: host.session,
      client: host.session.client,
      organizationId,
      signal: host.signal,
      report: host.report,
      clock: host.clock,
      memory: host.memory,
    };
  }

  /** Nothing in this run deletes an object that the program declares with `import`, or declared so at the last `up`. */
  function hold({ memory }: OperationHost, ...uuids: unknown[]): void {
    for (const uuid of uuids) if (isUuid(uuid)) memory.held.add(objectKey(title, uuid.toLowerCase()));
  }

  /**
   * The inputs as they go on, and everything that is wrong with them. Sends nothing but the look-up of the key,
   * and reads the object that a new resource is to adopt.
   *
   * @param adopt the UUID that the option `import` names.
   * @param adoptBefore the UUID that it named at the last `up`.
   */
  async function check(
    host: OperationHost,
    {
      inputs,
      before = {},
      adopt,
      adoptBefore,
      isNew,
    }: {
      readonly inputs: Properties;
      /** The inputs as they were; empty for a new resource. */
      readonly before?: Properties;
      readonly adopt?: unknown;
      readonly adoptBefore?: unknown;
      readonly isNew: boolean;
    },
  ): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
    hold(host, adopt, adoptBefore);
    const declared = withoutNulls(inputs);
    const shape = description.shapeFor?.(declared) ?? inputShape;
    const problems = checkValue(shape, declared, { isUnknown: host.isUnknown });
    const failures = problems.map(({ path, reason }) => {
      const misplaced = path in description.inputs && !(path in shape.fields);
      if (misplaced) return `${path} is not allowed with ${chosenIn(shape)}`;
      return path === "" ? reason : `${path} ${reason}`;
    });
    if (adopt !== undefined)
      failures.push(...checkUuid(adopt, host.isUnknown).map((reason) => `import: ${reason}`));
    if (failures.length > 0) return { inputs, failures };
    await explained(() => requireScopes(host.session, scopesFor(host.session, declared), withArticle(title)));
    const inOneSpelling = canonical(declared);
    const replacement = { before: canonical(before), inputs: inOneSpelling, isUnknown: host.isUnknown };
    if (replacing(replacement).some((name) => name in replacement.before)) {
      const context = await contextFor(host, undefined, title);
      await explained(async () => await description.checkReplacement?.(context, replacement));
    }
    if (adopt === undefined) return { inputs: inOneSpelling, failures };
    const uuid = String(adopt).toLowerCase();
    if (isNew) failures.push(...(await checkAdoption(host, { inputs: inOneSpelling, adopt: uuid })));
    return { inputs: inOneSpelling, failures, adopt: uuid };
  }

  /** What keeps the object from being adopted as declared. Reads it, and nothing else. */
  async function checkAdoption(
    host: OperationHost,
    { inputs, adopt }: { readonly inputs: Properties; readonly adopt: string },
  ): Promise<string[]> {
    const { claimed, kept } = host.memory;
    const key = objectKey(title, adopt);
    if (claimed.has(key))
      return [`import: another resource adopts ${title} ${adopt} already. Give each UUID to one resource.`];
    claimed.add(key);
    const subject = `${title} ${adopt}`;
    const context = await contextFor(host, undefined, subject);
    const { properties } = await readExisting(context, adopt);
    const open = unknownPaths(inputs, host.isUnknown);
    if (open.length > 0) {
      host.report(
        `${open.join(", ")} of ${subject} ${open.length === 1 ? "is" : "are"} not known yet and will be compared before it is adopted.`,
        { stays: true },
      );
    }
    const differing = differences(inputs, properties, host.isUnknown);
    if (differing.length === 0) return [];
    return [
      [
        `the program and ${subject} differ, so it was not adopted:`,
        ...table(
          differing.map(({ path, actual }) => [
            path,
            actual == null
              ? "declared, but not set in the service"
              : "declared with another value than the service has",
          ]),
        ),
        "Make them agree, then run this again. Properties that the program leaves out are left as they are.",
        // Only a replacement checks a resource that the stack has as if it were new.
        ...(kept.has(key)
          ? [
              `The stack manages ${subject} here already, so this change would replace it. To replace it, first remove the option import in a \`pulumi up\` of its own.`,
            ]
          : []),
      ].join("\n"),
    ];
  }

  async function readExisting(context: OperationContext, uuid: string): Promise<Found> {
    try {
      return await description.read(context, uuid, {});
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw explain(error);
      throw notFoundIn(context.organizationId, title, uuid, error);
    }
  }

  /** The inputs that changed, or may have changed, and cannot change in place. */
  function replacing({ before, inputs, isUnknown }: Replacement): string[] {
    return description.replaceOnChanges.filter(
      (name) => isUnknown(inputs[name]) || inputs[name] !== before[name],
    );
  }

  /** Whether the object of a state is surely gone. */
  async function isGone(
    host: OperationHost,
    context: OperationContext,
    { uuid, state }: Subject,
  ): Promise<boolean> {
    try {
      await description.read(context, uuid, state);
      return false;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw explain(error);
      await explained(() => confirmGone(host.session, state[ORGANIZATION_PROPERTY], `${title} ${uuid}`));
      return true;
    }
  }

  /** How the declared inputs differ from the state. Asks nothing of the network but whose key it is. */
  async function diff(
    host: OperationHost,
    { uuid, state, inputs, adopt }: Subject & { readonly inputs: Properties; readonly adopt?: unknown },
  ): Promise<{ replaces: string[]; deleteBeforeReplace: boolean }> {
    const { memory } = host;
    if (importIn(state) === uuid) hold(host, uuid);
    if (state[ADOPTED_PROPERTY] === uuid) {
      memory.kept.add(objectKey(title, uuid));
      memory.kept.add(adoptionKey(uuid, state));
    }
    const context = await contextFor(host, state[ORGANIZATION_PROPERTY], `${title} ${uuid}`);
    const before = canonical(state);
    const replaces = replacing({ before, inputs, isUnknown: host.isUnknown });
    const certain = replaces.filter((name) => !host.isUnknown(inputs[name]));
    if (certain.length > 0 && [adopt, importIn(state)].includes(uuid)) {
      throw new UserError(
        [
          `${capitalized(title)} ${uuid} was adopted with the option import, and another ${certain.join(" and ")} would replace it.`,
          `To replace and delete it, first remove import from the program, change nothing else, and run \`pulumi up\`.`,
          `To keep it, leave it as it was, and declare the new one under another name.`,
        ].join("\n"),
      );
    }
    // What is replaced, or gone, may be replaced by an object that exists: the lost result of an earlier replacement.
    if (replaces.length === 0 && adopt !== undefined && adopt !== uuid) {
      if (await isGone(host, context, { uuid, state }))
        return { replaces: [IMPORT_PROPERTY], deleteBeforeReplace: false };
      throw new UserError(
        `The program declares import: "${adopt}", but the stack has ${title} ${uuid} here. Remove the option to keep ${uuid}; to adopt ${adopt} as well, declare it under another name.`,
      );
    }
    return {
      replaces,
      deleteBeforeReplace:
        replaces.length > 0 && (description.deleteBeforeReplace?.(inputs, before) ?? false),
    };
  }

  /** Runs a write. Lists asked for before or during it may show what was before. */
  async function writing<Value>({ reads }: Session, write: () => Promise<Value>): Promise<Value> {
    reads.forget(description);
    try {
      return await write();
    } finally {
      reads.forget(description);
    }
  }

  /** Makes the object, or takes over the one that exists. */
  async function create(
    host: OperationHost,
    { inputs, adopt }: { readonly inputs: Properties; readonly adopt?: unknown },
  ): Promise<Subject> {
    const context = await contextFor(host, undefined, title);
    if (typeof adopt === "string") return await adoptExisting(host, context, { inputs, uuid: adopt });
    requireKnownOrganization(host.memory.owners, context.organizationId, title);
    const found = await explained(() =>
      writing(host.session, () => createOnce(description, context, inputs)),
    );
    const current = await settled(context, inputs, found, {});
    const state = stateOf(context, inputs, current, {});
    const mismatch = notApplied({ inputs, changed: Object.keys(inputs) }, current);
    // It is there, so it is saved: the next update tries again to bring it to what is declared.
    if (mismatch !== undefined) throw new NotReadyError(current.uuid, state, [mismatch]);
    return { uuid: current.uuid, state };
  }

  /** Takes the object into the state, without a write. */
  async function adoptExisting(
    host: OperationHost,
    context: OperationContext,
    { inputs, uuid }: { readonly inputs: Properties; readonly uuid: string },
  ): Promise<Subject> {
    const { adopted } = host.memory;
    const key = objectKey(title, uuid);
    if (adopted.has(key)) {
      throw new UserError(
        `Another resource of this run has adopted ${title} ${uuid} already. Give each UUID to one resource.`,
      );
    }
    adopted.add(key);
    try {
      const found = await readExisting(context, uuid);
      const differing = differences(inputs, found.properties, host.isUnknown);
      if (differing.length > 0)
        throw new UserError(
          `The ${title} ${uuid} changed since it was compared: ${list(differing)}. Run this again.`,
        );
      const hidden = {
        [ADOPTED_PROPERTY]: uuid,
        [ADOPTION_PROPERTY]: randomUUID(),
        [IMPORT_PROPERTY]: uuid,
      };
      return { uuid: found.uuid, state: stateOf(context, inputs, found, hidden) };
    } catch (error) {
      adopted.delete(key);
      throw error;
    }
  }

  async function settled(
    context: OperationContext,
    inputs: Properties,
    found: Found,
    { hidden = {}, before }: { readonly hidden?: Properties; readonly before?: Properties },
  ): Promise<Found> {
    try {
      return (await description.settle?.(context, found, before)) ?? found;
    } catch (error) {
      // Only what was made just now has to be saved whatever happens; a mere wait makes nothing.
      const made = before === undefined && description.creates !== "nothing";
      if (!(error instanceof NotReadyError) && !made) throw explain(error);
      const reasons = error instanceof NotReadyError ? error.reasons : [explain(error).message];
      const properties = error instanceof NotReadyError ? error.state : found.properties;
      throw new NotReadyError(
        found.uuid,
        stateOf(context, inputs, { ...found, properties }, hidden),
        reasons,
      );
    }
  }

  /** What was sent and the service has otherwise: values that are declared, and those that are not any more. */
  function notApplied({ inputs, changed }: Change, { uuid, properties }: Found): string | undefined {
    const differing = differences(partAt(inputs, changed), properties, () => false);
    const kept = changed
      .filter((path) => valueAt(inputs, path) == null && valueAt(properties, path) != null)
      .filter((path) => !description.filledIn?.includes(path));
    const paths = [...differing.map(({ path }) => path), ...kept];
    if (paths.length === 0) return undefined;
    return `The service did not apply ${paths.join(", ")} of ${title} ${uuid}. Run \`pulumi refresh\` to see what it has.`;
  }

  /** Says what an update found changed by someone else, and left so. */
  function reportDrift(host: OperationHost, inputs: Properties, { uuid, properties }: Found): void {
    const drift = differences(inputs, properties, () => false);
    if (drift.length === 0) return;
    const [were, them] = drift.length === 1 ? ["was", "it"] : ["were", "them"];
    host.report(
      `${list(drift)} of ${title} ${uuid} ${were} changed outside Pulumi, and this update left ${them} unchanged. Run \`pulumi refresh\` to see the difference.`,
      { stays: true },
    );
  }

  /** Reads the object for a refresh, or for a program's `get`. Undefined when it is gone. */
  async function read(host: OperationHost, { uuid, state }: Subject): Promise<Reading | undefined> {
    const subject = `${title} ${uuid}`;
    const failures = checkUuid(uuid, host.isUnknown);
    if (failures.length > 0) throw new UserError(failures.join("\n"));
    const owner = state[ORGANIZATION_PROPERTY];
    const context = await contextFor(host, owner, subject);
    await requireScopes(host.session, scopes.read, `reading ${withArticle(title)}`);
    // Only our own state says what the program declared; for anything else all that the service has counts.
    if (owner === undefined) return imported(context, await readExisting(context, uuid.toLowerCase()));
    try {
      const found = await host.session.reads.read({ description, context, uuid, state });
      const declared = declaredIn(state);
      const current = stateOf(context, declared, found, hiddenIn(state));
      return {
        uuid,
        state: current,
        inputs: declaredPart(declared, found.properties),
        adopt: importIn(state),
        ready: description.isReady?.(current) ?? true,
      };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw explain(error);
      await explained(() => confirmGone(host.session, owner, subject));
      return undefined;
    }
  }

  /** An object that no program has declared yet, as the one that declares all that is set of it would have it. */
  function imported(context: Pick<OperationContext, "organizationId">, found: Found): Reading {
    const { uuid, lifecycle } = found;
    const inputs = importableInputs(description, found.properties);
    const state = stateOf(context, inputs, found, {});
    return { uuid, state, inputs, ready: true, ...(lifecycle !== undefined && { lifecycle }) };
  }

  /** Brings the object to what is declared. */
  async function update(
    host: OperationHost,
    { uuid, state, inputs, adopt }: Subject & { readonly inputs: Properties; readonly adopt?: unknown },
  ): Promise<Properties> {
    const context = await contextFor(host, state[ORGANIZATION_PROPERTY], `${title} ${uuid}`);
    const before = declaredIn(state);
    const change: Change = { inputs, changed: changedPaths(canonical(before), inputs) };
    const found = await explained(() =>
      writing(host.session, () => updateOrNameHolder(context, uuid, change)),
    );
    const mismatch = notApplied(change, found);
    if (mismatch !== undefined) throw new UserError(mismatch);
    reportDrift(host, inputs, found);
    // A state that adopted its object says so when the option is gone, or a refresh could not tell.
    const hidden = {
      ...hiddenIn(state),
      [IMPORT_PROPERTY]: adopt ?? (ADOPTED_PROPERTY in state ? "" : undefined),
    };
    const current = await explained(() => settled(context, inputs, found, { hidden, before: state }));
    // A value that someone else changed stays out of the state until a refresh: with it there, the next update would
    // take it for a change of the program and overwrite it.
    return stateOf(context, inputs, { ...current, properties: { ...current.properties, ...inputs } }, hidden);
  }

  /** Changes the object; when another one has what must be unique, says which. */
  async function updateOrNameHolder(context: OperationContext, uuid: string, change: Change): Promise<Found> {
    try {
      return await description.update(context, uuid, change);
    } catch (error) {
      const { uniqueBy } = description;
      if (!(error instanceof ConflictError) || uniqueBy === undefined || !change.changed.includes(uniqueBy))
        throw error;
      const advice = () =>
        `Rename or delete that one, or choose another ${uniqueBy}. If this stack is still to delete it, after a replacement that was interrupted, delete it in the service and run \`pulumi refresh\`.`;
      throw await namingHolder(description, context, change.inputs, error, advice);
    }
  }

  /** Deletes the object; one that is surely gone already is as good as deleted. */
  async function remove(host: OperationHost, { uuid, state }: Subject): Promise<void> {
    const subject = `${title} ${uuid}`;
    const owner = state[ORGANIZATION_PROPERTY];
    const context = await contextFor(host, owner, subject);
    const { held, kept } = host.memory;
    const key = objectKey(title, uuid);
    if (held.has(key) || (kept.has(key) && !kept.has(adoptionKey(uuid, state)))) {
      host.report(
        `${capitalized(subject)} is kept: the stack holds it by the option import. Only the removed entry leaves the state.`,
        { stays: true },
      );
      return;
    }
    try {
      await writing(host.session, () => description.delete(context, uuid, state));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw explain(error);
      await explained(() => confirmGone(host.session, owner, subject));
    }
  }

  /** How the memory names an entry of the state that adopted an object. */
  function adoptionKey(
    uuid: string,
    { [ADOPTED_PROPERTY]: adopted, [ADOPTION_PROPERTY]: adoption }: Properties,
  ) {
    return `${objectKey(title, uuid)} ${adopted} ${adoption}`;
  }

  /** What the program declared, as the state remembers it: the state keeps no input that was not declared. */
  function declaredIn(state: Properties): Properties {
    return Object.fromEntries(Object.entries(state).filter(([name]) => name in description.inputs));
  }

  function hiddenIn(state: Properties): Properties {
    const hidden = [ADOPTED_PROPERTY, ADOPTION_PROPERTY, IMPORT_PROPERTY].filter((name) => name in state);
    return Object.fromEntries(hidden.map((name) => [name, state[name]]));
  }

  function stateOf(
    { organizationId }: Pick<OperationContext, "organizationId">,
    declared: Properties,
    { properties }: Found,
    hidden: Properties,
  ): Properties {
    const outputs = Object.fromEntries(
      Object.keys(description.outputs).map((name) => [name, properties[name]]),
    );
    return withoutNulls({
      ...declaredPart(declared, properties),
      ...outputs,
      [ORGANIZATION_PROPERTY]: organizationId,
      ...hidden,
    });
  }

  return { description, check, diff, create, read, imported, update, delete: remove };
}

/** The hidden property of inputs and state that holds the UUID which the option `import` names. Never renamed. */
export const IMPORT_PROPERTY = "__import";

/**
 * The hidden property of the state that holds the UUID of an object which the resource adopted instead of creating
 * it. It stays when the option goes. Never renamed.
 */
export const ADOPTED_PROPERTY = "__adopted";

/**
 * The hidden property of the state that tells one adoption from another: a random UUID. A forced replacement that is
 * interrupted leaves two entries for one object, which are alike in all else. Never renamed.
 */
export const ADOPTION_PROPERTY = "__adoption";

/** The UUID that the option `import` named at the last `up`, as the state remembers it. */
function importIn(state: Properties): unknown {
  // Earlier states remember what was adopted, and not whether the option is still there.
  return (state[IMPORT_PROPERTY] ?? state[ADOPTED_PROPERTY]) || undefined;
}

/** The inputs that declare an object as it is: all that is set and may be declared. */
export function importableInputs(description: ResourceDescription, properties: Properties): Properties {
  const fields = description.shapeFor?.(properties).fields ?? description.inputs;
  return withoutNulls(Object.fromEntries(Object.keys(fields).map((name) => [name, properties[name]])));
}

/** What is wrong with a UUID. */
export function checkUuid(value: unknown, isUnknown: IsUnknown = () => false): string[] {
  if (isUnknown(value)) return ["it is not known yet: give the UUID itself."];
  if (isUuid(value)) return [];
  return [
    "only a UUID names an object, as 8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de; slugs, names and paths do not.",
  ];
}

function isUuid(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

async function explained<Value>(operation: () => Promise<Value>): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    throw explain(error);
  }
}

/** The words by which a shape was chosen, as in `appType "WEB"`. */
function chosenIn({ fields }: ObjectShape): string {
  return Object.entries(fields)
    .filter(([, { values }]) => values?.length === 1)
    .map(([name, { values }]) => `${name} ${JSON.stringify(values?.[0])}`)
    .join(", ");
}

function list(differing: readonly { readonly path: string }[]): string {
  return differing.map(({ path }) => path).join(", ");
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}
