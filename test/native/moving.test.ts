/**
 * Moving a stack between the hosts by changing the import line, on a real CLI: nothing is replaced and nothing is
 * written, in either direction.
 */
import { startEmulator } from "../../testing/emulator";
import { type Module, nativeCliStack, type StoredResource } from "../support/nativeCliStack";
import { findInstalledPulumiCli } from "../support/pulumiCli";
import { KEY, OTHER_KEY, seedWith, writesIn } from "../support/scenarios";

const TIMEOUT_MS = 300_000;
const ADOPTED = "0C0C0C0C-0000-4000-8000-000000000003";

/** Programs that work with the classes of either host, and how many resources a move updates besides keeping them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "every kind of resource": `
    const shop = new dynamiclink.Project("shop", { name: "Shop" });
    new dynamiclink.Application("ios", {
      projectId: shop.id,
      appType: "IOS",
      appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
    });
    const links = new dynamiclink.CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
    new dynamiclink.CustomDomainActivation("active", { customDomainId: links.id });
    export const looked = dynamiclink.getProjectOutput({ id: shop.id }).name;
  `,
  "components, parents and protection": `
    class Group extends pulumi.ComponentResource {
      constructor(name: string) {
        super("moving:index:Group", name);
        const shop = new dynamiclink.Project(name + "-shop", { name }, { parent: this, protect: true });
        const child = { parent: shop, aliases: [{ name: "earlier" }] };
        new dynamiclink.Application(name + "-web", { projectId: shop.id, appType: "WEB" }, child);
        new Inner(name + "-inner", shop);
        this.registerOutputs({});
      }
    }
    class Inner extends pulumi.ComponentResource {
      constructor(name: string, parent: pulumi.Resource) {
        super("moving:index:Inner", name, {}, { parent });
        new dynamiclink.Project(name + "-shop", { name }, { parent: this });
      }
    }
    new Group("europe");
  `,
  "explicit providers": `
    const settings = { apiKeyEnvVar: "OTHER_KEY", apiUrl: process.env.API_URL };
    const europe = new dynamiclink.Provider("europe", settings);
    const key = new dynamiclink.Provider("key", { apiKey: process.env.OTHER_KEY, apiUrl: process.env.API_URL });
    new dynamiclink.Project("shop", { name: "Shop" }, { provider: europe });
    new dynamiclink.Project("blog", { name: "Blog" }, { provider: key });
    class Group extends pulumi.ComponentResource {
      constructor(name: string, options: pulumi.ComponentResourceOptions) {
        super("moving:index:Group", name, {}, options);
        new dynamiclink.Project(name + "-shop", { name }, { parent: this });
      }
    }
    new Group("group", { providers: [europe] });
  `,
  "adopted and referenced objects": `
    new dynamiclink.Project("shop", { name: "Existing" }, { import: "${ADOPTED}" });
    dynamiclink.Project.get("again", "${ADOPTED.toLowerCase()}");
  `,
};

const cli = findInstalledPulumiCli();
if (cli === undefined) {
  process.stderr.write(
    "\n*** Moving between the hosts was NOT tested: no Pulumi CLI on PATH, in PULUMI_HOME or ~/.pulumi. ***\n\n",
  );
}
const whereFound = cli === undefined ? describe.skip : describe;

/** What must survive a move: everything but types and what the hosts add for themselves. */
function essence(resources: readonly StoredResource[]) {
  return resources
    .filter(({ type }) => /dynamiclink:(\w+:)?\w+$/.test(type) && !type.startsWith("pulumi:providers"))
    .map(({ urn, id, protect, retainOnDelete, outputs = {} }) => ({
      name: urn.split("::").at(-1),
      id,
      protect,
      retainOnDelete,
      outputs: Object.fromEntries(
        Object.entries(outputs).filter(([name]) => !name.startsWith("__") || name === "__organization"),
      ),
    }))
    .sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
}

whereFound("a stack moves between the hosts without a replacement or a write", () => {
  const directions: readonly (readonly [Module, Module])[] = [
    ["pulumi-dynamiclink", "pulumi-dynamiclink/native"],
    ["pulumi-dynamiclink/native", "pulumi-dynamiclink"],
  ];
  test.each(
    directions.flatMap(([from, to]) =>
      Object.entries(PROGRAMS).map(([name, source]) => ({ name, from, to, source })),
    ),
  )(
    "$name, from $from to $to and back",
    async ({ from, to, source }) => {
      if (cli === undefined) throw new Error("There is no Pulumi CLI.");
      const service = await startEmulator({
        seed: seedWith([{ id: ADOPTED.toLowerCase(), name: "Existing" }]),
      });
      const stack = await nativeCliStack(cli, {
        config: { "dynamiclink:apiUrl": service.url },
        environment: { DYNAMICLINK_API_KEY: KEY, OTHER_KEY, API_URL: service.url },
      });
      try {
        stack.program(from, source);
        await stack.up();
        const before = essence(stack.resources());
        expect(before.length).toBeGreaterThan(1);
        for (const module of [to, from]) {
          service.clearRequests();
          stack.program(module, source);
          const kinds = ["create", "replace", "delete", "import", "create-replacement", "delete-replaced"];
          const planned = await stack.preview();
          expect(Object.keys(planned).filter((kind) => kinds.includes(kind))).toEqual([]);
          const changes = await stack.up();
          console.log(JSON.stringify({ module, planned, changes }));
          expect(Object.keys(changes).filter((kind) => kinds.includes(kind))).toEqual([]);
          expect(writesIn(service)).toEqual([]);
          expect(essence(stack.resources())).toEqual(before);
          expect(
            stack
              .resources()
              .filter(({ type }) => type.startsWith("dynamiclink:") !== module.endsWith("native"))
              .map(({ type }) => type)
              .filter((type) => !type.startsWith("pulumi:providers") && !type.startsWith("moving")),
          ).toEqual([]);
          const { same, ...others } = await stack.preview();
          expect(others).toEqual({});
          expect(await stack.refresh()).toEqual({ same: expect.any(Number) });
          expect(writesIn(service)).toEqual([]);
        }
      } finally {
        stack.close();
        await service.close();
      }
    },
    TIMEOUT_MS,
  );
});
