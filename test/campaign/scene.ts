/** A sequence in progress: the service, the stack, the program, and what the user knows. */
import { addsObject } from "../../provider/lifecycle/creates";
import { DESCRIPTIONS } from "../../provider/resources";
import { canonicalHostname } from "../../provider/values/hostname";
import type { Emulator } from "../../testing/emulator";
import { parseUrn } from "../../testing/engine/protocol/urn";
import type { ResourceState } from "../../testing/engine/state/snapshot";
import { type Declaration, type DeclaredStack, isIdOf, type Kind } from "../support/stacks/declaredStack";
import { ORGANIZATION } from "../support/values/organizations";
import { CANARY, TIMEOUT_MS } from "./disruptions";

/** How the program names a resource: now, and in its aliases. */
interface Placement {
  readonly name: string;
  readonly before: readonly string[];
}

export interface Thing {
  readonly kind: "Project" | "Application" | "CustomDomain";
  readonly id: string;
  readonly properties: Record<string, unknown>;
}

export const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export class Scene {
  stack!: DeclaredStack;
  /** The declarations of the program, under names that never change. */
  declarations: Declaration[] = [];
  /** The placements of resources that a step has renamed. */
  readonly placements = new Map<string, Placement>();
  /** The `import` options of the program: UUIDs by the name of the declaration. */
  readonly adoptions = new Map<string, string>();
  /** Objects that were created outside Pulumi, or that left the state. */
  readonly foreign = new Set<string>();
  /** UUIDs that a message has reported to the user. */
  readonly reported = new Set<string>();
  /** Objects that a provider has kept although their entry was deleted, as it has said. */
  readonly kept = new Set<string>();
  /** Objects of which the user knows only that they may have been created. No message has their UUIDs yet. */
  readonly uncertain = new Set<string>();
  /** The number of values that were changed in the console. */
  edits = 0;
  keyNumber = 0;
  environmentKey = `${CANARY}0`;
  timeoutMs = TIMEOUT_MS;

  constructor(readonly service: Emulator) {}

  ownKey(): string {
    return `${CANARY}${this.keyNumber}`;
  }

  /** Gives the stack a new key. */
  replaceKey(): void {
    this.keyNumber += 1;
    this.service.addKey(ORGANIZATION, { key: this.ownKey() });
    this.environmentKey = this.ownKey();
  }

  /** The current program with its options. `protect` is off, so only the provider protects adopted objects. */
  program(): Declaration[] {
    return this.declarations.map((declaration) => {
      const { kind, properties } = declaration;
      const adopt = this.adoptions.get(declaration.name);
      const { name, before } = this.placement(declaration.name);
      const ids = Object.entries(properties).map(([property, value]) => [
        property,
        isIdOf(value) ? { idOf: this.placement(value.idOf).name } : value,
      ]);
      return {
        kind,
        name,
        properties: Object.fromEntries(ids),
        ...(adopt !== undefined && { adopt }),
        aliases: before.map((each) => ({ kind, name: each })),
        protect: false,
        retainOnDelete: false,
      };
    });
  }

  placement(name: string): Placement {
    return this.placements.get(name) ?? { name, before: [] };
  }

  /** The URN that a resource has in the program. */
  urn({ kind, name }: Pick<Declaration, "kind" | "name">): string {
    return this.stack.urnOf({ kind, name: this.placement(name).name });
  }

  /** The declared properties with resolved ids. Undefined if a referenced resource has no object. */
  resolved({ properties }: Declaration): Record<string, unknown> | undefined {
    const entries = Object.entries(properties).map(([name, value]) => {
      if (!isIdOf(value)) return [name, value] as const;
      const target = this.declarations.find((declaration) => declaration.name === value.idOf) as Declaration;
      const id = this.liveId(target) ?? this.adoptions.get(target.name);
      return [name, this.thing(id) && id] as const;
    });
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
  }

  /** All objects in the organization, including domains that are being deleted; or those of other organizations. */
  things(isOwn = true): Thing[] {
    const { state } = this.service;
    const projects = state.projects.filter((one) => (one.organizationId === ORGANIZATION) === isOwn);
    const ids = new Set(projects.map(({ id }) => id));
    const things = (kind: Thing["kind"], objects: readonly { readonly id: string }[]): Thing[] =>
      objects.map(({ id, ...properties }) => ({ kind, id, properties }));
    const applications = state.applications.filter(({ projectId }) => ids.has(projectId));
    const domains = state.customDomains
      .filter(({ projectId }) => ids.has(projectId))
      .map((domain) => ({ ...domain, hostname: canonicalHostname(domain.hostname) }));
    const contents = [...things("Application", applications), ...things("CustomDomain", domains)];
    return [...things("Project", projects), ...contents];
  }

  thing(id: string | undefined): Thing | undefined {
    return this.things().find((one) => one.id === id);
  }

  /** The objects that the stack has. */
  managed(): Thing[] {
    const ids = new Set(this.stack.resources.map(({ id }) => id));
    return this.things().filter(({ id }) => ids.has(id));
  }

  /** Whether another object has the unique value of such an object. */
  taken(kind: Kind, properties: Record<string, unknown>): boolean {
    const unique = DESCRIPTIONS[kind].uniqueBy;
    return (
      unique !== undefined &&
      this.things().some((thing) => thing.kind === kind && thing.properties[unique] === properties[unique])
    );
  }

  /** The entries of the state that the engine is not to delete. */
  liveEntries(): ResourceState[] {
    return this.stack.resources.filter((one) => !one.delete && !one.pendingReplacement);
  }

  /** The id of a declared resource in the state, under its own URN or an alias. */
  liveId({ kind, name }: Pick<Declaration, "kind" | "name">): string | undefined {
    const { name: now, before } = this.placement(name);
    const urns = [now, ...before].map((each) => this.stack.urnOf({ kind, name: each }));
    const live = this.liveEntries();
    return urns.map((urn) => live.find((one) => one.urn === urn)?.id).find((id) => id !== undefined);
  }

  /** The declarations whose resource is in the state. */
  liveDeclarations(): Declaration[] {
    return this.declarations.filter((declaration) => this.liveId(declaration) !== undefined);
  }

  /** Whether an entry of the state adopted the object that it has. */
  adopts({ urn, id }: Pick<ResourceState, "urn" | "id">): boolean {
    const entry = this.stack.resources.find((one) => one.urn === urn && !one.delete);
    return [entry?.outputs?.__adopted, entry?.outputs?.__import].includes(id);
  }
}

export function pickOf<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % items.length];
}

export function createsObject(kind: Kind): boolean {
  return addsObject(DESCRIPTIONS[kind]);
}

export function kindOf(urn: string): Kind {
  return parseUrn(urn).type.split(":").at(-1) as Kind;
}

/** A value as text: the letter case of fingerprints does not matter, nor their order, which the service may change. */
export function canonicalText(value: unknown): string {
  const isFingerprint = (each: unknown) => /^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/i.test(String(each));
  return JSON.stringify(value ?? null, (_name, each: unknown) => {
    if (Array.isArray(each) && each.every(isFingerprint)) return each.map((one) => one.toUpperCase()).sort();
    return each;
  });
}

/** Whether all declared values equal the actual ones. Nested objects are compared property by property. */
export function agrees(declared: unknown, actual: unknown): boolean {
  if (typeof declared !== "object" || declared === null || Array.isArray(declared))
    return canonicalText(declared) === canonicalText(actual);
  return (
    typeof actual === "object" &&
    actual !== null &&
    Object.entries(declared).every(([name, value]) => agrees(value, Reflect.get(actual, name)))
  );
}
