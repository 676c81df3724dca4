/**
 * The fault campaign: runs a sequence on a stack while things go wrong, and checks after each step what must hold
 * whatever happens; then lets the faults stop and checks that all comes right.
 */

import { DESCRIPTIONS } from "../../provider/descriptions";
import { canonicalHostname } from "../../provider/hostname";
import { resourceOperations } from "../../provider/resource";
import { type Emulator, type FaultEffect, type Scope, startEmulator } from "../../testing/emulator";
import { scopes as ALL_SCOPES } from "../../testing/emulator/entities";
import { parseUrn } from "../../testing/engine/names";
import {
  type Declaration,
  type DeclaredStack,
  isIdOf,
  type Kind,
  type Outcome,
  urnOf,
} from "../support/declaredStack";
import { inProcessStack } from "../support/inProcessStack";
import { spawnedStack } from "../support/spawnedStack";
import { placesWith } from "../support/spellings";
import {
  CANARY,
  declarationsOf,
  effectOf,
  OTHER_KEY,
  REDIRECT_TARGET,
  type Sequence,
  type Step,
  TIMEOUT_MS,
  type Trouble,
  withoutLongWaits,
} from "./plan";

const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
const OTHER_ORGANIZATION = "0b0b0b0b-0000-4000-8000-000000000002";
/** Longer than any second that a `Date` header cannot tell from the next. */
const BETWEEN_COMMANDS_MS = 2_000;
/** How often one change may be sent: the first attempt and the retries. */
const MAX_ATTEMPTS = 6;
/** How often a user goes by what errors say before everything must be right. */
const MAX_INSTRUCTIONS = 3;
/** How long a client waits once nothing goes wrong any more. */
const CALM_TIMEOUT_MS = 10_000;

/** What a campaign counts. */
export interface Tally {
  sequences: number;
  commands: number;
  requests: number;
  kills: number;
  readonly faults: Map<string, number>;
  /** Objects that a lost answer or a killed host left behind, each with its error or its pending operation. */
  lost: number;
}

/** An empty tally. */
export function newTally(): Tally {
  return { sequences: 0, commands: 0, requests: 0, kills: 0, faults: new Map(), lost: 0 };
}

/** A rule that was broken; the message begins with what the campaign counts: duplicate, orphan, leak, lost state … */
export class BrokenRule extends Error {
  constructor(
    readonly rule: "duplicate" | "orphan" | "leak" | "loss" | "write" | "convergence" | "emulator",
    detail: string,
  ) {
    super(`${rule}: ${detail}`);
  }
}

/** Something that exists in the service. */
interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly properties: Record<string, unknown>;
}

/** Where the provider hosts of a campaign live: in this process on a clock of its own, or in processes of theirs. */
export type Hosts = "inProcess" | "spawned";

/** Runs one sequence. @throws BrokenRule */
export async function runSequence(planned: Sequence, tally: Tally, hosts: Hosts): Promise<void> {
  const sequence = hosts === "spawned" ? withoutLongWaits(planned) : planned;
  const service = await startEmulator({
    behaviour: sequence.behaviour,
    seed: {
      organizations: [
        { id: ORGANIZATION, keys: [{ key: `${CANARY}0` }] },
        { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }] },
      ],
    },
  });
  const run = new SequenceRun(service, sequence, tally);
  const setting = {
    environment: () => ({ DYNAMICLINK_API_KEY: run.environmentKey }),
    config: { "dynamiclink:apiUrl": service.url },
  };
  const stack =
    hosts === "spawned"
      ? await spawnedStack(setting)
      : inProcessStack({ ...setting, timeoutMs: () => run.timeoutMs, random: () => sequence.chance });
  try {
    await run.on(stack);
    tally.sequences += 1;
  } finally {
    await stack.close();
    await service.close();
  }
}

