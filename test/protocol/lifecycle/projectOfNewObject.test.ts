/** The project in which a new object is declared: a preview finds that it does not exist, with as few reads as possible. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import {
  type Declaration,
  type Declared,
  type DeclaredStack,
  errorOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";

const shop: Declaration = { kind: "Project", name: "shop", properties: { name: "Market" } };

function web(name: string, projectId: Declared): Declaration {
  return { kind: "Application", name, properties: { projectId, appType: "WEB" } };
}

describe.each([DYNAMIC_HOST, NATIVE_HOST])("with the classes of $module", (host) => {
  let service: Emulator;
  let stack: DeclaredStack;
  beforeEach(async () => {
    service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });
    stack = newStack();
  });
  afterEach(() => service.close());

  function newStack(): DeclaredStack {
    return emulatedStack(service, KEY, { host, timeoutMs: () => 2_000 });
  }

  /** The operations since the last call of this function, without the lookup of the key. */
  function sent(): string[] {
    const operations = service.requests.map(({ operationId }) => String(operationId));
    service.clearRequests();
    return operations.filter((operation) => operation !== "getCurrentApiCredential");
  }

  test("a preview says that there is no such project", async () => {
    for (const missing of [
      web("web", MISSING),
      {
        kind: "CustomDomain" as const,
        name: "links",
        properties: { projectId: MISSING, hostname: "links.shop.example" },
      },
    ]) {
      const outcome = await stack.preview([missing]);
      expect(errorOf(outcome)).toContain(
        `There is no project ${MISSING} in organization ${ORGANIZATION}. Check`,
      );
    }
    // The list confirms the 404, once for each process.
    expect(sent()).toEqual(["getProject", "listProjects", "getProject", "listProjects"]);
  });

  test("a project is read once for all its new objects, and never for one that the stack has", async () => {
    const declarations = [web("one", PROJECT), web("two", PROJECT.toUpperCase())];
    await stack.preview(declarations);
    expect(sent()).toEqual(["getProject"]);
    await stack.up(declarations);
    sent();
    await stack.preview(declarations);
    expect(sent()).toEqual([]);
  });

  test("a project of the same program is not read, whether it is new or in the stack", async () => {
    const first = [shop, web("one", { idOf: "shop" })];
    await stack.preview(first);
    // The preview of a new project looks whether its name is in use.
    expect(sent()).toEqual(["listProjects"]);
    expect((await stack.up(first)).failed).toBe(false);
    expect(sent()).toEqual(["listProjects", "createProject", "createApplication"]);
    const more = [...first, web("two", { idOf: "shop" })];
    await stack.preview(more);
    expect(sent()).toEqual([]);
    expect((await stack.up(more)).failed).toBe(false);
    expect(sent()).toEqual(["listApplications", "createApplication"]);
  });

  test("a project that the program adopts is not read again for its new objects", async () => {
    const brand: Declaration = {
      kind: "Project",
      name: "brand",
      properties: { name: "Shop" },
      adopt: PROJECT,
    };
    expect((await stack.up([brand])).failed).toBe(false);
    const adopting = sent();
    stack = newStack();
    expect((await stack.up([brand, web("web", { idOf: "brand" })])).failed).toBe(false);
    expect(sent()).toEqual([...adopting, "listApplications", "createApplication"]);
  });
});
