/** The commands with `--native`: import files with native types, and code that Pulumi generates. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Emulator } from "../../../testing/emulator";
import { KEY, OTHER_KEY } from "../../support/values/organizations";
import { enter, newDirectory } from "../directories";
import { importFileAt } from "../generatedProgram";
import { DOMAIN, FOREIGN, SHOP, SHOP_PROJECT, seedOfTwo, WEB } from "../objects";
import { pulumiIn, withCli, withStubbedCli } from "../pulumiClis";
import { run } from "../run";
import { resourceOf } from "../states";
import { testsWith } from "../testsWith";

const NATIVE_PROVIDER = "urn:pulumi:test::shops::pulumi:providers:dynamiclink::my-eu";
const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/dynamiclink:Project";

const SEED = seedOfTwo([SHOP_PROJECT], ["projects:read", "applications:read", "domains:read"]);

const { test, testOnShell, testOnCli } = testsWith(SEED);

const PLUGIN = { name: "dynamiclink", path: "./node_modules/pulumi-dynamiclink/plugin" };

/** A directory with a project. */
function projectWith(project: object): string {
  const directory = newDirectory();
  writeProject(directory, project);
  return directory;
}

function writeProject(directory: string, project: object): void {
  writeFileSync(
    join(directory, "Pulumi.yaml"),
    stringify({ name: "shops", plugins: { providers: [PLUGIN] }, ...project }),
  );
}

describe("import", () => {
  function importInto(service: Emulator, out: string, ...args: string[]) {
    return run("import", [...args, "--out", out, "--api-url", service.url]);
  }

  test("--native writes entries without inputs, and a command with which Pulumi generates the code", async (service) => {
    const out = join(newDirectory(), "import.json");
    const { code, stdout, stderr } = await importInto(
      service,
      out,
      ...["project", "the shop", SHOP, "--native", "--provider", NATIVE_PROVIDER],
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`Import it with: pulumi import --file ${out} --protect=true\n`);
    expect(stderr).not.toContain("Pulumi.yaml");
    expect(importFileAt(out)).toEqual({
      nameTable: { "my-eu": NATIVE_PROVIDER },
      resources: [
        {
          type: "dynamiclink:index:Project",
          name: "theShop",
          logicalName: "the shop",
          id: SHOP,
          provider: "my-eu",
        },
      ],
    });
  });

  test("a project with the plugin chooses native resources, and says so", async (service) => {
    const cwd = projectWith({ runtime: "nodejs" });
    const out = join(cwd, "import.json");
    const { code, stderr } = await importInto(service, out, "project", "shop", SHOP, "--cwd", cwd);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `${join(cwd, "Pulumi.yaml")} has the plugin dynamiclink, so native resources are used. For dynamic resources, add --no-native.\n`,
    );
    expect(importFileAt(out).resources).toEqual([
      { type: "dynamiclink:index:Project", name: "shop", id: SHOP },
    ]);
  });

  test("a preview file has the types, and each object keeps its own", async (service) => {
    const directory = newDirectory();
    const file = join(directory, "preview.json");
    const us = {
      type: "pulumi:providers:dynamiclink",
      name: "us",
      inputs: { apiUrl: service.url, apiKeyEnvVar: "US_KEY" },
    };
    const resources = [
      us,
      { type: DYNAMIC_TYPE, name: "shop", id: SHOP },
      { type: "dynamiclink:index:Project", name: "elsewhere", id: FOREIGN, provider: "us" },
    ];
    writeFileSync(file, JSON.stringify({ resources }));
    const out = join(directory, "import.json");
    const args = ["--from-preview", file, "--out", out, "--api-url", service.url];
    const environment = { PATH: "/nonexistent", DYNAMICLINK_API_KEY: KEY, US_KEY: OTHER_KEY };
    const { code, stderr } = await run("import", args, environment);
    expect(code).toBe(0);
    expect(stderr).toContain(`pulumi import --file ${out} --generate-code=false`);
    expect(importFileAt(out).resources).toEqual([
      us,
      expect.objectContaining({ type: DYNAMIC_TYPE, inputs: expect.anything() }),
      { type: "dynamiclink:index:Project", name: "elsewhere", id: FOREIGN, provider: "us" },
    ]);

    for (const option of ["--native", "--no-native"]) {
      expect((await run("import", [...args, option], environment)).stderr).toBe(
        "error: The preview's file already has the types of the resources: omit --native and --no-native.\n",
      );
    }
  });

  testOnShell("objects that the stack has as resources of either host are rejected", async (service) => {
    const environment = withStubbedCli(service, [
      resourceOf(DYNAMIC_TYPE, "one", { id: SHOP.toUpperCase() }),
      resourceOf("dynamiclink:index:Application", "two", { id: WEB }),
    ]);
    for (const option of ["--native", "--no-native"]) {
      const ended = [
        await run("import", ["project", "x", SHOP, option, "--yes"], environment),
        await run("import", ["application", "x", WEB, option, "--yes"], environment),
      ];
      expect(ended.map(({ stderr }) => stderr)).toEqual([
        `error: project ${SHOP} is already in the stack: urn:pulumi:test::estate::${DYNAMIC_TYPE}::one.\n`,
        `error: application ${WEB} is already in the stack: urn:pulumi:test::estate::dynamiclink:index:Application::two.\n`,
      ]);
    }
    expect(service.requests).toEqual([]);
  });

  testOnShell("a CLI that is too old for dynamic resources imports native ones", async (service) => {
    const environment = withStubbedCli(service, [resourceOf("acme:index:Team", "team")], {
      // Its output is not the result; the file after --out is.
      cases: ["version) echo v3.216.0;;", '"import --file"*) echo importing; echo "the code" > "$5";;'],
    });
    const args = ["project", "x", SHOP, "--native", "--yes"];
    const imported = { code: 0, stdout: "the code\n", stderr: expect.stringMatching(/^importing\n/) };
    const note = "The code uses these resources of your program: team. Use the names that they have there.";
    const plain = await run("import", args, environment);
    expect(plain).toEqual(imported);
    expect(plain.stderr).not.toContain(note);
    const inTeam = await run("import", [...args, "--parent", "team"], environment);
    expect(inTeam).toEqual(imported);
    expect(inTeam.stderr).toContain(`${note}\n`);
  });
});

