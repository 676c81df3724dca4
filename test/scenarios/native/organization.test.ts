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

runScenarios({ title: "a provider keeps its organization", only: "native" }, [
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
]);
