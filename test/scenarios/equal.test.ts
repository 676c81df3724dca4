/** Previews of creates that would add a second object like one that exists, and the way out that each message names. */
import { discover } from "../commands/run";
import { operationsIn, runScenarios, seedWith, writesIn } from "../support/stacks/scenarios";

runScenarios({ title: "a lost state", seed: seedWith([{ name: "Blog" }]) }, [
  {
    // The steps of docs/errors.md.
    name: "is restored with the UUIDs that the advised command prints: nothing is written, and the names stay",
    onCli: "both hosts",
    async run({ stack, service }) {
      const program = (uuids?: Record<string, string>) => {
        const options = (type: string) => (uuids?.[type] ? `{ import: "${uuids[type]}" }` : "{}");
        return `
          const shop = new Project("shop", { name: "Shop" }, ${options("Project")});
          const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
          new Application("shop-ios", { projectId: shop.id, appType: "IOS", appleInfo }, ${options("Application")});
          const links = new CustomDomain("shop-links", { projectId: shop.id, hostname: "links.shop.example" }, ${options("CustomDomain")});
          new CustomDomainActivation("shop-active", { customDomainId: links.id });
        `;
      };
      await stack.deploy(program());
      const before = await stack.resources();
      service.clearRequests();
      await stack.loseState();
      expect(await stack.resources()).toEqual([]);

      stack.program(program());
      const [, uuid = ""] =
        (await stack.preview()).printed.match(/`npx pulumi-dynamiclink discover (\S+)` prints/) ?? [];
      const { stdout } = await discover(service, uuid);
      // Its contents would be created again.
      service.clearRequests();
      stack.program(program({ Project: uuid }));
      const warnings = (await stack.preview()).printed.matchAll(
        / of the resource (?:[a-z ]+ )?(\S+?)(?= is used by |:$)/gm,
      );
      // The CLI prints a warning twice.
      expect(new Set([...warnings].map(([, name]) => name))).toEqual(new Set(["shop-ios", "shop-links"]));
      const lists = operationsIn(service).filter((operation) => operation.startsWith("list"));
      expect(lists.sort()).toEqual(["listApplications", "listCustomDomains"]);
      const found = [...stdout.matchAll(/new (\w+)\([^;]*?import: "([^"]+)"/g)];
      const uuids = Object.fromEntries(found.map(([, type = "", id = ""]) => [type, id]));
      stack.program(program(uuids));
      expect((await stack.preview()).printed).not.toMatch(/The service already has|is used by/);
      await stack.up();
      await stack.preview({ expectNoChanges: true });
      await stack.deploy(program());
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
      expect((await stack.resources()).map(({ name, id }) => [name, id])).toEqual(
        before.map(({ name, id }) => [name, id]),
      );
    },
  },
]);
