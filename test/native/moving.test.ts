/**
 * Moving a stack between the hosts by changing the import line, on the test engine and on a real CLI: nothing is replaced
 * and nothing is written, in either direction.
 */
import { startEmulator } from "../../testing/emulator";
import { describeOnCli, pulumiCli } from "../support/processes/pulumiCli";
import {
  type Module,
  type NativeStack,
  type NativeStackOptions,
  nativeCliStack,
  nativeEngineStack,
  type StoredResource,
} from "../support/stacks/nativeStack";
import { KEY, OTHER_KEY, seedWith, writesIn } from "../support/stacks/scenarios";
import { sharedStacks } from "../support/stacks/sharedProcess";

const TIMEOUT_MS = 300_000;
const ADOPTED = "0C0C0C0C-0000-4000-8000-000000000003";

/** A program that works with the classes of either host. */
const PROGRAM = `
  const shop = new dynamiclink.Project("shop", { name: "Shop" });
  new dynamiclink.Application("ios", {
    projectId: shop.id,
    appType: "IOS",
    appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
  });
  const links = new dynamiclink.CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
  new dynamiclink.CustomDomainActivation("active", { customDomainId: links.id });
  export const lookedUp = dynamiclink.getProjectOutput({ id: shop.id }).name;

  // Components, parents, protection, and an alias of the program.
  class Group extends pulumi.ComponentResource {
    constructor(name: string, options?: pulumi.ComponentResourceOptions) {
      super("moving:index:Group", name, {}, options);
      const project = new dynamiclink.Project(name + "-project", { name }, { parent: this, protect: true });
      const child = { parent: project, aliases: [{ name: "earlier" }] };
      new dynamiclink.Application(name + "-web", { projectId: project.id, appType: "WEB" }, child);
      new Inner(name + "-inner", project);
    }
  }
  class Inner extends pulumi.ComponentResource {
    constructor(name: string, parent: pulumi.Resource) {
      super("moving:index:Inner", name, {}, { parent });
      new dynamiclink.Project(name + "-project", { name }, { parent: this });
    }
  }
  new Group("default");

  const apiUrl = process.env.API_URL;
  const europe = new dynamiclink.Provider("europe", { apiKeyEnvVar: "OTHER_KEY", apiUrl });
  const keyed = new dynamiclink.Provider("keyed", { apiKey: process.env.OTHER_KEY, apiUrl });
  new dynamiclink.Project("blog", { name: "Blog" }, { provider: europe });
  new dynamiclink.Project("news", { name: "News" }, { provider: keyed });
  new Group("provided", { providers: [europe] });

  new dynamiclink.Project("adopted", { name: "Existing" }, { import: "${ADOPTED}" });
  dynamiclink.Project.get("referenced", "${ADOPTED.toLowerCase()}");
`;

/** Matches the operations that create, replace, delete or import something. */
const HARMFUL = /create|replace|delete|import/;

/** What a move must not change: everything except types and the hidden properties of the hosts. */
function essence(resources: readonly StoredResource[]) {
  return resources
    .filter((resource) => hostOf(resource) !== undefined && !resource.type.startsWith("pulumi:"))
    .map(({ urn, id, protect, retainOnDelete, outputs = {} }) => ({
      name: urn.split("::").at(-1) ?? "",
      id,
      protect,
      retainOnDelete,
      outputs: Object.fromEntries(
        Object.entries(outputs).filter(([name]) => !name.startsWith("__") || name === "__organization"),
      ),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The module that exports the class of a resource or provider. Undefined for components and default providers. */
function hostOf({ urn, type }: StoredResource): Module | undefined {
  if (/::default(_|$)/.test(urn)) return undefined;
  if (/^dynamiclink:|:dynamiclink$/.test(type)) return "pulumi-dynamiclink/native";
  return type.includes("pulumi-nodejs") ? "pulumi-dynamiclink" : undefined;
}

async function expectMoves(
  from: Module,
  to: Module,
  newStack: (options: NativeStackOptions) => NativeStack | Promise<NativeStack>,
): Promise<void> {
  const service = await startEmulator({ seed: seedWith([{ id: ADOPTED.toLowerCase(), name: "Existing" }]) });
  const stack = await newStack({
    config: { "dynamiclink:apiUrl": service.url },
    environment: { DYNAMICLINK_API_KEY: KEY, OTHER_KEY, API_URL: service.url },
  });
  try {
    stack.program(from, PROGRAM);
    await stack.up();
    const before = essence(stack.resources());
    expect(before).toHaveLength(14);
    for (const module of [to, from]) {
      service.clearRequests();
      stack.program(module, PROGRAM);
      expect(Object.keys(await stack.preview()).filter((kind) => HARMFUL.test(kind))).toEqual([]);
      const { same, update = 0, ...others } = await stack.up();
      // The object that is only referenced is read again and leaves the state under its old type.
      expect(others).toEqual({ discard: 1 });
      // The settings of the providers have other names. The dynamic host restores its hidden property.
      if (module === "pulumi-dynamiclink/native") expect(update).toBe(2);
      expect(essence(stack.resources())).toEqual(before);
      expect(new Set(stack.resources().map(hostOf))).toEqual(new Set([undefined, module]));

      expect(Object.keys(await stack.preview())).toEqual(["same"]);
      expect(Object.keys(await stack.refresh())).toEqual(["same"]);
      expect(writesIn(service)).toEqual([]);
    }
    await stack.unprotect();
    await stack.destroy();
    expect(stack.resources()).toEqual([]);
    // The adopted object is kept, because of its option.
    expect(service.state.projects.map(({ name }) => name)).toEqual(["Existing"]);
  } finally {
    await stack.close();
    await service.close();
  }
}

const MOVES: { readonly from: Module; readonly to: Module }[] = [
  { from: "pulumi-dynamiclink", to: "pulumi-dynamiclink/native" },
  { from: "pulumi-dynamiclink/native", to: "pulumi-dynamiclink" },
];

describe("a stack moves between the hosts without a replacement or a write, on the test engine,", () => {
  const newStack = sharedStacks();

  test.each(MOVES)("from $from to $to, and back", async ({ from, to }) => {
    await expectMoves(from, to, (options) => nativeEngineStack(newStack, options));
  });
});

describeOnCli("a stack moves between the hosts without a replacement or a write", () => {
  test.each(MOVES)(
    "from $from to $to, and back",
    async ({ from, to }) => {
      await expectMoves(from, to, (options) => nativeCliStack(pulumiCli(), options));
    },
    TIMEOUT_MS,
  );
});
