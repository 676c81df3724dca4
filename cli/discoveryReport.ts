/** The result of `discover`, as JSON and as text with the next steps. */
import { resolve } from "node:path";
import { counted } from "../provider/shapes/words";
import { coverageText, coverageValues, problemsToReport } from "./coverageReport";
import type { DiscoverOptions, Discovery } from "./discovery";
import { IMPORT_FILE_NAME } from "./estateProgram";
import { NODE_RUNTIME } from "./hostChoice";
import { AFTER_IMPORT, FIRST_CLI_VERSION, importArguments } from "./importFile";

/** The result as JSON, for scripts. */
export function discoveryJson(discovery: Discovery): string {
  const { organizationId, host, estate, comparison, program, directory } = discovery;
  const written = program &&
    directory !== undefined && {
      host: host.name,
      directory: resolve(directory),
      files: Object.keys(program.files),
      objects: program.objects.map(({ kind, name, reading: { uuid } }) => ({
        kind,
        name,
        uuid,
        ...(estate.links.has(uuid) && { links: estate.links.get(uuid) }),
      })),
    };
  const result =
    comparison === undefined
      ? { organizationId, ...written, problems: estate.problems }
      : { ...coverageValues(comparison), ...written, problems: problemsToReport(comparison) };
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** The result as text, with what to do next. */
export function discoveryText(discovery: Discovery, options: DiscoverOptions): string {
  const { comparison, program, directory } = discovery;
  const summary =
    comparison === undefined ? contents(discovery, options) : [coverageText(coverageValues(comparison))];
  const written =
    program === undefined || directory === undefined
      ? options.out === undefined
        ? []
        : ["There is nothing to declare, so no file was written."]
      : [
          `${counted(Object.keys(program.files).length, "file")} written to ${directory}.`,
          "",
          ...nextSteps(discovery, { ...options, out: directory }),
        ];
  return [...summary, ...written, ""].join("\n");
}

/** The number of objects and links. */
function contents(
  { organizationId, estate, program, printable }: Discovery,
  { links }: DiscoverOptions,
): string[] {
  const { projects, applications, customDomains } = estate;
  const counts = [
    counted(projects.length, "project"),
    counted(applications.length, "application"),
    counted(customDomains.length, "custom domain"),
  ];
  const total = [...estate.links.values()].reduce((sum, count) => sum + count, 0);
  const names = new Map(program?.objects.map(({ name, reading: { uuid } }) => [uuid, name]));
  return [
    `Organization ${organizationId}: ${counts.join(", ")}${links ? `, ${counted(total, "link")}` : ""}.`,
    ...[...estate.links]
      .filter(([, count]) => count > 0)
      .map(([uuid, count]) => `  ${printable(names.get(uuid) ?? uuid)}: ${counted(count, "link")}`),
  ];
}

/** What to do with the files. */
function nextSteps(
  { host, runtime }: Discovery,
  { out, stack: stacks = [], cwd, protect: protection }: DiscoverOptions & { readonly out: string },
): readonly string[] {
  const [stack] = stacks.length === 1 ? stacks : [];
  const preview = "  pulumi preview --expect-no-changes";
  // Pulumi protects what it imports, unless this is stated.
  const protect = protection === false ? false : undefined;
  if (host.isReadByPulumi && runtime !== NODE_RUNTIME) {
    const code = CODE_FILES[runtime] ?? "imported.txt";
    const args = importArguments(resolve(out, IMPORT_FILE_NAME), { stack, cwd, protect, code });
    return [
      "Next, import the objects and let Pulumi generate their code:",
      `  pulumi ${args.join(" ")}`,
      `Add the code in ${code} to your program, and check that nothing changes:`,
      preview,
      AFTER_IMPORT,
    ];
  }
  return [
    `Next${host.isReadByPulumi ? "" : `, with a Pulumi CLI of ${FIRST_CLI_VERSION} or newer`}:`,
    `  cd ${out} && npm install && pulumi stack init <name>`,
    `  pulumi ${importArguments(IMPORT_FILE_NAME, { protect }).join(" ")}`,
    preview,
    AFTER_IMPORT,
  ];
}

/**
 * The files that Pulumi writes generated code to, by runtime. Go and .NET compile all their files in the directory of a
 * program, and the code has a main function of its own.
 */
const CODE_FILES: Readonly<Record<string, string>> = {
  python: "imported.py",
  go: "imported.go.txt",
  yaml: "imported.yaml",
  dotnet: "Imported.cs.txt",
  java: "Imported.java",
};
