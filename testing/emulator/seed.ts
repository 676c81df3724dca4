// What an emulator has in it to begin with, as plain JSON.
import { loadContract } from "./contract";
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
  type Service,
} from "./world";

/** A Project and what is under it. Links come last, so that they can name the rest. */
export interface SeedProject extends NewProject {
  applications?: NewApplication[] | undefined;
  customDomains?: NewCustomDomain[] | undefined;
  links?: NewLink[] | undefined;
}

/** An Organization, the keys to it, and its Projects. */
export interface SeedOrganization {
  /** Default: generated. */
  id?: string | undefined;
  /** Default: `false`. */
  blocked?: boolean | undefined;
  keys?: NewKey[] | undefined;
  projects?: SeedProject[] | undefined;
}

/**
 * What an emulator has in it to begin with. Ids that are not given are generated, the same ones each time.
 *
 * @example
 * const seed: Seed = {
 *   organizations: [{ keys: [{ key: "dev-key-0001" }], projects: [{ name: "Shop", pro: false }] }],
 * };
 */
export interface Seed {
  organizations: SeedOrganization[];
}

/** Thrown for a seed that is not one; its message names the place of the first wrong field. */
export class SeedError extends Error {
  override readonly name = "SeedError";
}

/** The checks of everything that comes to the emulator as JSON but is not a request to the service. */
export const controlsContract = lazily(() => loadContract("controls.yaml"));

/** Adds all that a seed has to a world, or throws a `SeedError` and adds nothing. */
export function plant(service: Service, seed: Seed): void {
  const [error] = controlsContract().schemaErrors("Seed", seed);
  if (error !== undefined) throw new SeedError(error);
  const draft: Service = { ...service, world: structuredClone(service.world) };
  forEach("organizations", seed.organizations, (organization, path) => {
    const { id } = addOrganization(draft, organization);
    forEach(`${path}.keys`, organization.keys, (key) => addCredential(draft, id, key));
    forEach(`${path}.projects`, organization.projects, (project, projectPath) => {
      const { id: projectId } = addProject(draft, id, project);
      forEach(`${projectPath}.applications`, project.applications, (one) =>
        addApplication(draft, projectId, one),
      );
      forEach(`${projectPath}.customDomains`, project.customDomains, (one) =>
        addCustomDomain(draft, projectId, one),
      );
      forEach(`${projectPath}.links`, project.links, (one) => addLink(draft, projectId, one));
    });
  });
  service.world = draft.world;
}

function forEach<Item>(
  path: string,
  items: readonly Item[] = [],
  add: (item: Item, path: string) => unknown,
): void {
  for (const [index, item] of items.entries()) {
    const itemPath = `${path}.${index}`;
    try {
      add(item, itemPath);
    } catch (error) {
      if (error instanceof SeedError) throw error;
      throw new SeedError(`${itemPath}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
