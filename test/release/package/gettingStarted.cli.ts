/** "Getting started" in README.md: its files and commands, in its order, in an empty directory with the packed package. */
import { join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { pulumiIn, withCli } from "../../commands/pulumiClis";
import { testOnCli } from "../../support/processes/pulumiCli";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { gettingStarted } from "../docs/codeBlocks";
import { directoryWith, packTarball, unpackInto } from "./programs";

testOnCli("the program of README.md is deployed from an empty directory, without changes later", async () => {
  const { files, commands } = gettingStarted();
  const texts = Object.entries(files).map(([name, text]) => [join("shop", name), text]);
  using root = directoryWith({ "backend/.keep": "", ...Object.fromEntries(texts) });
  const directory = join(root.path, "shop");
  using tarball = packTarball();
  await using service = await startEmulator({ seed: seedWith() });
  // The key is in the environment, where `export` puts it.
  const environment = { ...withCli(join(root.path, "backend")), DYNAMICLINK_API_KEY: KEY };
  unpackInto(directory, tarball);
  for (const command of commands) {
    const [program, ...args] = command.replace("https://…", service.url).split(" ");
    if (program === "pulumi") await pulumiIn(directory, environment, withConsent(args));
  }
  expect(service.state.projects).toMatchObject([{ name: "Shop", organizationId: ORGANIZATION }]);
  expect(service.state.applications).toMatchObject([{ appType: "IOS" }]);
  const outputs = await pulumiIn(directory, environment, ["stack", "output", "--json"]);
  expect(JSON.parse(outputs)).toEqual({ subDomain: service.state.projects[0]?.subDomain });
  await pulumiIn(directory, environment, ["preview", "--expect-no-changes"]);
});

function withConsent(args: readonly string[]): string[] {
  return args[0] === "up" ? [...args, "--yes"] : [...args];
}