/** One sequence under way: the service, the stack, and what a user knows. */
class SequenceRun {
  private declarations: Declaration[] = [];
  /** Objects to adopt, by logical name: as a program's `import` options. */
  private readonly adoptions = new Map<string, string>();
  /** Objects that were made behind Pulumi's back. */
  private readonly foreign = new Set<string>();
  /** Objects of lost creates that a message has told the user about. */
  private readonly told = new Set<string>();
  /** Creates of which a message or a pending operation says that they may have made an object. */
  private readonly excuses: Kind[] = [];
  private imported = false;
  private keyNumber = 0;
  environmentKey = `${CANARY}0`;
  timeoutMs = TIMEOUT_MS;
  private stack!: DeclaredStack;
  private seenPending: readonly string[] = [];

  constructor(
    private readonly service: Emulator,
    private readonly sequence: Sequence,
    private readonly tally: Tally,
  ) {}

  /** Runs it on an empty stack. */
  async on(stack: DeclaredStack): Promise<void> {
    this.stack = stack;
    for (const step of this.sequence.steps) await this.take(step);
    await this.comeRight();
  }

  private async take(step: Step): Promise<void> {
    switch (step.do) {
      case "up":
        return await this.up(step.trouble);
      case "replace":
        return await this.replace(step);
      case "refresh":
        return void (await this.command(() => this.stack.refresh(), step.trouble));
      case "destroy":
        return void (await this.command(() => this.stack.destroy(), step.trouble));
      case "program":
        this.declarations = declarationsOf(step.plan);
        return;
      case "adopt":
        return this.adopt(step.pick);
      case "import":
        return await this.importOne(step.pick);
      case "deleteBehind":
        return this.deleteBehind(pickOf(this.managed(), step.pick));
      case "changeBehind":
        return this.changeBehind(pickOf(this.managed(), step.pick));
      case "revokeKey":
        return this.service.revokeKey(this.ownKey());
      case "replaceKey":
        this.keyNumber += 1;
        this.service.addKey(ORGANIZATION, { key: this.ownKey() });
        this.environmentKey = this.ownKey();
        return;
      case "otherOrganization":
        this.environmentKey = OTHER_KEY;
        return;
      case "ownOrganization":
        this.environmentKey = this.ownKey();
        return;
      case "giveScopesBack":
        return this.service.setScopes(this.ownKey(), ALL_SCOPES);
      case "removeScopes":
        return this.service.setScopes(
          this.ownKey(),
          ALL_SCOPES.filter((scope: Scope) => !step.scopes.includes(scope)),
        );
    }
  }

  /** As the CLI does it: what fails in preview is not begun. */
  private async up(trouble: readonly Trouble[], replace?: string): Promise<void> {
    if (this.environmentKey === OTHER_KEY) {
      // Where the program declares nothing that the state has, any organization is the right one.
      if (!this.declarations.some(({ kind, name }) => this.liveId(kind, name) !== undefined)) return;
      const { failed } = await this.command(() => this.stack.preview(this.program()), []);
      if (!failed) throw new BrokenRule("loss", "a preview with another organization's key passed");
      return;
    }
    const kept = this.stack.resources.find(({ urn }) => urn === replace)?.id;
    const adopted = this.things().find(({ id }) => id === kept && [...this.adoptions.values()].includes(id));
    await this.command(() => this.stack.up(this.program(), replace === undefined ? [] : [replace]), trouble);
    if (adopted !== undefined && !this.things().some(({ id }) => id === adopted.id))
      throw new BrokenRule("loss", `a forced replacement destroyed ${adopted.id}, which the program adopts`);
  }

