/**
 * The plugin as Pulumi downloads it: from an address in the program's packages, in the SDK, or in the schema. A server on this
 * machine has the archives of a release, as a repository serves them.
 */
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../../package.json";
import { directoryWith, PLATFORM, packTarball, unpackInto } from "../../release/package/programs";
import { execute } from "../../support/processes/execute";
import { pulumiCli } from "../../support/processes/pulumiCli";
import { writesIn } from "../../support/stacks/scenarios";
import { ORGANIZATION } from "../../support/values/organizations";
import { initialized, type NativeStack, startReleases, testIn } from "./support";

const { version } = packageJson;
const ARCHIVE = `pulumi-resource-dynamiclink-v${version}-${PLATFORM}.tar.gz`;
const MAX_ARCHIVE_MEBIBYTES = 50;

/** Runs the quickstart, from the first preview to destroy. */
async function quickstart(stack: NativeStack): Promise<void> {
  const { pulumi, service } = stack;
  await initialized(stack);
  await pulumi("preview");
  await pulumi("up", "--yes", "--skip-preview");
  const { projects, applications, customDomains } = service.state;
  expect(applications.map(({ appType }) => appType).sort()).toEqual(["ANDROID", "IOS", "WEB"]);
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toEqual({
    projectId: projects[0]?.id,
    subDomain: projects[0]?.subDomain,
    cnameTarget: customDomains[0]?.cnameTarget,
  });
  service.clearRequests();
  await pulumi("preview", "--expect-no-changes");
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  expect(writesIn(service)).toEqual([]);
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(service.state).toMatchObject({ projects: [], applications: [], customDomains: [] });
}

testIn(
  ["nodejs"],
  "a TypeScript program needs no plugins in Pulumi.yaml: Pulumi downloads the plugin of the package's version",
  async (stack) => {
    const { directory } = stack;
    await using releases = await startReleases(stack);
    const file = join(directory, "index.ts");
    const program = readFileSync(file, "utf8");
    writeFileSync(file, program.replace('from "pulumi-dynamiclink"', 'from "pulumi-dynamiclink/native"'));
    stack.write({ runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts" }, {});
    const tarball = packTarball();
    unpackInto(directory, tarball);
    tarball.remove();
    writeFileSync(
      join(directory, "node_modules", "pulumi-dynamiclink", "package.json"),
      JSON.stringify({ ...packageJson, repository: { type: "git", url: releases.repository } }),
    );
    await quickstart(stack);
    expect(releases.requested()).toEqual([ARCHIVE]);
  },
  { example: "quickstart" },
);

testIn(
  ["yaml"],
  "a program in YAML needs nothing but Pulumi: the archive has the Node.js that runs the plugin and the commands",
  async (stack) => {
    await using releases = await startReleases(stack, true);
    const archive = statSync(join(stack.directory, "..", "archives", ARCHIVE));
    expect(archive.size / 1024 ** 2).toBeLessThanOrEqual(MAX_ARCHIVE_MEBIBYTES);
    // A PATH with only Pulumi and its language host: neither Node.js nor npm.
    const { command } = pulumiCli();
    using path = directoryWith({});
    for (const name of ["pulumi", "pulumi-language-yaml"])
      symlinkSync(join(dirname(command), name), join(path.path, name));
    const { directory, service } = stack;
    const environment = { ...stack.environment, PATH: path.path, NODE_OPTIONS: "--no-such-option" };
    const pulumi = (...args: string[]) =>
      execute(command, [...args, "--non-interactive"], { directory, environment });

    await pulumi("package", "add", `dynamiclink@${version}`, "--server", releases.downloadUrl);
    expect(releases.requested()).toEqual([ARCHIVE]);
    // As on another machine.
    await pulumi("plugin", "rm", "resource", "dynamiclink", "--yes");
    await quickstart({ ...stack, environment, pulumi });
    expect(releases.requested()).toEqual([ARCHIVE]);

    const tool = ["plugin", "run", "--kind", "resource", "dynamiclink", "--"];
    const whoami = (...args: string[]) =>
      execute(command, [...tool, "whoami", "--api-url", service.url, ...args], { directory, environment });
    expect(JSON.parse(await whoami("--json"))).toMatchObject({ organizationId: ORGANIZATION });
    await expect(whoami("--no-such-option")).rejects.toThrow("unknown option '--no-such-option'");
  },
  { example: "quickstart-yaml" },
);
