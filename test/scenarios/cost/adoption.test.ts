/** What adoption with the option `import` costs, in requests and notices. */

import { runScenarios, seedWith, writesIn } from "../../support/stacks/scenarios";
import { requestCounts } from "../../support/values/requestCounts";

const PROJECTS = [1, 2, 3];
const APPLICATIONS = [1, 2, 3, 4];
const DOMAINS = [1, 2];

function uuid(kind: string, project: number, child = 0): string {
  return `${kind.repeat(8)}-0000-4000-8000-${String(project * 100 + child).padStart(12, "0")}`;
}

const INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };

const seed = seedWith(
  PROJECTS.map((project) => ({
    id: uuid("c", project),
    name: `Project ${project}`,
    applications: APPLICATIONS.map((n) => ({ id: uuid("d", project, n), appType: "IOS", appleInfo: INFO })),
    customDomains: DOMAINS.map((n) => ({
      id: uuid("e", project, n),
      hostname: `p${project}-${n}.shop.example`,
    })),
  })),
);

const PROGRAM = `
  const uuid = ${uuid};
  for (const p of ${JSON.stringify(PROJECTS)}) {
    const { id: projectId } = new Project("p" + p, { name: "Project " + p }, { import: uuid("c", p) });
    for (const n of ${JSON.stringify(APPLICATIONS)})
      new Application("a" + p + n, { projectId, appType: "IOS", appleInfo: ${JSON.stringify(INFO)} }, { import: uuid("d", p, n) });
    for (const n of ${JSON.stringify(DOMAINS)})
      new CustomDomain("d" + p + n, { projectId, hostname: "p" + p + "-" + n + ".shop.example" }, { import: uuid("e", p, n) });
  }
`;

const CHECKS = {
  getCurrentApiCredential: 1,
  listProjects: 1,
  listApplications: PROJECTS.length,
  listCustomDomains: PROJECTS.length,
};

runScenarios({ title: "the cost of adoption", seed }, [
  {
    name: "is one list for each place in each run, one read of each object in up, and one notice",
    only: "dynamic",
    async run({ stack, service }) {
      stack.program(PROGRAM);
      const read = {
        getApplication: PROJECTS.length * APPLICATIONS.length,
        getCustomDomain: PROJECTS.length * DOMAINS.length,
      };
      for (const [command, reads, projects] of [
        ["preview", {}, 0],
        ["up", read, PROJECTS.length],
      ] as const) {
        service.clearRequests();
        const { printed } = await stack[command]();
        const { getProject = 0, ...sent } = requestCounts(service);
        expect(sent).toEqual({ ...CHECKS, ...reads });
        // The first check may be a lone read, because no other has arrived yet.
        expect([projects, projects + 1]).toContain(getProject);
        expect(printed.match(/adopted without a write/g)).toHaveLength(1);
        expect(printed).not.toContain("not known yet");
      }
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