  /**
   * Replaces by force what the program declares. Every other time it does so with an option that adopts what is there;
   * then without trouble, on a stack that is in order: when such a replacement is interrupted between its halves, nothing
   * protects the object (SECURITY.md).
   */
  private async replace({ pick, trouble }: Extract<Step, { do: "replace" }>): Promise<void> {
    const live = this.declarations.filter(({ kind, name }) => this.liveId(kind, name) !== undefined);
    const one = pickOf(live, pick);
    if (one === undefined) return await this.up(trouble);
    if (pick % 2 === 1 || one.kind === "CustomDomainActivation") {
      await this.up(trouble, urnOf(one));
      return;
    }
    const { failed, changes } = await this.command(() => this.stack.preview(this.program()), []);
    if (failed || Object.keys(changes).some((operation) => operation !== "same")) return;
    this.adoptions.set(one.name, this.liveId(one.kind, one.name) as string);
    await this.up([], urnOf(one));
  }

  private ownKey(): string {
    return `${CANARY}${this.keyNumber}`;
  }

  /** The program as it stands, with its `import` options. */
  private program(): Declaration[] {
    return this.declarations.map((declaration) => {
      const adopt = this.adoptions.get(declaration.name);
      return adopt === undefined ? declaration : { ...declaration, adopt, protect: false };
    });
  }

  // What happens behind Pulumi's back.

  /** Makes the object of a declared resource that the stack does not have, as someone at the console would. */
  private makeForeign(number: number): { declaration: Declaration; id: string } | undefined {
    const missing = this.declarations.filter(
      ({ kind, name }) =>
        kind !== "CustomDomainActivation" &&
        this.liveId(kind, name) === undefined &&
        !this.adoptions.has(name),
    );
    const declaration = pickOf(missing, number);
    const properties = declaration && this.resolved(declaration);
    if (properties === undefined || declaration === undefined) return undefined;
    if (this.taken(declaration.kind, properties)) return undefined;
    const { service } = this;
    const { projectId, ...rest } = properties as { projectId: string };
    const { id } =
      declaration.kind === "Project"
        ? service.createProject(ORGANIZATION, properties as never)
        : declaration.kind === "Application"
          ? service.createApplication(projectId, rest as never)
          : service.createCustomDomain(projectId, rest as never);
    this.foreign.add(id);
    return { declaration, id };
  }

  private adopt(number: number): void {
    const made = this.makeForeign(number);
    if (made !== undefined) this.adoptions.set(made.declaration.name, made.id);
  }

  private async importOne(number: number): Promise<void> {
    const made = this.makeForeign(number);
    if (made === undefined) return;
    const { kind, name } = made.declaration;
    const description = DESCRIPTIONS[kind];
    const thing = this.things().find(({ id }) => id === made.id) as Thing;
    const { inputs, state } = resourceOperations<never, never>(description as never).imported(
      { organizationId: ORGANIZATION },
      { uuid: made.id, properties: thing.properties as never, createdAt: "" },
    );
    const text = {
      __provider: `exports.handler=()=>require("pulumi-dynamiclink/provider").${description.exportName}`,
    };
    const type = `pulumi-nodejs:dynamic/dynamiclink:${kind}`;
    const entry = { type, name, id: made.id, inputs: { ...inputs, ...text }, outputs: { ...state, ...text } };
    this.imported = true;
    await this.command(() => this.stack.importFile({ resources: [entry as never] }), []);
  }

  private deleteBehind(thing: Thing | undefined): void {
    if (thing === undefined) return;
    if (thing.kind === "Project") this.service.deleteProject(thing.id);
    else if (thing.kind === "Application") this.service.deleteApplication(thing.id);
    else this.service.deleteCustomDomain(thing.id);
  }

  private changeBehind(thing: Thing | undefined): void {
    if (thing?.kind === "Project") this.service.updateProject(thing.id, { defaultHookupMsg: "Changed" });
    if (thing?.kind === "Application" && thing.properties.appleInfo != null)
      this.service.updateApplication(thing.id, {
        appleInfo: { ...thing.properties.appleInfo, appScheme: "changed" },
      });
  }

  // What is there.

