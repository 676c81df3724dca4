/** Objects in the tests of the commands, and the requests with which they are read. */
import { CONTENT_KINDS, KINDS } from "../../cli/objects/kinds";
import type { Seed, SeedProject } from "../../testing/emulator";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../support/values/organizations";

export const SHOP = "0c0c0c0c-0000-4000-8000-000000000001";
export const MARKET = "0c0c0c0c-0000-4000-8000-000000000002";
/** A project of another organization. */
export const FOREIGN = "0c0c0c0c-0000-4000-8000-00000000000f";
export const WEB = "0d0d0d0d-0000-4000-8000-000000000001";
export const IOS = "0d0d0d0d-0000-4000-8000-000000000002";
export const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000001";
/** No object has it. */
export const NONE = "0f0f0f0f-0000-4000-8000-00000000000f";

/** A project with one of each kind in it. */
export const FULL_SHOP = {
  id: SHOP,
  name: "Shop",
  createdAt: "2024-01-01T00:00:00.000Z",
  applications: [{ id: WEB, appType: "WEB" }],
  customDomains: [{ id: DOMAIN, hostname: "links.shop.example" }],
} as const;

/** Two organizations, of which the other one has a project. */
export function seedOfTwo(projects: readonly SeedProject[]): Seed {
  return {
    organizations: [
      { id: ORGANIZATION, keys: [{ key: KEY }], projects },
      { id: OTHER_ORGANIZATION, keys: [{ key: OTHER_KEY }], projects: [{ id: FOREIGN, name: "Elsewhere" }] },
    ],
  };
}

/** The requests with which all objects of one organization are read: one for each kind in each project. */
export function requestsFor(projects: number): Readonly<Record<string, number>> {
  const perProject = CONTENT_KINDS.map((kind) => {
    const { type, list } = KINDS[kind];
    return [list === undefined ? `get${type}` : `list${type}s`, projects] as const;
  });
  return { getCurrentApiCredential: 1, listProjects: 1, ...Object.fromEntries(perProject) };
}