describe("discover", () => {
  test("--native writes the same program with native classes, and a project with the plugin", async (service) => {
    const out = join(newDirectory(), "estate");
    const { code, stdout } = await run("discover", ["--out", out, "--api-url", service.url, "--native"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Next:\n  cd ${out} && npm install && pulumi stack select --create <name>\n  pulumi import --file import.json --generate-code=false\n`,
    );
    const dynamic = join(newDirectory(), "estate");
    await run("discover", ["--out", dynamic, "--api-url", service.url]);
    const program = (directory: string) => readFileSync(join(directory, "index.ts"), "utf8");
    expect(program(dynamic)).toContain(' from "pulumi-dynamiclink";');
    expect(program(out)).toBe(program(dynamic).replace(/(?<=from "pulumi-dynamiclink)/, "/native"));
    expect(parse(readFileSync(join(out, "Pulumi.yaml"), "utf8"))).toMatchObject({
      runtime: { name: "nodejs" },
      plugins: { providers: [PLUGIN] },
    });
    expect(importFileAt(join(out, "import.json"))).toEqual({
      resources: [
        { type: "dynamiclink:index:Project", name: "shop", id: SHOP },
        { type: "dynamiclink:index:Application", name: "shop-web", id: WEB },
        { type: "dynamiclink:index:CustomDomain", name: "links-shop-example", id: DOMAIN },
      ],
    });
  });

  test.each([
    ["python", "imported.py"],
    ["go", "imported.go.txt"],
    ["yaml", "imported.yaml"],
    ["dotnet", "Imported.cs.txt"],
    ["java", "Imported.java"],
    ["cobol", "imported.txt"],
  ])(
    "in a project in %s, only the import file is written, and Pulumi generates %s",
    async (service, runtime, code) => {
      const cwd = projectWith({ runtime });
      const out = join(cwd, "estate");
      const args = ["--out", out, "--cwd", cwd, "--api-url", service.url];
      const { stdout, stderr } = await run("discover", args);
      expect(stderr).toContain(`Pulumi.yaml has the runtime ${runtime}, so native resources are used.`);
      expect(stdout.split("\n").slice(1)).toEqual([
        `1 file written to ${out}.`,
        "",
        "Next, import the objects and let Pulumi generate their code:",
        `  pulumi import --file ${join(out, "import.json")} --out ${code} --cwd ${cwd}`,
        `Add the code in ${code} to your program, and check that nothing changes:`,
        "  pulumi preview --expect-no-changes",
        expect.stringContaining("Run it before you destroy anything."),
        expect.stringContaining("set DYNAMICLINK_READ_ONLY=1 for pulumi import and pulumi preview."),
        "",
      ]);
      expect(readdirSync(out)).toEqual(["import.json"]);
    },
  );

  test("an import file alone is reported as JSON, can leave objects unprotected, and gives way to a program with --no-native", async (service) => {
    const cwd = projectWith({ runtime: "python" });
    const out = join(cwd, "estate");
    const args = ["--out", out, "--cwd", cwd, "--api-url", service.url];
    await run("discover", args);
    expect(JSON.parse((await run("discover", [...args, "--json", "--force"])).stdout)).toMatchObject({
      host: "native",
      files: ["import.json"],
    });

    expect((await run("discover", [...args, "--force", "--no-protect"])).stdout).toContain(
      ` --cwd ${cwd} --protect=false\n`,
    );
    expect((await run("discover", [...args, "--protect", "projects"])).stderr).toMatch(
      /error: --protect projects needs a program that discover writes\. .* use --no-protect\.\n$/,
    );

    await run("discover", [...args, "--no-native", "--force"]);
    expect(readFileSync(join(out, "index.ts"), "utf8")).toContain('from "pulumi-dynamiclink";');
  });
});

describe("on a real CLI, in a project in YAML", () => {
  /** Registers a test in a stack of a project with the plugin and an explicit provider. */
  function testInStack(
    name: string,
    test: (tools: {
      readonly directory: string;
      readonly environment: Record<string, string | undefined>;
      pulumi(...args: string[]): Promise<string>;
      declare(resources: object): void;
    }) => Promise<void>,
  ): void {
    const inStack = async (service: Emulator) => {
      const directory = newDirectory();
      const environment = { ...withCli(newDirectory()), OTHER_KEY, DYNAMICLINK_READ_ONLY: "1" };
      const pulumi = (...args: string[]) => pulumiIn(directory, environment, args);
      const provider = {
        type: "pulumi:providers:dynamiclink",
        properties: { apiKeyEnvVar: "OTHER_KEY", apiUrl: service.url },
      };
      const declare = (resources: object) =>
        writeProject(directory, { runtime: "yaml", resources: { "my-eu": provider, ...resources } });
      declare({});
      await pulumi("stack", "init", "test");
      await pulumi("config", "set", "dynamiclink:apiUrl", service.url);
      await pulumi("up", "--yes", "--skip-preview");
      await test({ directory, environment, pulumi, declare });
    };
    testOnCli(name, inStack, ["pulumi-language-yaml"]);
  }

  testInStack(
    "import prints what Pulumi generates, which changes nothing when it is pasted",
    async ({ directory, environment, pulumi, declare }) => {
      const place = ["--stack", "test", "--cwd", directory, "--yes"];
      const list = join(directory, "list.csv");
      writeFileSync(
        list,
        `type,name,uuid,provider\ncustomDomain,my links/1,${DOMAIN},\nproject,null,${SHOP},\nproject,else where,${FOREIGN},my-eu\n`,
      );
      const { code, stdout, stderr } = await run("import", ["--file", list, ...place], environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("3 imported") });
      expect(stderr).toContain("Pulumi.yaml has the runtime yaml, so native resources are used.");
      const generated = parse(stdout) as { resources: Record<string, { name?: string | null }> };
      expect(Object.values(generated.resources)).toEqual([
        expect.objectContaining({ type: "dynamiclink:CustomDomain", name: "my links/1" }),
        // Pulumi omits the quotes.
        expect.objectContaining({ type: "dynamiclink:Project", name: null }),
        expect.objectContaining({ type: "dynamiclink:Project", name: "else where" }),
      ]);
      declare({ ...generated.resources, null2: { ...generated.resources.null2, name: "null" } });
      await pulumi("preview", "--expect-no-changes");
      await pulumi("refresh", "--yes", "--expect-no-changes");
      await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");

      expect(await run("import", ["project", "again", SHOP, ...place], environment)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          `error: project ${SHOP} is already in the stack: urn:pulumi:test::shops::dynamiclink:index:Project::null.\n`,
        ),
      });
    },
  );

  testInStack(
    "a Terraform state is imported, and what Pulumi generates changes nothing",
    async ({ directory, environment, pulumi, declare }) => {
      const resource = (type: string, name: string, id: string, alias = "") => ({
        ...{ mode: "managed", type: `dynamiclink_${type}`, name, instances: [{ attributes: { id } }] },
        provider: `provider["registry.example/platform/dynamiclink"]${alias}`,
      });
      const resources = [
        resource("project", "shop", SHOP),
        resource("custom_domain", "shop", DOMAIN),
        resource("project", "my_eu", FOREIGN, ".europe"),
      ];
      const args = ["--from-terraform", "-", "--provider", "europe=my-eu", "--stack", "test", "--yes"];
      enter(directory);
      const state = JSON.stringify({ version: 4, resources });
      const { code, stdout, stderr } = await run("import", args, environment, state);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("3 imported") });
      declare((parse(stdout) as { resources: object }).resources);
      await pulumi("preview", "--expect-no-changes");
    },
  );

  testInStack(
    "a preview file is imported, and then nothing changes",
    async ({ directory, environment, pulumi, declare }) => {
      const options = { provider: "${" + "my-eu}" };
      declare({
        shop: { type: "dynamiclink:Project", properties: { name: "Shop" } },
        other: { type: "dynamiclink:Project", properties: { name: "Elsewhere" }, options },
      });
      const file = join(directory, "preview.json");
      await pulumi("preview", "--import-file", file);
      const text = readFileSync(file, "utf8");
      const preview = JSON.parse(text) as { resources: { name: string; id?: string }[] };
      const ids: Record<string, string> = { shop: SHOP, other: FOREIGN };
      const resources = preview.resources.map((entry) => ({ ...entry, id: ids[entry.name] }));
      writeFileSync(file, JSON.stringify({ ...preview, resources }));
      const ended = await run(
        "import",
        ["--from-preview", file, "--stack", "test", "--cwd", directory, "--yes", "--no-protect"],
        environment,
      );
      expect(ended).toMatchObject({
        code: 0,
        stdout: "",
        stderr: expect.stringContaining("2 imported"),
      });
      await pulumi("preview", "--expect-no-changes");
    },
  );

  testInStack(
    "the command that discover prints generates code that changes nothing",
    async ({ directory, environment, pulumi, declare }) => {
      const out = join(directory, "estate");
      const args = ["--out", out, "--cwd", directory, "--stack", "test"];
      const { code, stdout } = await run("discover", args, environment);
      expect(code).toBe(0);
      const command = /^ {2}pulumi (import .*)$/m.exec(stdout)?.[1] ?? "";
      await pulumi(...command.split(" "), "--yes");
      const generated = parse(readFileSync(join(directory, "imported.yaml"), "utf8"));
      expect(Object.keys(generated.resources)).toEqual(["shop", "shop-web", "links-shop-example"]);
      declare(generated.resources);
      await pulumi("preview", "--expect-no-changes");
    },
  );
});
