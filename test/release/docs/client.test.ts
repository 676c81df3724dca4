/** The script in docs/client.md, run as the page says. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startEmulator } from "../../../testing/emulator";
import { KEY, seedWith } from "../../support/values/organizations";
import { programWith } from "../package/programs";
import { codeBlocks } from "./codeBlocks";

const PROJECT = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

const blocks = codeBlocks().filter(({ place }) => place.startsWith("docs/client.md:"));

test("the script lists the links, creates one and sets the theme", async () => {
  const links = [{ name: "Home", url: "https://shop.example/", suffix: "home" }];
  await using service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Shop", links }]) });
  const script = blocks.find(({ language }) => language === "typescript")?.text ?? "";
  const command = blocks.find(({ language }) => language === "sh")?.text ?? "";
  using directory = programWith({ "links.ts": script, "package.json": '{ "type": "module" }' });
  const [program, file = "", , project = ""] = command.trim().split(" ");
  expect([program, file, project]).toEqual(["node", "links.ts", PROJECT]);

  const { stdout } = await promisify(execFile)(process.execPath, [file, service.url, project], {
    cwd: directory.path,
    env: { ...process.env, DYNAMICLINK_API_KEY: KEY },
  });
  expect(stdout.split("\n")).toEqual([
    "Home: https://p5f0c9d3e.links.example/home",
    "Created https://p5f0c9d3e.links.example/sale",
    "The theme is dark",
    "",
  ]);
  const created = { name: "Sale", url: "https://shop.example/sale", suffix: "sale" };
  expect(service.state.links).toMatchObject([...links, created]);
  expect(service.state.projects[0]?.skin).toMatchObject({ themeType: "basic", themeChoiceType: "dark" });
  expect(service.requests.map(({ operationId }) => operationId)).toEqual([
    "getCurrentApiCredential",
    "listProjectLinks",
    "createProjectLink",
    "saveProjectSkin",
  ]);
});
