/** Environment variables of other programs, which the provider processes inherit from the shell or from CI. */
import { runScenarios, seedWith } from "../support/stacks/scenarios";

runScenarios("the environment", [
  {
    name: "forced colors change nothing: hosts start, and no output contains a color",
    onCli: "both hosts",
    separateProviders: true,
    seed: seedWith(),
    environment: { FORCE_COLOR: "1" },
    async run({ stack, service }) {
      const { printed } = await stack.deploy('new Project("shop", { name: "Shop" });');
      expect(printed).not.toContain("\u001b");
      expect(service.state.projects).toMatchObject([{ name: "Shop" }]);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);