  /** Everything that exists in the organization. A domain that is being deleted counts until it is gone. */
  private things(): Thing[] {
    const { projects, applications, customDomains } = this.service.state;
    return [
      ...projects.map(({ id, ...properties }) => ({ kind: "Project" as const, id, properties })),
      ...applications.map(({ id, ...properties }) => ({ kind: "Application" as const, id, properties })),
      ...customDomains.map(({ id, ...properties }) => ({
        kind: "CustomDomain" as const,
        id,
        properties: { ...properties, hostname: canonicalHostname(properties.hostname) },
      })),
    ];
  }

  private managed(): Thing[] {
    const ids = new Set(this.stack.resources.map(({ id }) => id));
    return this.things().filter(({ id }) => ids.has(id));
  }

  /** The id of a resource in the state that is not about to be replaced or deleted. */
  private liveId(kind: Kind, name: string): string | undefined {
    return this.stack.resources.find(
      (resource) =>
        resource.urn === urnOf({ kind, name }) && !resource.delete && !resource.pendingReplacement,
    )?.id;
  }

  /** The declared properties with the ids of the resources they refer to; undefined when one has none yet. */
  private resolved({ properties }: Declaration): Record<string, unknown> | undefined {
    const entries = Object.entries(properties).map(([name, value]) => {
      if (!isIdOf(value)) return [name, value] as const;
      const target = this.declarations.find((declaration) => declaration.name === value.idOf) as Declaration;
      const id = this.liveId(target.kind, target.name) ?? this.adoptions.get(target.name);
      return [name, this.things().some((thing) => thing.id === id) ? id : undefined] as const;
    });
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
  }

  private taken(kind: Kind, properties: Record<string, unknown>): boolean {
    const unique = DESCRIPTIONS[kind].uniqueBy;
    return (
      unique !== undefined &&
      this.things().some((thing) => thing.kind === kind && thing.properties[unique] === properties[unique])
    );
  }

  // Commands, and what must hold after each.

  private async command(run: () => Promise<Outcome>, trouble: readonly Trouble[]): Promise<Outcome> {
    const { service, stack, tally } = this;
    service.clock.advance(BETWEEN_COMMANDS_MS);
    service.clearRequests();
    service.clearFaults();
    const idsBefore = stack.resources.map(({ id }) => id as string);
    const kinds = new Map<FaultEffect, string>();
    for (const one of trouble) {
      if ("operation" in one) kinds.set(this.inject(one), one.kind);
      else this.killAt(one.atRequest);
    }
    const outcome = await run();
    tally.commands += 1;
    tally.requests += service.requests.length;
    const used = service.faultsUsed;
    await this.effectsAreIn();
    for (const { fault } of used) {
      const kind = kinds.get(fault.effect) as string;
      tally.faults.set(kind, (tally.faults.get(kind) ?? 0) + 1);
    }
    this.takeNote(outcome);
    this.checkState(idsBefore);
    this.checkObjects();
    this.checkWrites(outcome);
    this.checkSecrets(outcome);
    if (service.violations.length > 0) throw new BrokenRule("emulator", JSON.stringify(service.violations));
    return outcome;
  }

  private inject({ kind, operation, skip, count }: Extract<Trouble, { operation: unknown }>): FaultEffect {
    const effect = effectOf(kind, this.environmentKey);
    this.service.inject({ operation, skip, count, effect });
    return effect;
  }

  /** Kills the host when a request arrives, which is carried out all the same. */
  private killAt(number: number): void {
    let arrived = 0;
    const count = (): boolean => {
      arrived += 1;
      if (arrived === number) {
        this.tally.kills += 1;
        this.stack.kill();
      }
      return false;
    };
    this.service.inject({ match: count, effect: { delayMs: 0 } });
  }

  /** Waits until no request is on its way: a late effect has come, a dead host's request has been carried out. */
  private async effectsAreIn(): Promise<void> {
    const late = this.service.faultsUsed.filter(({ fault }) => "delayMs" in fault.effect);
    while (late.some(({ request }) => request.status === null)) await new Promise(setImmediate);
    this.service.clearFaults();
    // A connection is accepted after those that were opened before it, and read after them: what a dead host still
    // sent is carried out before the second of two new ones is answered.
    for (let probe = 0; probe < 2; probe++) {
      const response = await fetch(this.service.url, { headers: { connection: "close" } });
      await response.arrayBuffer();
    }
  }

