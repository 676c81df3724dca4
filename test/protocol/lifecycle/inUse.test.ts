/** The preview of a new resource warns that its name or host name is in use, with as few reads as possible. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import type { UpdateOptions } from "../../../testing/engine";
import {
  type Declaration,
  type Declared,
  type DeclaredStack,
  urnOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, seedWith } from "../../support/values/organizations";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000001";
const BLOG = "0c0c0c0c-0000-4000-8000-000000000002";
const LINKS = "0d0d0d0d-0000-4000-8000-000000000001";

function project(name: string, title: Declared, options: Partial<Declaration> = {}): Declaration {
  return { kind: "Project", name, properties: { name: title }, ...options };
}

function domain(name: string, projectId: Declared, hostname: Declared = "go.shop.example"): Declaration {
  return { kind: "CustomDomain", name, properties: { projectId, hostname } };
}

const market = project("market", "Market");

describe.each([DYNAMIC_HOST, NATIVE_HOST])("with the classes of $module", (host) => {
  let service: Emulator;
  let stack: DeclaredStack;
  beforeEach(async () => {
    service = await startEmulator({
      seed: seedWith([
        { id: SHOP, name: "Shop", customDomains: [{ id: LINKS, hostname: "links.shop.example" }] },
        { id: BLOG, name: "Blog" },
      ]),
    });
    stack = emulatedStack(service, KEY, { host, timeoutMs: () => 2_000 });
  });
  afterEach(() => service.close());

  /** The warnings of a preview, and the operations that it sends besides the lookup of the key. */
  async function previewed(declarations: readonly Declaration[], options?: UpdateOptions) {
    service.clearRequests();
    const { failed, diagnostics } = await stack.preview(declarations, options);
    const operations = service.requests.map(({ operationId }) => String(operationId));
    expect(failed).toBe(false);
    return {
      warnings: diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message),
      sent: operations.filter((operation) => operation !== "getCurrentApiCredential").sort(),
    };
  }

  /** The UUIDs that the stack has, by the names of their resources. */
  async function deployed(...declarations: readonly Declaration[]): Promise<Record<string, string>> {
    expect((await stack.up(declarations)).failed).toBe(false);
    return Object.fromEntries(
      stack.resources.map(({ urn, id }) => [String(urn.split("::").at(-1)), id ?? ""]),
    );
  }

  const ALL_DOMAINS = ["listCustomDomains", "listCustomDomains", "listProjects"];

  test.each<[string, readonly Declaration[], readonly string[], readonly string[]]>([
    ["has the name of a project", [project("shop", "Shop")], [SHOP], ["listProjects"]],
    ["has another name", [project("shop", "shop 2")], [], ["listProjects"]],
    [
      "is one of several, which are looked up at once",
      [project("shop", "Shop"), market, project("blog", "Blog")],
      [SHOP, BLOG],
      ["listProjects"],
    ],
    [
      "has a name that is not known yet, like another one",
      [market, project("shop", { idOf: "market" }), project("blog", { idOf: "market" })],
      [],
      ["listProjects"],
    ],
    [
      "has another spelling of a host name, in a project that is not known yet",
      [market, domain("links", { idOf: "market" }, "LINKS.shop.example.")],
      [LINKS],
      ALL_DOMAINS,
    ],
  ])("a new resource that %s", async (_, declarations, uuids, reads) => {
    const { warnings, sent } = await previewed(declarations);
    expect(warnings).toHaveLength(uuids.length);
    for (const [index, uuid] of uuids.entries()) expect(warnings[index]).toContain(uuid);
    expect(sent).toEqual(reads);
  });

  test("up sends nothing more, and a preview that creates nothing sends nothing", async () => {
    const declarations = [market, domain("links", { idOf: "market" })];
    await stack.up(declarations);
    expect(service.requests.map(({ operationId }) => operationId).slice(-3)).toEqual([
      "listProjects",
      "createProject",
      "createCustomDomain",
    ]);
    expect(await previewed(declarations)).toEqual({ warnings: [], sent: [] });
    expect(stack.stateText()).not.toContain("isPreview");
  });

  test("a domain that moves to another project does not use its own host name", async () => {
    await deployed(domain("links", SHOP));
    expect((await previewed([domain("links", BLOG)])).warnings).toEqual([]);
    expect((await previewed([market, domain("links", { idOf: "market" })])).warnings).toEqual([]);
  });

  test.each<[string, Partial<Declaration>, UpdateOptions]>([
    ["--replace", {}, { replace: [urnOf(market, host)] }],
    ["replaceOnChanges", { replaceOnChanges: ["defaultHookupMsg"] }, {}],
  ])(
    "the name of a project is in use if %s creates the new one before it deletes",
    async (_, option, command) => {
      const { market: uuid } = await deployed(market);
      const properties = { name: "Market", defaultHookupMsg: "Hello" };
      const { warnings } = await previewed([{ ...market, ...option, properties }], command);
      expect(warnings).toEqual([expect.stringContaining(`is used by project ${uuid}`)]);
    },
  );
});
