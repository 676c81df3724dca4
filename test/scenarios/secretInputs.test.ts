/** No message, report or error shows names and hostnames that are secret in the program. */
import { failureOf, runScenarios, type Scenario, seedWith } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000004";
const NAME = "Canary shop";
const HOSTNAME = "canary.straße.example";
/** Also matches the hostname as the service may spell it. */
const CANARY = /canary (shop|mall)|canary\.(straße|xn--strae-oqa)/i;

const seed = seedWith([{ id: PROJECT, name: "Shop" }]);
const project = `new Project("shop", { name: pulumi.secret("${NAME}") });`;
const domain = `const links = new CustomDomain("links", { projectId: "${PROJECT}", hostname: pulumi.secret("${HOSTNAME}") });`;
/** A scenario that returns what was printed, which must contain `shows` and not the canary. */
function silent(
  name: string,
  {
    run,
    shows,
    ...scenario
  }: Omit<Scenario, "name" | "run"> & {
    readonly shows: string;
    run(tools: Parameters<Scenario["run"]>[0]): Promise<string>;
  },
): Scenario {
  return {
    seed,
    ...scenario,
    name,
    async run(tools) {
      const shown = await run(tools);
      expect(shown).toContain(shows);
      expect(shown).not.toMatch(CANARY);
      expect(await tools.stack.stateText()).not.toContain(NAME);
    },
  };
}

runScenarios("secret inputs are not shown", [
  silent("when the hostname is in use, in any project", {
    seed: seedWith([
      { id: PROJECT, name: "Shop" },
      { name: "Market", customDomains: [{ id: DOMAIN, hostname: HOSTNAME }] },
    ]),
    shows: `The hostname is used by custom domain ${DOMAIN}`,
    async run({ stack }) {
      return await failureOf(stack.deploy(domain));
    },
  }),
  silent("when a project is refreshed, is renamed to a name in use, and is not empty", {
    onCli: "one host",
    seed: seedWith([{ id: PROJECT, name: "Canary mall" }]),
    shows: "it still contains 1 application",
    async run({ stack, service }) {
      await stack.deploy(project);
      await stack.refresh({ expectNoChanges: true });
      const renamed = await failureOf(stack.deploy(project.replace('shop")', 'mall")')));
      const [{ id = "" } = {}] = await stack.resources();
      service.createApplication(id, { appType: "WEB" });
      return renamed + (await failureOf(stack.destroy()));
    },
  }),
]);
