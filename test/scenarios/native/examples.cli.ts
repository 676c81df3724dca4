/**
 * The examples of the schema and the program of docs/_index.md: in each language, with the SDK that Pulumi generates from the
 * schema. C# is only generated, because it needs .NET.
 */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { builtSchema } from "../../../scripts/release/builtSchema";
import { codeBlocks, SEED, schemaExamples } from "../../release/docs/codeBlocks";
import { ROOT } from "../../release/package/programs";
import { execute } from "../../support/processes/execute";
import { OTHER_KEY } from "../../support/values/organizations";
import { initialized, installPlugin, type NativeStack, testIn } from "./support";

/** What the generated code needs. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>examples</groupId>
  <artifactId>examples</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>com.pulumi</groupId><artifactId>pulumi</artifactId><version>[1.16,2)</version></dependency>
    <dependency><groupId>com.google.code.findbugs</groupId><artifactId>jsr305</artifactId><version>3.0.2</version></dependency>
  </dependencies>
</project>
`;

const SETUP = { seed: SEED, environment: { DYNAMICLINK_API_KEY_EUROPE: OTHER_KEY } };

function examplesIn(language: string): string[] {
  const page = codeBlocks().filter(({ place }) => place.startsWith("docs/_index.md:"));
  const all = [...page.filter((block) => block.language === language), ...schemaExamples(language)];
  expect(all).toHaveLength(14);
  return all.map(({ text }) => text);
}

async function fromTemplate({ service, pulumi }: NativeStack, language: string): Promise<void> {
  const options = ["--force", "--yes", "--name", "shop", "--description", "A shop", "--stack", "test"];
  const url = `dynamiclink:apiUrl=${service.url}`;
  await pulumi("new", join(ROOT, "templates", language), ...options, "--config", url);
}

testIn(
  ["yaml"],
  "every example in YAML is deployed",
  async (stack) => {
    for (const [index, text] of examplesIn("yaml").entries()) {
      stack.write(parse(text));
      if (index === 0) await initialized(stack);
      await stack.pulumi("up", "--yes", "--skip-preview");
    }
  },
  SETUP,
);

testIn(
  ["python"],
  "every example in Python is deployed",
  async (stack) => {
    await installPlugin(stack);
    await fromTemplate(stack, "python");
    for (const text of examplesIn("python")) {
      writeFileSync(join(stack.directory, "__main__.py"), text);
      await stack.pulumi("up", "--yes", "--skip-preview");
    }
  },
  SETUP,
);

testIn(["go"], "every example in Go compiles, and has the format of gofmt", async (stack) => {
  const { directory } = stack;
  await installPlugin(stack);
  await fromTemplate(stack, "go");
  const paths = examplesIn("go").map((text, index) => {
    const path = join(directory, `example${index}`, "main.go");
    mkdirSync(dirname(path));
    writeFileSync(path, text);
    return path;
  });
  const options = { directory, environment: process.env };
  expect(await execute("gofmt", ["-l", ...paths], options)).toBe("");
  await execute("go", ["mod", "tidy"], options);
  await execute("go", ["vet", "./..."], options);
});

/** Generates an SDK of a language. Pulumi reads the logo of C# from its address. */
async function generatedSdk({ directory, service, pulumi }: NativeStack, language: string): Promise<string> {
  const schema = join(directory, "schema.json");
  writeFileSync(schema, JSON.stringify({ ...builtSchema(), logoUrl: service.url }));
  await pulumi("schema", "check", schema);
  await pulumi("package", "gen-sdk", schema, "--language", language, "--out", directory);
  return join(directory, language);
}

testIn(
  ["java"],
  "the SDK for Java and every example in Java compile",
  async (stack) => {
    const sdk = await generatedSdk(stack, "java");
    const sources = join(sdk, "src", "main", "java");
    const [project = ""] = globSync("**/Project.java", { cwd: sources });
    // Language hosts before 1.0 ignore the package that the schema names.
    const generated = dirname(project).replaceAll("/", ".");
    const named = `${builtSchema().language.java.basePackage}.dynamiclink`;
    for (const [index, text] of examplesIn("java").entries()) {
      const path = join(sources, `example${index}`, "App.java");
      mkdirSync(dirname(path));
      writeFileSync(path, `package example${index};\n${text.replaceAll(named, generated)}`);
    }
    writeFileSync(join(sdk, "pom.xml"), POM);
    await execute("mvn", ["--batch-mode", "--quiet", "compile"], {
      directory: sdk,
      environment: process.env,
    });
  },
  { programs: ["mvn"] },
);

testIn(["dotnet"], "Pulumi generates an SDK for C#", async (stack) => {
  const sdk = await generatedSdk(stack, "dotnet");
  expect(globSync("*.csproj", { cwd: sdk })).toEqual(["Dynamiclink.Infrastructure.csproj"]);
});
