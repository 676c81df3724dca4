/**
 * The fault campaign: runs a sequence on a stack with injected faults, and checks the invariants after each command.
 * Then the faults stop, and it checks that the stack converges.
 */

import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../provider/hosts/hosts";
import { DESCRIPTIONS } from "../../provider/resources";
import { canonicalHostname } from "../../provider/shapes/hostname";
import { type Emulator, type FaultEffect, type Scope, startEmulator } from "../../testing/emulator";
import { SCOPES as ALL_SCOPES } from "../../testing/emulator/world/entities";
import { parseUrn } from "../../testing/engine/protocol/urn";
import type { ResourceState } from "../../testing/engine/state/deployment";
import {
  type Declaration,
  type Declared,
  type DeclaredStack,
  isIdOf,
  type Kind,
  type Outcome,
  type ResourceIdentity,
  urnOf,
} from "../support/stacks/declaredStack";
import { inProcessStack } from "../support/stacks/inProcessStack";
import { spawnedStack } from "../support/stacks/spawnedStack";
import { importEntryFor } from "../support/values/importEntry";
import { placesWith } from "../support/values/spellings";
import {
  CANARY,
  declarationsOf,
  effectOf,
  type Options,
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
/** Longer than the resolution of a `Date` header. */
const BETWEEN_COMMANDS_MS = 2_000;
/** The maximum number of attempts for one change, including retries. */
const MAX_ATTEMPTS = 6;
/** How many times the user follows the instructions of errors before everything must succeed. */
const MAX_INSTRUCTIONS = 6;
/** The time limit of a request after the faults have stopped. */
const CALM_TIMEOUT_MS = 10_000;

// biome-ignore-start lint/plugin/readonlyMembers: every sequence adds to them.
/** The counts of a campaign. */
export interface Tally {
  sequences: number;
  commands: number;
  requests: number;
  kills: number;
  /** Changes in the console between a read and a write of the provider. */
  consoleChanges: number;
  readonly faults: Map<string, number>;
  /** Objects left by a lost response or a killed host, each reported by an error or a pending operation. */
  lost: number;
}

// biome-ignore-end lint/plugin/readonlyMembers: every sequence adds to them.
/** A tally of zeros. */
export function newTally(): Tally {
  return { sequences: 0, commands: 0, requests: 0, kills: 0, consoleChanges: 0, faults: new Map(), lost: 0 };
}

/** A broken invariant. The message begins with its kind. */
export class BrokenRule extends Error {
  constructor(
    readonly rule: "duplicate" | "orphan" | "leak" | "loss" | "write" | "convergence" | "emulator",
    detail: string,
  ) {
    super(`${rule}: ${detail}`);
  }
}

/** How the program declares a resource: its location, the former locations in its aliases, and its options. */
interface Placement {
  readonly location: Pick<Declaration, "name" | "component" | "provider">;
  readonly before: readonly Pick<Declaration, "name" | "component">[];
  readonly options: Options;
}

/** State and service before a command. */
interface Before {
  readonly entries: readonly ResourceState[];
  readonly things: readonly Thing[];
}

/** An update: its program, and the URN that it replaces (`--replace`), if any. */
interface Update {
  readonly program: readonly Declaration[];
  readonly replace?: string;
}

const NO_OPTIONS: Options = {
  retainOnDelete: false,
  deleteBeforeReplace: false,
  replaceOnChanges: false,
  ignoreChanges: false,
};
const MISSING_PROJECT = "0e0e0e0e-0000-4000-8000-00000000000e";

/** An object in the service. */
interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly properties: Record<string, unknown>;
}

/**
 * Which hosts run the providers: dynamic-provider hosts or plugins in this process, on a clock on which waits take no time,
 * or dynamic-provider hosts in separate processes.
 */
export type Hosts = "inProcess" | "plugin" | "spawned";

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
  const host = hosts === "plugin" ? NATIVE_HOST : DYNAMIC_HOST;
  const run = new SequenceRun(service, sequence, tally, host);
  const settings = {
    environment: () => ({ DYNAMICLINK_API_KEY: run.environmentKey }),
    config: { "dynamiclink:apiUrl": service.url },
    host,
  };
  const stack =
    hosts === "spawned"
      ? await spawnedStack(settings)
      : inProcessStack({ ...settings, timeoutMs: () => run.timeoutMs, random: () => sequence.chance });
  try {
    await run.on(stack);
    tally.sequences += 1;
  } finally {
    await stack.close();
    await service.close();
  }
}

