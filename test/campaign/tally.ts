/** The counts of a campaign, and the invariants that it checks. */

// biome-ignore-start lint/plugin/readonlyMembers: every sequence adds to them.
/** The counts of a campaign. */
export interface Tally {
  sequences: number;
  commands: number;
  requests: number;
  readonly incidents: Map<string, number>;
  readonly faults: Map<string, number>;
  /** Objects left by a lost response or a dead process, each reported by an error or a pending operation. */
  lost: number;
}
// biome-ignore-end lint/plugin/readonlyMembers: every sequence adds to them.

export function newTally(): Tally {
  return { sequences: 0, commands: 0, requests: 0, incidents: new Map(), faults: new Map(), lost: 0 };
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
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

export function tableRow(
  { sequences, commands, requests, incidents, faults, lost }: Tally,
  broken: Readonly<Partial<Record<BrokenRule["rule"], number>>>,
): string {
  const broke = (["duplicate", "orphan", "leak"] as const).map((rule) => `${broken[rule] ?? 0} ${rule}s`);
  const cells = [
    `${sequences} sequences`,
    `${commands} commands, ${requests} requests`,
    `${sum(faults)} faults (${listed(faults)}), ${sum(incidents)} incidents (${listed(incidents)})`,
    `${lost} lost and reported`,
    ...broke,
  ];
  return `| ${cells.join(" | ")} |`;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, one) => total + one, 0);
}

function listed(counts: ReadonlyMap<string, number>): string {
  const byName = [...counts].sort(([left], [right]) => left.localeCompare(right, "en"));
  return byName.map(([name, times]) => `${name} ${times}`).join(", ");
}
