/** The initial content of an emulator, as plain JSON. */
import { loadContract } from "../contract/contract";
import {
  addApplication,
  addCredential,
  addCustomDomain,
  addLink,
  addOrganization,
  addProject,
  type NewApplication,
  type NewCustomDomain,
  type NewKey,
  type NewLink,
  type NewProject,
} from "../world/additions";
import type { Service } from "../world/world";

/** The default age of seeded Projects and Applications. A client may treat objects that are seconds old with caution. */
const SEED_AGE_MS = 24 * 60 * 60_000;

/** A Project and its content. Links are added last, so that they can refer to the rest. */
export interface SeedProject extends NewProject {
  /** Its Applications. Default: none. */
  readonly applications?: readonly NewApplication[] | undefined;
  /** Its Custom Domains. Default: none. */
  readonly customDomains?: readonly NewCustomDomain[] | undefined;
  /** Its Links. Default: none. */
  readonly links?: readonly NewLink[] | undefined;
}

/** An Organization, its keys and its Projects. */
export interface SeedOrganization {
  /** UUID. Default: random. */
  readonly id?: string | undefined;
  /** Whether the Organization is blocked, so that every request returns 403. Default: `false`. */
  readonly blocked?: boolean | undefined;
  /** Its API keys. Default: none. */
  readonly keys?: readonly NewKey[] | undefined;
  /** Its Projects. Default: none. */
  readonly projects?: readonly SeedProject[] | undefined;
}

/**
 * The initial content of an emulator. Ids that are not given are random. Projects and Applications without `createdAt` are a
 * day old.
 *
 * @example
 * const seed: Seed = {
 *   organizations: [{ keys: [{ key: "dev-key-0001" }], projects: [{ name: "Shop", pro: false }] }],
 * };
 */
export interface Seed {
  /** The Organizations. */
  readonly organizations: readonly SeedOrganization[];
}

/** The error of an invalid seed. Its message has the path of the first wrong field. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

/** Adds the content of a seed. @throws SeedError */
export function addSeed(service: Service, seed: Seed): void {
  const [error] = loadContract("controls.yaml").schemaErrors("Seed", seed);
  if (error !== undefined) throw new SeedError(error);
  const createdAt = new Date(service.now().getTime() - SEED_AGE_MS).toISOString();
  forEach("organizations", seed.organizations, (organization, path) => {
    const { id } = addOrganization(service, organization);
    forEach(`${path}.keys`, organization.keys, (key) => addCredential(service, id, key));
    forEach(`${path}.projects`, organization.projects, (project, projectPath) => {
      const { id: projectId } = addProject(service, id, { createdAt, ...project });
      const { applications, customDomains, links } = project;
      const addOld = (one: NewApplication) => addApplication(service, projectId, { createdAt, ...one });
      forEach(`${projectPath}.applications`, applications, addOld);
      forEach(`${projectPath}.customDomains`, customDomains, (one) =>
        addCustomDomain(service, projectId, one),
      );
      forEach(`${projectPath}.links`, links, (one) => addLink(service, projectId, one));
    });
  });
}

function forEach<Item>(
  path: string,
  items: readonly Item[] = [],
  add: (item: Item, path: string) => unknown,
) {
  for (const [index, item] of items.entries()) {
    const itemPath = `${path}.${index}`;
    try {
      add(item, itemPath);
    } catch (error) {
      if (error instanceof SeedError) throw error;
      throw new SeedError(`${itemPath}: ${(error as Error).message}`);
    }
  }
}