  /** Reads the messages as a user does. */
  private takeNote({ diagnostics }: Outcome): void {
    for (const { message, urn } of diagnostics) {
      for (const uuid of message.match(UUIDS) ?? []) this.told.add(uuid);
      if (urn !== undefined && /It is not known whether the .* was made/.test(message)) {
        this.excuses.push(kindOf(urn));
      }
    }
    const { pending } = this.stack;
    for (const urn of pending.filter((urn) => !this.seenPending.includes(urn)))
      this.excuses.push(kindOf(urn));
    this.stack.clearPending();
    this.seenPending = [];
  }

  /** Nothing leaves the state but what is gone, and nothing is in it twice. */
  private checkState(idsBefore: readonly string[]): void {
    const { resources } = this.stack;
    const ids = new Set(resources.map(({ id }) => id));
    const things = new Map(this.things().map((thing) => [thing.id, thing]));
    for (const id of idsBefore) {
      if (!ids.has(id) && things.has(id))
        throw new BrokenRule("loss", `${id} left the state and still exists`);
    }
    const live = resources.filter((one) => !one.delete && kindOf(one.urn) !== "CustomDomainActivation");
    for (const { id, urn } of live) {
      const others = live.filter((one) => one.id === id && one.urn !== urn);
      if (others.length > 0)
        throw new BrokenRule("duplicate", `${id} is ${urn} and ${others.map((one) => one.urn)}`);
    }
  }

  /** Every object is the stack's, or was made behind its back, or the user was told of it. */
  private checkObjects(): void {
    const managed = new Set(this.stack.resources.map(({ id }) => id));
    for (const { id, kind } of this.things()) {
      if (managed.has(id) || this.foreign.has(id) || this.told.has(id)) continue;
      const excuse = this.excuses.indexOf(kind);
      if (excuse < 0) throw new BrokenRule("orphan", `no message says that ${kind} ${id} exists`);
      this.excuses.splice(excuse, 1);
      this.told.add(id);
      this.tally.lost += 1;
    }
  }

