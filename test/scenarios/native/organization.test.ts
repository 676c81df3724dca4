/** A provider of the native plugin keeps the organization of its resources, whatever a command covers. */
import {
  failureOf,
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  runScenarios,
  writesIn,
} from "../../support/stacks/scenarios";

const ONLY_NATIVE = { host: "native", because: "organizationOfProvider" } as const;

runScenarios({ title: "a provider keeps its organization", only: ONLY_NATIVE }, [
  {
    name: "a key of another organization is refused with --target and --exclude, also without a preview",
    onCli: "one host",
    async run({ stack, service }) {
      await stack.deploy('new Project("shop", { name: "Shop" });');
      stack.program('new Project("shop", { name: "Shop" }); new Project("market", { name: "Market" });');
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      const target = [stack.urnOf("Project", "market")];
      const exclude = [stack.urnOf("Project", "shop")];
      for (const run of [() => stack.preview(), () => stack.up({ target }), () => stack.up({ exclude })])
        expect(await failureOf(run())).toContain(
          `The resources of this provider belong to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER_ORGANIZATION}.`,
        );
      expect(writesIn(service)).toEqual(["createProject 201"]);
      await stack.environment({ DYNAMICLINK_API_KEY: KEY });
      await stack.up({ target });
      await stack.preview({ expectNoChanges: true });
    },
  },
  {
    name: "a provider that an import has created gets the organization of the next key, and a message says what to do if it is the wrong one",
    onCli: "one host",
    async run({ stack, service }) {
      const { id } = service.createProject(ORGANIZATION, { name: "Shop" });
      await stack.importFile({ resources: [{ type: "dynamiclink:index:Project", name: "shop", id }] });
      const shop = `new Project("shop", { name: "Shop" }, { protect: true, `;
      stack.program(`${shop}});`);
      await stack.environment({ DYNAMICLINK_API_KEY: OTHER_KEY });
      expect(await failureOf(stack.up())).toContain(`Project ${id} belongs to organization ${ORGANIZATION}`);
      await stack.environment({ DYNAMICLINK_API_KEY: KEY });
      expect(await failureOf(stack.preview())).toContain(
        `If its resources belong to organization ${ORGANIZATION}, because a command with another key has recorded the wrong one, declare a Provider with another name for them as well.`,
      );
      await stack.deploy(
        `const provider = new Provider("own", { apiUrl: "${service.url}" }); ${shop}provider });`,
      );
      await stack.preview({ expectNoChanges: true });
      expect(writesIn(service)).toEqual([]);
    },
  },
]);
