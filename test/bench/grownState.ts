/**
 * The state of a large stack, derived from that of a small one: each object is created in the emulator, and its entry
 * is the small stack's entry of the same kind with the object's own UUIDs, names and times. So a state of any size
 * needs no `up`.
 */
import type { Emulator } from "../../testing/emulator";
import type { Deployment, ResourceState } from "../../testing/engine";

/** The size of the state, and its service. */
export interface Growth {
  readonly resources: number;
  readonly projects: number;
  readonly service: Emulator;
  readonly organizationId: string;
  /** The origin of the service in the small state. */
  readonly oldUrl: string;
}

/** Derives a large state. The small one must have a resource of each kind in the large one. */
export function grownState(small: Deployment, growth: Growth): Deployment {
  const { service, organizationId } = growth;
  const entries = small.deployment.resources ?? [];
  const entry = (name: string) => entries.find(({ urn }) => urn.endsWith(`::${name}`));
  const grown: ResourceState[] = entries.filter(
    ({ type }) => type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers:"),
  );
  const component = entry("component-0");
  if (component !== undefined) {
    for (let index = 0; index < growth.resources; index++) {
      grown.push(
        rewritten(component, [
          ["component-0", `component-${index}`],
          ["Component 0", `Component ${index}`],
        ]),
      );
    }
    return withResources(small, grown, growth);
  }
  const [project, application, domain] = [entry("project-0"), entry("application-0-0"), entry("domain-0-1")];
  if (project === undefined) throw new Error("The small state has no project.");
  const children = (growth.resources - growth.projects) / growth.projects;
  for (let owner = 0; owner < growth.projects; owner++) {
    const created = service.createProject(organizationId, {
      name: `Project ${owner}`,
      defaultHookupMsg: `Open project ${owner} in the app`,
    });
    const ofProject: Replacement[] = [
      [String(project.id), created.id],
      ["project-0", `project-${owner}`],
      ["roject 0", `roject ${owner}`],
    ];
    grown.push(
      withOutputs(rewritten(project, ofProject), {
        subDomain: created.subDomain,
        createdAt: created.createdAt,
      }),
    );
    for (let child = 0; child < children; child++) {
      const name = `${owner}-${child}`;
      if (child % 2 === 0 && application !== undefined) {
        const { id, createdAt } = service.createApplication(created.id, {
          appType: "IOS",
          appleInfo: {
            appName: `App ${name}`,
            appScheme: `app-${name}`,
            bundleId: `example.app.p${owner}.c${child}`,
          },
        });
        const replacements: Replacement[] = [
          ...ofProject,
          [String(application.id), id],
          ["App 0-0", `App ${name}`],
          ["app-0-0", `app-${name}`],
          ["p0.c0", `p${owner}.c${child}`],
          ["application-0-0", `application-${name}`],
        ];
        grown.push(withOutputs(rewritten(application, replacements), { createdAt }));
      } else if (domain !== undefined) {
        const hostname = `links-${name}.shop.example`;
        const { id, cnameTarget } = service.createCustomDomain(created.id, { hostname });
        const replacements: Replacement[] = [
          ...ofProject,
          [String(domain.id), id],
          ["links-0-1", `links-${name}`],
          ["domain-0-1", `domain-${name}`],
        ];
        grown.push(withOutputs(rewritten(domain, replacements), { cnameTarget }));
      }
    }
  }
  return withResources(small, grown, growth);
}

type Replacement = readonly [old: string, now: string];

function rewritten(entry: ResourceState, replacements: readonly Replacement[]): ResourceState {
  const text = replacements.reduce((sofar, [old, now]) => sofar.replaceAll(old, now), JSON.stringify(entry));
  return JSON.parse(text);
}

/** The entry with outputs from the service. */
function withOutputs(entry: ResourceState, created: Record<string, unknown>): ResourceState {
  const known = Object.fromEntries(
    Object.entries(created).filter(([name]) => entry.outputs !== undefined && name in entry.outputs),
  );
  return { ...entry, outputs: { ...entry.outputs, ...known } } as ResourceState;
}

function withResources(
  small: Deployment,
  resources: ResourceState[],
  { service, oldUrl }: Growth,
): Deployment {
  const grown = { ...small, deployment: { ...small.deployment, resources } };
  return JSON.parse(JSON.stringify(grown).replaceAll(oldUrl, service.url));
}
