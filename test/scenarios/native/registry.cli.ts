/** What the CLI and Pulumi's registries show of the package, from the schema and the pages in `docs/`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import { FUNCTIONS } from "../../../provider/hosts/plugin/pluginFunctions";
import { ROOT } from "../../release/package/unpackedProgram";
import { pulumiCli, runPulumi } from "../../support/processes/pulumiCli";
import { startStubServer } from "../../support/servers/stubServer";
import { ARCHIVE, testWithReleases } from "./releases";
import { testIn } from "./support";

const SCHEMA = join(ROOT, "dist", "provider", "hosts", "plugin", "schema.json");
const VERSIONS = "/api/registry/packages/private/platform/dynamiclink/versions";

testWithReleases(
  [],
  "pulumi package info describes what the served archive has",
  async ({ pulumi }, { downloadUrl, requested }) => {
    const info = (...options: readonly string[]) =>
      pulumi("package", "info", `dynamiclink@${version}`, "--server", downloadUrl, ...options);
    const all = await info();
    expect(all).toContain(`Name: dynamiclink\nModule: index\nVersion: ${version}\n`);
    expect(all).toMatch(/^Resources: 4$/m);
    expect(all).toMatch(/^ - CustomDomain: A custom domain: your own host name, .*\.$/m);
    expect(all.split("\n")).toContain(`Functions: ${Object.keys(FUNCTIONS).length}`);
    const domain = await info("--resource", "CustomDomain");
    // A sentence of two lines in the source.
    expect(domain).toContain("active; use `CustomDomainActivation` for that.");
    expect(domain).toMatch(/^ - hostname \(string\*\): Host name that serves .* replaces the domain\.$/m);
    expect(await info("--function", "getLink")).toContain("Description: Looks up a link by its UUID.");
    expect(requested()).toEqual([ARCHIVE]);
  },
);

testIn([], "pulumi package publish gives a private registry the schema and both pages", async (stack) => {
  const registry = await startStubServer();
  const uploads = ["schema", "index", "installationConfiguration"];
  const bodies: Readonly<Record<string, object>> = {
    "/api/user": { githubLogin: "platform", organizations: [{ githubLogin: "platform" }] },
    "/api/user/organizations/default": { githubLogin: "platform" },
    [VERSIONS]: {
      operationID: "first",
      uploadURLs: Object.fromEntries(uploads.map((each) => [each, `${registry.url}/${each}`])),
    },
  };
  registry.answer((response, { url }) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(bodies[url] ?? {}));
  });
  const pages = ["_index.md", "installation-configuration.md"].map((page) => join(ROOT, "docs", page));
  const [readme = "", installation = ""] = pages;
  try {
    await runPulumi(
      pulumiCli(),
      ["package", "publish", SCHEMA, "--readme", readme, "--installation-configuration", installation],
      {
        directory: stack.directory,
        environment: { ...stack.environment, PULUMI_BACKEND_URL: registry.url, PULUMI_ACCESS_TOKEN: "token" },
      },
    );
  } finally {
    await registry.close();
  }
  const written = registry.requests.filter(({ method }) => method !== "GET");
  expect(written.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `POST ${VERSIONS}`,
    ...uploads.map((each) => `PUT /${each}`),
    `POST ${VERSIONS}/${version}/complete`,
  ]);
  const [start, schema, ...texts] = written.map(({ body }) => body);
  expect(JSON.parse(start ?? "")).toEqual({ version });
  // Pulumi understands the whole schema. It leaves out empty lists.
  const parsed = (text: string) =>
    JSON.parse(text, (_key, value) => (Array.isArray(value) && value.length === 0 ? undefined : value));
  expect(parsed(schema ?? "")).toEqual(parsed(readFileSync(SCHEMA, "utf8")));
  expect(texts.slice(0, 2)).toEqual(pages.map((page) => readFileSync(page, "utf8")));
});
