/** What commands cost, in requests: 20 resources in 2 projects on the test engine, on each host. */
import { join } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import type { TestStack } from "../../../testing/engine";
import { programStack } from "../../support/stacks/programStack";
import { seedWith } from "../../support/stacks/scenarios";
import { requestCounts } from "../../support/values/requestCounts";

const PROGRAM = join(__dirname, "..", "..", "bench", "programs", "objects");
const RESOURCES = 20;
const PROJECTS = 2;

/** One request for the key, one list of projects, and two lists in each project. */
const REFRESH = {
  getCurrentApiCredential: 1,
  listProjects: 1,
  listApplications: PROJECTS,
  listCustomDomains: PROJECTS,
};

describe.each([DYNAMIC_HOST, NATIVE_HOST])("with $module,", (host) => {
  let service: Emulator;
  let stack: TestStack;
  let first: Record<string, number>;

  beforeAll(async () => {
    service = await startEmulator({ seed: seedWith() });
    stack = programStack({
      service,
      program: PROGRAM,
      environment: {
        BENCH_MODULE: host.module,
        BENCH_RESOURCES: String(RESOURCES),
        BENCH_PROJECTS: String(PROJECTS),
      },
    });
    await stack.up();
    first = requestCounts(service);
  });
  beforeEach(() => service.clearRequests());
  afterAll(async () => {
    await stack?.close();
    await service?.close();
  });

  test("the first up sends one request for the key, one list of projects, and one request for each object", () => {
    const { projects, applications, customDomains } = service.state;
    expect(first).toEqual({
      getCurrentApiCredential: 1,
      // Nothing is listed in the projects, because the run has created them.
      listProjects: 1,
      createProject: projects.length,
      createApplication: applications.length,
      createCustomDomain: customDomains.length,
    });
  });

  test("a preview without changes sends one request", async () => {
    await stack.preview({ expectNoChanges: true });
    expect(requestCounts(service)).toEqual({ getCurrentApiCredential: 1 });
  });

  test("a refresh sends one request for the key and one list request for each place", async () => {
    await stack.refresh({ expectNoChanges: true });
    expect(requestCounts(service)).toEqual(REFRESH);
  });

  test("up --refresh finds changed and deleted objects, and sends few more requests for each", async () => {
    const [changed, gone] = service.state.applications;
    if (changed === undefined || gone === undefined || changed.appleInfo === null)
      throw new Error("There are no applications.");
    service.updateApplication(changed.id, { appleInfo: { ...changed.appleInfo, appName: "Theirs" } });
    service.deleteApplication(gone.id);
    service.clock.advance(60_000);
    const { changes } = await stack.up({ refresh: true });
    expect(changes).toMatchObject({ update: 1, create: 1 });
    expect(requestCounts(service)).toEqual({
      ...REFRESH,
      // The missing object is read twice, and the key is looked up again before the object counts as deleted.
      // The process that refreshes is not the one that checks the configuration of a plugin.
      getCurrentApiCredential: host === NATIVE_HOST ? 3 : 2,
      getApplication: 2,
      // Before an application is created, its project is listed again.
      listApplications: PROJECTS + 1,
      updateApplication: 1,
      createApplication: 1,
    });
    expect(service.state.applications).toContainEqual(
      expect.objectContaining({ id: changed.id, appleInfo: changed.appleInfo }),
    );
  });

  test("a destroy lists the contents of each project, and deletes each object once", async () => {
    const { applications, customDomains } = service.state;
    await stack.destroy();
    expect(requestCounts(service)).toEqual({
      getCurrentApiCredential: 1,
      deleteApplication: applications.length,
      deleteCustomDomain: customDomains.length,
      // The links of each domain are looked at first, because the service may delete them with it.
      listCustomDomainLinks: customDomains.length,
      // Each domain is DELETING in one read before it no longer exists.
      getCustomDomain: 2 * customDomains.length,
      listCustomDomains: PROJECTS,
      listApplications: PROJECTS,
      listProjectLinks: PROJECTS,
      deleteProject: PROJECTS,
    });
  });
});