/** A sequence in progress: the service, the stack, and what the user knows. */
class SequenceRun {
  /** The declarations of the program, under names that never change. */
  private declarations: Declaration[] = [];
  /** The placements of resources that a step has moved or changed. */
  private readonly placements = new Map<string, Placement>();
  /** The `import` options of the program: UUIDs by the name of the declaration. */
  private readonly adoptions = new Map<string, string>();
  /** Objects that were imported under a second name. */
  private readonly importedAgain = new Set<string>();
  /** Objects that were created outside Pulumi. */
  private readonly foreign = new Set<string>();
  /** UUIDs that a message has reported to the user. */
  private readonly reported = new Set<string>();
  /** The kinds of creates that may have had an effect, as a message or a pending operation reports. */
  private readonly possibleCreates: Kind[] = [];
  private keyNumber = 0;
  /** The scopes that the key lacks. */
  private missingScopes: readonly Scope[] = [];
  environmentKey = `${CANARY}0`;
  timeoutMs = TIMEOUT_MS;
  private stack!: DeclaredStack;
  private seenPending: readonly string[] = [];

  constructor(
    private readonly service: Emulator,
    private readonly sequence: Sequence,
    private readonly tally: Tally,
    private readonly host: Host,
  ) {}

  private urnOf(resource: ResourceIdentity): string {
    return urnOf(resource, this.host);
  }

  /** Runs it on an empty stack. */
  async on(stack: DeclaredStack): Promise<void> {
    this.stack = stack;
    for (const step of this.sequence.steps) await this.perform(step);
    await this.converge();
  }

