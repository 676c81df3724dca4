/**
 * The state of a large stack, derived from that of a small one: each object is created in the emulator, and its entry
 * is the small stack's entry of the same kind with the object's own key, UUIDs and times. So a state of any size needs no `up`.
 */
import type { Emulator } from "../../testing/emulator";
import type { Deployment, ResourceState } from "../../testing/engine";
import { ORGANIZATION } from "../support/values/organizations";

/** Old texts, each with the new one. */
type Replacements = readonly (readonly [old: string, now: string])[];

/** What is in a project: the entry of the small state, its key, and what creates another one. */
const APPLICATION = ["application-o0c0", "o0c0", "createApplication"] as const;
const DOMAIN = ["domain-o0c1", "o0c1", "createCustomDomain"] as const;

/** The outputs that the service sets. */
const FROM_SERVICE = /^(subDomain|createdAt|cnameTarget)$/;
const URL_OF_SERVICE = /http:\/\/127\.0\.0\.1:\d+/g;

/** Derives a large state. The small one must have a resource of each kind in the large one. */
export function grownState(small: Deployment, service: Emulator, resources: number, most: number) {
  const projects = Math.min(resources, most);
  const entries = small.deployment.resources ?? [];
  const grown = entries.filter(({ type }) => /^pulumi:(pulumi:Stack|providers:.*)$/.test(type));

  function entry(name: string): ResourceState {
    const found = entries.find(({ urn }) => urn.endsWith(`::${name}`));
    if (found === undefined) throw new Error(`The small state has no ${name}.`);
    return found;
  }

  /** Creates an object with the inputs of an entry, and adds its entry. */
  function add(name: string, replacements: Replacements, create: (values: never) => { id: string }): string {
    const { inputs = {} } = rewritten(entry(name), replacements);
    const values = Object.fromEntries(
      Object.entries(inputs).filter(([property]) => property !== "projectId" && !property.startsWith("__")),
    );
    const created = create(values as never);
    const added = rewritten(entry(name), [...replacements, [`${entry(name).id}`, created.id]]);
    const known = Object.entries(created).filter(
      ([property]) => FROM_SERVICE.test(property) && property in (added.outputs ?? {}),
    );
    grown.push({ ...added, outputs: { ...added.outputs, ...Object.fromEntries(known) } });
    return created.id;
  }

  if (entries.some(({ type }) => type === "bench:index:Component"))
    for (let index = 0; index < resources; index++)
      grown.push(rewritten(entry("component-o0"), [["o0", `o${index}`]]));
  else
    for (let owner = 0; owner < projects; owner++) {
      const renamed = ["o0", `o${owner}`] as const;
      const projectId = add("project-o0", [renamed], (values) => service.createProject(ORGANIZATION, values));
      const inProject: Replacements = [renamed, [`${entry("project-o0").id}`, projectId]];
      for (let child = 0; child < (resources - projects) / projects; child++) {
        const key = `o${owner}c${child}`;
        const [entryName, oldKey, create] = child % 2 === 0 ? APPLICATION : DOMAIN;
        add(entryName, [[oldKey, key], ...inProject], (values) => service[create](projectId, values));
      }
    }
  const large = { ...small, deployment: { ...small.deployment, resources: grown } };
  return JSON.parse(JSON.stringify(large).replaceAll(URL_OF_SERVICE, service.url));
}

function rewritten<Json>(value: Json, replacements: Replacements): Json {
  const text = replacements.reduce((sofar, [old, now]) => sofar.replaceAll(old, now), JSON.stringify(value));
  return JSON.parse(text);
}