  /** Nothing is sent more often than the documentation says. */
  private checkWrites(outcome: Outcome): void {
    const writes = Map.groupBy(
      this.service.requests.filter(({ method }) => method !== "GET"),
      ({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`,
    );
    for (const [what, requests] of writes) {
      const declared = this.declarations.filter(({ properties }) =>
        sameBody(properties, requests[0]?.body),
      ).length;
      const turnedAway = requests.filter(({ status }) => status === 429 || status === 503).length;
      const allowed = what.startsWith("POST") ? Math.max(1, declared) + turnedAway : MAX_ATTEMPTS;
      if (requests.length > allowed) {
        throw new BrokenRule("write", `${requests.length} times ${what}: ${messagesOf(outcome)}`);
      }
    }
  }

  private checkSecrets({ diagnostics }: Outcome): void {
    const places = {
      messages: JSON.stringify(diagnostics),
      state: this.stack.stateText(),
      requests: JSON.stringify(this.service.requests),
    };
    for (const key of [CANARY, OTHER_KEY]) {
      const found = placesWith(key, places);
      if (found.length > 0) throw new BrokenRule("leak", `a key is in ${found.join(" and ")}`);
    }
    if (this.service.requests.some(({ path }) => REDIRECT_TARGET.endsWith(path)))
      throw new BrokenRule("leak", "a redirect was followed");
  }

  // The end.

  /** The faults stop; a user does what the messages say; then one refresh and one up make all right. */
  private async comeRight(): Promise<void> {
    const { service, stack } = this;
    this.timeoutMs = CALM_TIMEOUT_MS;
    service.clearFaults();
    this.keyNumber += 1;
    service.addKey(ORGANIZATION, { key: this.ownKey() });
    this.environmentKey = this.ownKey();
    // What was told to go while answers were lost is gone by then.
    for (const { id, properties } of this.things())
      if (properties.lifecycleStatus === "DELETING") service.advanceDomain(id);
    this.followMessages();
    await this.succeeds("refresh", () => stack.refresh());
    for (let instruction = 0; ; instruction++) {
      this.dropUselessOptions();
      const outcome = await this.command(() => stack.up(this.program()), []);
      if (!outcome.failed) break;
      const followed = instruction < MAX_INSTRUCTIONS && this.followInstruction(outcome);
      if (!followed) throw new BrokenRule("convergence", `up failed: ${messagesOf(outcome)}`);
      await this.succeeds("refresh", () => stack.refresh());
    }
    this.checkEqual();
    const again = await this.succeeds("preview", () => stack.preview(this.program()));
    expectUnchanged("preview", again);
    await this.succeeds("refresh", () => stack.refresh());
    this.checkEqual();
    expectUnchanged("up", await this.succeeds("up", () => stack.up(this.program())));
    await this.succeeds("destroy", () => stack.destroy());
    if (this.things().length > 0 || stack.resources.length > 0)
      throw new BrokenRule("orphan", `after destroy there is ${JSON.stringify(this.things())}`);
  }

  private async succeeds(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = await this.command(run, []);
    if (outcome.failed) throw new BrokenRule("convergence", `${name} failed: ${messagesOf(outcome)}`);
    return outcome;
  }

  /** Takes over or deletes each object that the stack does not have: those it was told of, and the foreign ones. */
  private followMessages(): void {
    const managed = new Set(this.stack.resources.map(({ id }) => id));
    for (const [name, id] of this.adoptions) {
      const stays = this.things().some((thing) => thing.id === id) && !managed.has(id);
      if (!stays) this.adoptions.delete(name);
    }
    for (const thing of this.things()) {
      if (managed.has(thing.id) || !this.things().some(({ id }) => id === thing.id)) continue;
      const owner = this.declarations.find(
        (declaration) =>
          declaration.kind === thing.kind &&
          this.liveId(declaration.kind, declaration.name) === undefined &&
          (this.adoptions.get(declaration.name) ?? thing.id) === thing.id &&
          agrees(this.resolved(declaration), thing.properties),
      );
      if (owner === undefined || thing.properties.lifecycleStatus === "DELETING") {
        this.deleteBehind(thing);
        for (const [name, id] of this.adoptions) if (id === thing.id) this.adoptions.delete(name);
      } else this.adoptions.set(owner.name, thing.id);
    }
  }

  /** An option that names an object which is no more, or which differs by now, is taken out of the program. */
  private dropUselessOptions(): void {
    for (const [name, id] of this.adoptions) {
      const declaration = this.declarations.find((one) => one.name === name);
      const thing = this.things().find((one) => one.id === id);
      const managed = this.stack.resources.some((resource) => resource.id === id);
      if (declaration === undefined || thing === undefined) this.adoptions.delete(name);
      else if (managed && !agrees(this.resolved(declaration), thing.properties)) this.adoptions.delete(name);
    }
  }

  /** Does what an error asks for: adds an `import` option, or runs `up` again once what stood in the way is gone. */
  private followInstruction({ diagnostics }: Outcome): boolean {
    let followed = false;
    for (const { message, urn } of diagnostics) {
      // After an import the state knows no order until the next `up`, so what is under a project may go after it.
      if (this.imported && message.includes("delete or move what is under it first")) followed = true;
      const uuid = /(?:import: "|is held by [a-z ]+)([0-9a-f-]{36})/.exec(message)?.[1];
      const declaration = this.declarations.find(({ kind, name }) => urnOf({ kind, name }) === urn);
      if (uuid === undefined || declaration === undefined) continue;
      followed = true;
      const waits = this.stack.resources.some((resource) => resource.id === uuid && resource.delete);
      // An interrupted replacement left it to be deleted, but its name is wanted back first.
      if (waits) this.deleteBehind(this.things().find(({ id }) => id === uuid));
      else this.adoptions.set(declaration.name, uuid);
    }
    return followed;
  }

  /** Service, state and program are the same. */
  private checkEqual(): void {
    const things = this.things();
    const expected = this.declarations.filter(({ kind }) => kind !== "CustomDomainActivation");
    for (const declaration of this.declarations) {
      const { kind, name } = declaration;
      const resource = this.stack.resources.find(({ urn }) => urn === urnOf({ kind, name }));
      const thing = things.find(({ id }) => id === resource?.id);
      if (resource === undefined || thing === undefined)
        throw new BrokenRule(
          "convergence",
          `${name} is missing in ${resource ? "the service" : "the state"}`,
        );
      const properties = this.resolved(declaration);
      if (kind === "CustomDomainActivation") continue;
      if (!agrees(properties, thing.properties)) {
        throw new BrokenRule(
          "convergence",
          `${name} is ${JSON.stringify(thing.properties)}, not ${JSON.stringify(properties)}`,
        );
      }
      if (!agrees(properties, resource.outputs ?? {}))
        throw new BrokenRule("convergence", `the state of ${name} is ${JSON.stringify(resource.outputs)}`);
    }
    if (this.stack.resources.length !== this.declarations.length)
      throw new BrokenRule("convergence", `the state has ${this.stack.resources.map(({ urn }) => urn)}`);
    if (things.length !== expected.length) {
      throw new BrokenRule("duplicate", `${things.length} objects for ${expected.length} resources`);
    }
  }
}

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function pickOf<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length];
}

function kindOf(urn: string): Kind {
  return parseUrn(urn).type.split(":").at(-1) as Kind;
}

function messagesOf({ diagnostics }: Outcome): string {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, urn = "" }) => `${urn}: ${message}`)
    .join("\n");
}

function expectUnchanged(command: string, { changes }: Outcome): void {
  const { same: _, ...others } = changes;
  if (Object.keys(others).length > 0)
    throw new BrokenRule("convergence", `a second ${command} would ${JSON.stringify(others)}`);
}

/** Whether everything declared is so; nested objects property by property. */
function agrees(declared: unknown, actual: unknown): boolean {
  if (typeof declared !== "object" || declared === null) return declared === actual;
  return (
    typeof actual === "object" &&
    actual !== null &&
    Object.entries(declared).every(([name, value]) => agrees(value, Reflect.get(actual, name)))
  );
}

/** Whether a request's body is what a declaration makes of itself. */
function sameBody(properties: Declaration["properties"], body: unknown): boolean {
  const values = Object.values(properties).filter((value) => !isIdOf(value));
  const sent = JSON.stringify(body ?? null);
  return values.every((value) =>
    typeof value === "object"
      ? Object.values(value).every((part) => sent.includes(JSON.stringify(part)))
      : sent.includes(JSON.stringify(value)),
  );
}

/** The row of a table that sums a campaign up. */
export function tableRow(
  { sequences, commands, requests, kills, faults, lost }: Tally,
  broken: Readonly<Partial<Record<BrokenRule["rule"], number>>>,
): string {
  const byKind = [...faults].sort(([left], [right]) => left.localeCompare(right, "en"));
  const counts = byKind.map(([kind, count]) => `${kind} ${count}`).join(", ");
  const total = byKind.reduce((sum, [, count]) => sum + count, 0);
  return `| ${sequences} sequences | ${commands} commands, ${requests} requests | ${total} faults (${counts}), ${kills} kills | ${lost} lost and told | ${broken.duplicate ?? 0} duplicates | ${broken.orphan ?? 0} orphans | ${broken.leak ?? 0} leaks |`;
}