  private async perform(step: Step): Promise<void> {
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
      case "move":
        return this.move(step);
      case "options":
        return this.setOptions(step);
      case "moveToMissing":
        return await this.moveToMissing(step);
      case "replaceElsewhere":
        return await this.replaceElsewhere(step.pick);
      case "adopt":
        return this.adopt(step.pick);
      case "import":
        return await this.importOne(step.pick);
      case "importAgain":
        return await this.importAgain(step);
      case "deleteManually":
        return this.deleteManually(pickOf(this.managed(), step.pick));
      case "changeManually":
        return this.changeManually(pickOf(this.managed(), step.pick));
      case "revokeKey":
        return this.service.revokeKey(this.ownKey());
      case "replaceKey":
        this.keyNumber += 1;
        this.missingScopes = [];
        this.service.addKey(ORGANIZATION, { key: this.ownKey() });
        this.environmentKey = this.ownKey();
        return;
      case "otherOrganization":
        this.environmentKey = OTHER_KEY;
        return;
      case "ownOrganization":
        this.environmentKey = this.ownKey();
        return;
      case "restoreScopes":
        this.missingScopes = [];
        return this.service.setScopes(this.ownKey(), ALL_SCOPES);
      case "removeScopes":
        this.missingScopes = step.scopes;
        return this.service.setScopes(
          this.ownKey(),
          ALL_SCOPES.filter((scope: Scope) => !step.scopes.includes(scope)),
        );
    }
  }

  /** Like the CLI, does not start an update whose preview fails. */
  private async up(trouble: readonly Trouble[], replace?: string): Promise<void> {
    if (this.environmentKey === OTHER_KEY) {
      // Without a declared resource in the state, any organization is valid.
      if (this.liveDeclarations().length === 0) return;
      const { failed } = await this.command(() => this.stack.preview(this.program()), []);
      if (!failed) throw new BrokenRule("loss", "a preview with another organization's key passed");
      return;
    }
    await this.command(() => this.stack.up(this.program(), replace === undefined ? [] : [replace]), trouble, {
      program: this.program(),
      ...(replace !== undefined && { replace }),
    });
  }

  /** Forces the replacement of a declared resource, and optionally adopts its object in the same run. */
  private async replace({ pick, adopting, trouble }: Extract<Step, { do: "replace" }>): Promise<void> {
    const one = pickOf(this.liveDeclarations(), pick);
    if (one === undefined) return await this.up(trouble);
    if (adopting && createsObject(one.kind)) this.adoptions.set(one.name, this.liveId(one) as string);
    await this.up(trouble, this.urn(one));
  }

  /**
   * Forces a replacement with another organization's key. Like the CLI, it starts with a preview, which fails because
   * of the other resources of the stack. SECURITY.md warns about stacks with a single resource.
   */
  private async replaceElsewhere(pick: number): Promise<void> {
    const live = this.liveDeclarations();
    const one = pickOf(live, pick);
    if (one === undefined || live.length < 2) return;
    const key = this.environmentKey;
    this.environmentKey = OTHER_KEY;
    const { failed } = await this.command(() => this.stack.preview(this.program(), [this.urn(one)]), []);
    this.environmentKey = key;
    if (!failed) throw new BrokenRule("loss", "a preview with another organization's key passed");
  }

  /** Moves a domain to a project that does not exist, runs the program, and reverts the program. */
  private async moveToMissing({ pick, trouble }: Extract<Step, { do: "moveToMissing" }>): Promise<void> {
    const one = pickOf(
      this.liveDeclarations().filter(({ kind }) => kind === "CustomDomain"),
      pick,
    );
    if (one === undefined || this.environmentKey === OTHER_KEY) return;
    const id = this.liveId(one);
    const existed = this.things().some((thing) => thing.id === id);
    const { declarations } = this;
    this.declarations = declarations.map((declaration) =>
      declaration === one
        ? { ...one, properties: { ...one.properties, projectId: MISSING_PROJECT } }
        : declaration,
    );
    await this.up(trouble);
    this.declarations = declarations;
    if (existed && !this.things().some((thing) => thing.id === id))
      throw new BrokenRule("loss", `${id} was deleted for a project that does not exist`);
  }

  private ownKey(): string {
    return `${CANARY}${this.keyNumber}`;
  }

  /** The current program with its options. `protect` is off, so only the provider protects adopted objects. */
  private program(): Declaration[] {
    return this.declarations.map((declaration) => {
      const { name, properties } = declaration;
      const adopt = this.adoptions.get(name);
      const { location: place, before, options } = this.placement(name);
      const ids = Object.entries(properties).map(([property, value]) => [
        property,
        isIdOf(value) ? { idOf: this.placed(value.idOf).name } : value,
      ]);
      return {
        ...declaration,
        ...place,
        properties: Object.fromEntries(ids),
        ...(adopt !== undefined && { adopt }),
        aliases: before.map((each) => ({ kind: declaration.kind, ...each })),
        protect: false,
        retainOnDelete: options.retainOnDelete,
        ...(options.deleteBeforeReplace && { deleteBeforeReplace: true }),
        ...(options.replaceOnChanges && { replaceOnChanges: ["*"] }),
        ...(options.ignoreChanges && { ignoreChanges: ignoredOf(declaration) }),
      };
    });
  }

  private placement(name: string): Placement {
    return this.placements.get(name) ?? { location: { name }, before: [], options: NO_OPTIONS };
  }

  private placed(name: string): Placement["location"] {
    return this.placement(name).location;
  }

  /** The URN that a resource has in the program. */
  private urn({ kind, name }: Pick<Declaration, "kind" | "name">): string {
    return this.urnOf({ kind, ...this.placed(name) });
  }

  /** Declares a resource elsewhere: under another name, in a component, with another provider of the same key. */
  private move({ pick, to, alias }: Extract<Step, { do: "move" }>): void {
    const one = pickOf(this.declarations, pick);
    if (one === undefined) return;
    const { location: old, before, options } = this.placement(one.name);
    const place = {
      name: to.renamed ? `${one.name}x` : one.name,
      ...(to.component && { component: "group" }),
      ...(to.provider && { provider: "second" }),
    };
    const { provider: _, ...left } = old;
    const aliases = alias ? [...before, left] : [];
    const isHere = (each: Placement["before"][number]) =>
      each.name === place.name && each.component === place.component;
    this.placements.set(one.name, {
      location: place,
      before: aliases.filter((each) => !isHere(each)),
      options,
    });
  }

  private setOptions({ pick, options }: Extract<Step, { do: "options" }>): void {
    const one = pickOf(this.declarations, pick);
    if (one !== undefined) this.placements.set(one.name, { ...this.placement(one.name), options });
  }

  // Changes outside Pulumi.

  /** Creates the object of a declared resource that is not in the state, as a user of the console would. */
  private createForeign(number: number): { declaration: Declaration; id: string } | undefined {
    const missing = this.declarations.filter(
      ({ kind, name }) =>
        createsObject(kind) && this.liveId({ kind, name }) === undefined && !this.adoptions.has(name),
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
    const made = this.createForeign(number);
    if (made !== undefined) this.adoptions.set(made.declaration.name, made.id);
  }

  private async importOne(number: number): Promise<void> {
    const made = this.createForeign(number);
    if (made === undefined) return;
    await this.importAs(made.id, made.declaration.name);
  }

  /** Imports the object of a declared resource under another name. The program declares one of the two entries. */
  private async importAgain({ pick, declared }: Extract<Step, { do: "importAgain" }>): Promise<void> {
    const one = pickOf(
      this.liveDeclarations().filter(({ kind }) => createsObject(kind)),
      pick,
    );
    const id = one && this.liveId(one);
    if (one === undefined || id === undefined || !this.things().some((thing) => thing.id === id)) return;
    const name = `${one.name}y`;
    if (this.stack.resources.some(({ urn }) => urn === this.urnOf({ kind: one.kind, name }))) return;
    this.importedAgain.add(id);
    const { failed } = await this.importAs(id, name);
    if (declared && !failed)
      this.placements.set(one.name, { ...this.placement(one.name), location: { name }, before: [] });
  }

  private async importAs(id: string, name: string): Promise<Outcome> {
    const thing = this.things().find((each) => each.id === id) as Thing;
    const host = this.host === NATIVE_HOST ? "native" : "dynamic";
    const entry = importEntryFor(host, { ...thing, organizationId: ORGANIZATION }, name);
    return await this.command(() => this.stack.importFile({ resources: [entry] }), []);
  }

  private deleteManually(thing: Thing | undefined): void {
    if (thing === undefined) return;
    if (thing.kind === "Project") this.service.deleteProject(thing.id);
    else if (thing.kind === "Application") this.service.deleteApplication(thing.id);
    else this.service.deleteCustomDomain(thing.id);
  }

  private changeManually(thing: Thing | undefined): void {
    if (thing?.kind === "Project") this.service.updateProject(thing.id, { defaultHookupMsg: "Changed" });
    if (thing?.kind === "Application" && thing.properties.appleInfo != null)
      this.service.updateApplication(thing.id, {
        appleInfo: { ...thing.properties.appleInfo, appScheme: "changed" },
      });
  }

  // Service and state.

  /** All objects in the organization, including domains that are being deleted. */
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

  /** The id of a declared resource in the state, under its own URN or an alias. */
  private liveId({ kind, name }: Pick<Declaration, "kind" | "name">): string | undefined {
    const { location: place, before } = this.placement(name);
    const urns = [place, ...before].map((each) => this.urnOf({ kind, ...each }));
    const live = this.stack.resources.filter((one) => !one.delete && !one.pendingReplacement);
    return urns.map((urn) => live.find((one) => one.urn === urn)?.id).find((id) => id !== undefined);
  }

  /** The declarations whose resource is in the state. */
  private liveDeclarations(): Declaration[] {
    return this.declarations.filter((declaration) => this.liveId(declaration) !== undefined);
  }

  /** The declared properties with resolved ids. Undefined if a referenced resource has no object. */
  private resolved({ properties }: Declaration): Record<string, unknown> | undefined {
    const entries = Object.entries(properties).map(([name, value]) => {
      if (!isIdOf(value)) return [name, value] as const;
      const target = this.declarations.find((declaration) => declaration.name === value.idOf) as Declaration;
      const id = this.liveId(target) ?? this.adoptions.get(target.name);
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

  // Commands, and the invariants after each.

  private async command(
    run: () => Promise<Outcome>,
    trouble: readonly Trouble[],
    update?: Update,
  ): Promise<Outcome> {
    const { service, stack, tally } = this;
    service.clock.advance(BETWEEN_COMMANDS_MS);
    service.clearRequests();
    service.clearFaults();
    const before: Before = { entries: structuredClone(stack.resources), things: this.things() };
    const kinds = new Map<FaultEffect, string>();
    for (const one of trouble) {
      if ("operation" in one) kinds.set(this.inject(one), one.kind);
      else if (one.kind === "kill") this.killAt(one.atRequest);
      else this.changeInConsoleAt(one.atWrite);
    }
    const outcome = await run();
    tally.commands += 1;
    tally.requests += service.requests.length;
    const used = service.faultsUsed;
    await this.waitForEffects();
    for (const { fault } of used) {
      const kind = kinds.get(fault.effect) as string;
      tally.faults.set(kind, (tally.faults.get(kind) ?? 0) + 1);
    }
    this.readMessages(outcome);
    this.checkState(before, update !== undefined && !outcome.failed);
    this.checkSurvivors(before, update);
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

  /** Kills the host when a request arrives. The request still has its effect. */
  private killAt(number: number): void {
    let arrived = 0;
    const count = (): boolean => {
      arrived += 1;
      if (arrived === number) {
        this.tally.kills += 1;
        this.stack.crash();
      }
      return false;
    };
    this.service.inject({ match: count, effect: { delayMs: 0 } });
  }

  /** Changes an object in the console just before the provider changes it. */
  private changeInConsoleAt(number: number): void {
    let arrived = 0;
    const change = ({ path }: { readonly path: string }): boolean => {
      arrived += 1;
      if (arrived === number) {
        this.tally.consoleChanges += 1;
        this.changeManually(this.things().find(({ id }) => path.endsWith(id)));
      }
      return false;
    };
    this.service.inject({
      operation: ["updateProject", "updateApplication"],
      match: change,
      effect: { delayMs: 0 },
    });
  }

  /** Waits until all requests have had their effect, including delayed ones and those of a killed host. */
  private async waitForEffects(): Promise<void> {
    const late = this.service.faultsUsed.filter(({ fault }) => "delayMs" in fault.effect);
    while (late.some(({ request }) => request.status === null)) await new Promise(setImmediate);
    this.service.clearFaults();
    // Connections are accepted and read in the order in which they were opened, so the requests of a killed host are
    // processed before the second of two new connections has its response.
    for (let probe = 0; probe < 2; probe++) {
      const response = await fetch(this.service.url, { headers: { connection: "close" } });
      await response.arrayBuffer();
    }
  }

  /** Records what the messages report to the user. */
  private readMessages({ diagnostics }: Outcome): void {
    for (const { message, urn } of diagnostics) {
      for (const uuid of message.match(UUIDS) ?? []) this.reported.add(uuid);
      if (urn !== undefined && /It is unknown whether the .* was created/.test(message)) {
        this.possibleCreates.push(kindOf(urn));
      }
    }
    const { pending } = this.stack;
    for (const urn of pending.filter((urn) => !this.seenPending.includes(urn)))
      this.possibleCreates.push(kindOf(urn));
    this.stack.clearPending();
    this.seenPending = [];
  }

  /**
   * Only deleted, retained or kept objects leave the state, and only an adopted or imported object can be in the state twice.
   */
  private checkState({ entries }: Before, updated: boolean): void {
    const { resources } = this.stack;
    const ids = new Set(resources.map(({ id }) => id));
    const things = new Map(this.things().map((thing) => [thing.id, thing]));
    for (const { id = "", urn, retainOnDelete, inputs } of entries) {
      // A resource that creates no object has the id of another one.
      if (ids.has(id) || !things.has(id) || !createsObject(kindOf(urn))) continue;
      // The provider keeps an adopted object, and reports it, if its project is replaced in the run that removes it.
      const kept = inputs?.__import === id && this.reported.has(id);
      if (!retainOnDelete && !kept) throw new BrokenRule("loss", `${id} left the state and still exists`);
      this.foreign.add(id);
    }
    const live = resources.filter((one) => !one.delete && createsObject(kindOf(one.urn)));
    for (const { id, urn } of live) {
      const others = live.filter((one) => one.id === id && one.urn !== urn);
      // Two entries can have the same object only until an update succeeds, if one of them adopted or imported it.
      const entered =
        this.importedAgain.has(id ?? "") || [...others, { urn, id }].some((one) => this.adopts(one.urn, id));
      const moving = !updated && entered;
      if (others.length > 0 && !moving)
        throw new BrokenRule("duplicate", `${id} is ${urn} and ${others.map((one) => one.urn)}`);
    }
  }

  /** Whether an entry of the state adopted the object that it has. */
  private adopts(urn: string, id: string | undefined): boolean {
    const entry = this.stack.resources.find((one) => one.urn === urn && !one.delete);
    return [entry?.outputs?.__adopted, entry?.outputs?.__import].includes(id);
  }

  /**
   * Objects disappear only if the provider deletes them, or with their project if the key cannot read them. Objects
   * that the program adopts, or that a resource in the state still has, never disappear.
   */
  private checkSurvivors({ entries, things }: Before, update: Update | undefined): void {
    const ids = new Set(this.things().map(({ id }) => id));
    const gone = things.filter(
      ({ id, properties }) => !ids.has(id) && properties.lifecycleStatus !== "DELETING",
    );
    const deletions = this.service.requests.filter(({ method }) => method === "DELETE");
    const deletesFirst = update?.program.some(({ deleteBeforeReplace }) => deleteBeforeReplace);
    const declared = new Set(
      (update?.program ?? []).flatMap((declaration) =>
        [declaration, ...(declaration.aliases ?? [])].map((one) => this.urnOf(one)),
      ),
    );
    const held = new Set(
      (update?.program ?? []).flatMap((declaration) => {
        const urns = [declaration, ...(declaration.aliases ?? [])].map((one) => this.urnOf(one));
        const before = entries.find(({ urn, delete: replaced }) => urns.includes(urn) && !replaced);
        const option = urns[0] === update?.replace ? undefined : before?.inputs?.__import;
        // An `import` option that is added in the run that replaces the project, and deletes it first with its objects,
        // is too late: docs/importing.md says to add it in a separate run.
        const late = before?.id === declaration.adopt && option === undefined && deletesFirst;
        return [late ? undefined : declaration.adopt, option];
      }),
    );
    for (const { id, kind } of gone) {
      // The service deletes objects that the key cannot read together with their project: see README.md (Limits).
      const unseen = DESCRIPTIONS[kind].scopes.read.some((scope) => this.missingScopes.includes(scope));
      if (!unseen && !deletions.some(({ path }) => path.endsWith(id)))
        throw new BrokenRule("loss", `${id} is gone, though nothing asked for its deletion`);
      if (held.has(id)) throw new BrokenRule("loss", `${id} is gone, which the program holds by import`);
      // If two entries had the object and the program declares one of them, the deletion of the other one must keep it.
      const having = (states: readonly ResourceState[]) =>
        states.filter((one) => one.id === id && createsObject(kindOf(one.urn)));
      const kept = having(this.stack.resources).find(
        (one) => declared.has(one.urn) && !one.delete && !one.pendingReplacement,
      );
      if (kept !== undefined && having(entries).length > 1)
        throw new BrokenRule("loss", `${id} is gone, which ${kept.urn} still has`);
    }
  }

  /** Every object is in the state, was created outside Pulumi, or was reported to the user. */
  private checkObjects(): void {
    const managed = new Set(this.stack.resources.map(({ id }) => id));
    for (const { id, kind } of this.things()) {
      if (managed.has(id) || this.foreign.has(id) || this.reported.has(id)) continue;
      const excuse = this.possibleCreates.indexOf(kind);
      if (excuse < 0) throw new BrokenRule("orphan", `no message says that ${kind} ${id} exists`);
      this.possibleCreates.splice(excuse, 1);
      this.reported.add(id);
      this.tally.lost += 1;
    }
  }

  /** No write is sent more often than documented. */
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

  // Convergence.

  /** Stops the faults and follows the messages as a user does. Then the stack must converge. */
  private async converge(): Promise<void> {
    const { service, stack } = this;
    this.timeoutMs = CALM_TIMEOUT_MS;
    service.clearFaults();
    this.keyNumber += 1;
    this.missingScopes = [];
    service.addKey(ORGANIZATION, { key: this.ownKey() });
    this.environmentKey = this.ownKey();
    this.finishDeletions();
    for (const [name, placement] of this.placements)
      this.placements.set(name, { ...placement, options: NO_OPTIONS });
    this.followMessages();
    await this.succeeds("refresh", () => stack.refresh());
    for (let instruction = 0; ; instruction++) {
      this.dropUselessOptions();
      const program = this.program();
      const outcome = await this.command(() => stack.up(program), [], { program });
      if (!outcome.failed) break;
      const followed = instruction < MAX_INSTRUCTIONS && (await this.followInstruction(outcome));
      if (!followed) throw new BrokenRule("convergence", `up failed: ${messagesOf(outcome)}`);
      await this.succeeds("refresh", () => stack.refresh());
    }
    this.deleteRetained();
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

  /** Deletes objects that are not in the state: retained ones, and those that were reported and are not needed. */
  private deleteRetained(): void {
    const managed = new Set(this.stack.resources.map(({ id }) => id));
    for (const thing of this.things())
      if ((this.foreign.has(thing.id) || this.reported.has(thing.id)) && !managed.has(thing.id))
        this.deleteManually(thing);
  }

  /**
   * Deletes the objects that, according to a message, prevent the deletion of a project, unless the program declares
   * them. An import file contains no dependencies, so the engine may delete a project before its imported objects.
   */
  private deleteUnder(message: string): boolean {
    const wanted = new Set(this.declarations.map((declaration) => this.liveId(declaration)));
    const named: readonly string[] = message.match(UUIDS) ?? [];
    const unwanted = this.things().filter(
      ({ id, kind }) => kind !== "Project" && named.includes(id) && !wanted.has(id),
    );
    for (const thing of unwanted) this.deleteManually(thing);
    this.finishDeletions();
    // Objects that the same run deleted may have disappeared since.
    const ids = this.things().map(({ id }) => id);
    return named.some((id) => !ids.includes(id));
  }

  /** Completes the deletions in progress. */
  private finishDeletions(): void {
    for (const { id, properties } of this.things())
      if (properties.lifecycleStatus === "DELETING") this.service.advanceDomain(id);
  }

  private async succeeds(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = await this.command(run, []);
    if (outcome.failed) throw new BrokenRule("convergence", `${name} failed: ${messagesOf(outcome)}`);
    return outcome;
  }

  /** Adopts or deletes each object that is not in the state. */
  private followMessages(): void {
    const managed = new Set(this.stack.resources.map(({ id }) => id));
    for (const [name, id] of this.adoptions) {
      const stays = this.things().some((thing) => thing.id === id) && !managed.has(id);
      if (!stays) this.adoptions.delete(name);
    }
    for (const thing of this.things()) {
      if (managed.has(thing.id) || !this.things().some(({ id }) => id === thing.id)) continue;
      const fits = (declaration: Declaration) =>
        declaration.kind === thing.kind &&
        this.liveId(declaration) === undefined &&
        agrees(this.resolved(declaration), thing.properties);
      // A resource that already adopts the object has precedence.
      const owner =
        this.declarations.find((one) => this.adoptions.get(one.name) === thing.id && fits(one)) ??
        this.declarations.find((one) => !this.adoptions.has(one.name) && fits(one));
      if (owner === undefined || thing.properties.lifecycleStatus === "DELETING") {
        this.deleteManually(thing);
        for (const [name, id] of this.adoptions) if (id === thing.id) this.adoptions.delete(name);
      } else {
        // Only one resource can adopt an object.
        for (const [name, id] of this.adoptions) if (id === thing.id) this.adoptions.delete(name);
        this.adoptions.set(owner.name, thing.id);
      }
    }
  }

  /** Removes `import` options whose object no longer exists or differs from the program. */
  private dropUselessOptions(): void {
    for (const [name, id] of this.adoptions) {
      const declaration = this.declarations.find((one) => one.name === name);
      const thing = this.things().find((one) => one.id === id);
      const live = declaration && this.liveId(declaration);
      const properties = declaration && this.resolved(declaration);
      const differs = thing && properties !== undefined && !agrees(properties, thing.properties);
      const elsewhere = live !== undefined && live !== id;
      if (declaration === undefined || thing === undefined || differs || elsewhere)
        this.adoptions.delete(name);
    }
  }

  /** Follows the instructions of errors. Returns whether there were any. */
  private async followInstruction({ diagnostics }: Outcome): Promise<boolean> {
    let followed = false;
    for (const { message, urn } of diagnostics) {
      const [adopted] = /remove (the option )?import/.test(message) ? (message.match(UUIDS) ?? []) : [];
      if (adopted !== undefined) {
        followed = true;
        await this.removeOption(adopted);
        continue;
      }
      if (message.includes("so delete them first")) followed = this.deleteUnder(message);
      const uuid = /(?:import: "|is used by [a-z ]+)([0-9a-f-]{36})/.exec(message)?.[1];
      const declaration = this.declarations.find((one) => this.urn(one) === urn);
      if (uuid === undefined || declaration === undefined) continue;
      followed = true;
      if (message.includes("Remove the option to keep")) {
        this.adoptions.delete(declaration.name);
        if (message.includes(`delete ${uuid} in the service`)) this.deleteTaking(declaration, uuid);
      } else this.resolveConflict(declaration, uuid);
    }
    return followed;
  }

  /** Resolves a conflict with an object that has the same unique value, in one of the ways that the error offers. */
  private resolveConflict(declaration: Declaration, uuid: string): void {
    const thing = this.things().find(({ id }) => id === uuid);
    const holder = this.stack.resources.find(({ id }) => id === uuid);
    const wanted = holder !== undefined && this.declarations.some((one) => this.urn(one) === holder.urn);
    const live = this.liveId(declaration) !== undefined;
    // Objects that the stack is still to delete after an interrupted update are deleted in the service, and so are
    // retained ones.
    const fits = thing !== undefined && agrees(this.resolved(declaration), thing.properties);
    const waits = holder?.delete || holder?.pendingReplacement || (live && !wanted);
    if (waits || (holder === undefined && !fits)) this.deleteManually(thing);
    else if (holder === undefined || (fits && uuid < "8")) this.adoptions.set(declaration.name, uuid);
    else this.addAlias(declaration, holder.urn);
  }

  /** Deletes an object whose unique value a replacement needs, unless the state has the object. */
  private deleteTaking({ kind, properties }: Declaration, uuid: string): void {
    const thing = this.things().find(({ id }) => id === uuid);
    const unique = DESCRIPTIONS[kind].uniqueBy;
    const taking = unique !== undefined && thing?.properties[unique] === properties[unique];
    if (taking && !this.stack.resources.some(({ id }) => id === uuid)) this.deleteManually(thing);
  }

  /** Adds an alias for the former name of a resource. */
  private addAlias({ name }: Declaration, urn: string): void {
    const placement = this.placement(name);
    const { name: oldName, qualifiedType } = parseUrn(urn);
    const before = { name: oldName, ...(qualifiedType.includes("$") && { component: "group" }) };
    this.placements.set(name, { ...placement, before: [...placement.before, before] });
  }

  /** Removes the option `import` of a resource with a program that otherwise equals the state. */
  private async removeOption(uuid: string): Promise<void> {
    const live = this.stack.resources.filter((one) => !one.delete && !one.pendingReplacement);
    const adopting = live.filter(({ urn, id }) => this.adopts(urn, id));
    const declared = live.filter(({ urn }) => this.declarations.some((one) => this.urn(one) === urn));
    const isSame = (one: ResourceState, other: ResourceState) =>
      one.id === other.id && kindOf(one.urn) === kindOf(other.urn);
    const program = live
      // The state still has the other entry of an object that was adopted or imported again. The program does not.
      .filter((one) => [...adopting, ...declared, ...live].find((other) => isSame(one, other)) === one)
      .map((one): Declaration => {
        const { name, qualifiedType } = parseUrn(one.urn);
        const { __import: adopt, __provider: _text, ...properties } = one.inputs as Record<string, Declared>;
        return {
          kind: kindOf(one.urn),
          name,
          properties,
          ...(qualifiedType.includes("$") && { component: "group" }),
          ...(one.provider?.includes("::second::") && { provider: "second" }),
          ...(adopt !== undefined && adopt !== uuid && { adopt: String(adopt) }),
          protect: false,
          retainOnDelete: one.retainOnDelete ?? false,
        };
      });
    await this.command(() => this.stack.up(program), [], { program });
    for (const [name, id] of this.adoptions) if (id === uuid) this.adoptions.delete(name);
  }

  /** Service, state and program agree. */
  private checkEqual(): void {
    const things = this.things();
    const expected = this.declarations.filter(({ kind }) => createsObject(kind));
    for (const declaration of this.declarations) {
      const { kind, name } = declaration;
      const resource = this.stack.resources.find(({ urn }) => urn === this.urn(declaration));
      const thing = things.find(({ id }) => id === resource?.id);
      if (resource === undefined || thing === undefined)
        throw new BrokenRule(
          "convergence",
          `${name} is missing in ${resource ? "the service" : "the state"}`,
        );
      const properties = this.resolved(declaration);
      if (!createsObject(kind)) continue;
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

/** The value of `ignoreChanges`: the first input that is not a reference. */
function ignoredOf({ kind, properties }: Declaration): string[] {
  // Without changes of the platform, its info could not be replaced by that of another one.
  if (kind === "Application") return ["appleInfo.appName"];
  return Object.keys(properties)
    .filter((name) => !isIdOf(properties[name] as Declared))
    .slice(0, 1);
}

/** Whether a resource of that kind creates an object. */
function createsObject(kind: Kind): boolean {
  return DESCRIPTIONS[kind].creates === "object";
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

/** Whether all declared values equal the actual ones. Nested objects are compared property by property. */
function agrees(declared: unknown, actual: unknown): boolean {
  if (typeof declared !== "object" || declared === null) return declared === actual;
  return (
    typeof actual === "object" &&
    actual !== null &&
    Object.entries(declared).every(([name, value]) => agrees(value, Reflect.get(actual, name)))
  );
}

/** Whether the body of a request contains the values of a declaration. */
function sameBody(properties: Declaration["properties"], body: unknown): boolean {
  const values = Object.values(properties).filter((value) => !isIdOf(value));
  const sent = JSON.stringify(body ?? null);
  return values.every((value) =>
    typeof value === "object"
      ? // Null is not in the request of a create.
        Object.values(value ?? {}).every((part) => sent.includes(JSON.stringify(part)))
      : sent.includes(JSON.stringify(value)),
  );
}

/** The counts of a campaign, as a row of a table. */
export function tableRow(
  { sequences, commands, requests, kills, consoleChanges, faults, lost }: Tally,
  broken: Readonly<Partial<Record<BrokenRule["rule"], number>>>,
): string {
  const byKind = [...faults].sort(([left], [right]) => left.localeCompare(right, "en"));
  const counts = byKind.map(([kind, count]) => `${kind} ${count}`).join(", ");
  const total = byKind.reduce((sum, [, count]) => sum + count, 0);
  return `| ${sequences} sequences | ${commands} commands, ${requests} requests | ${total} faults (${counts}), ${kills} kills, ${consoleChanges} console changes | ${lost} lost and reported | ${broken.duplicate ?? 0} duplicates | ${broken.orphan ?? 0} orphans | ${broken.leak ?? 0} leaks |`;
}
