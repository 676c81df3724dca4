/** The result of `discover` and `compare`, as JSON and as text with the next steps. */
import { resolve } from "node:path";
import { scopesFor } from "../../provider/lifecycle/operations/inputs";
import { READ_ONLY_VARIABLE } from "../../provider/service";
import { counted, enumerated } from "../../provider/values/phrases";
import { comparisonText, comparisonValues, organizationTitle } from "../compare/comparisonReport";
import { KIND_NAMES, KINDS } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import { NODE_RUNTIME } from "../pulumi/hostChoice";
import { AFTER_IMPORT, FIRST_CLI_VERSION, importArguments } from "../pulumi/importFile";
import { namesOrganizations } from "../service/organizations";
import { jsonText } from "../terminal/json";
import { tableText } from "../terminal/tableText";
import type { Discovery, Written } from "./discovery";
import type { DiscoverPlan, OutputPlan } from "./plan";
import { IMPORT_FILE_NAME } from "./programFiles";

/** The result as JSON, for scripts: one object, or a list of them if the command names organizations. */
export function discoveryJson(discoveries: readonly Discovery[], plan: DiscoverPlan): string {
  const results = discoveries.map((discovery) => discoveryValues(discovery, plan));
  return jsonText(namesOrganizations(plan.options) ? { organizations: results } : results[0]);
}

function discoveryValues(discovery: Discovery, { output }: DiscoverPlan): object {
  const { organization, source, host, selected, comparison, problems, written } = discovery;
  const { organizationId, client } = organization;
  return {
    ...(source !== undefined && { source: client.sanitized(source.name) }),
    ...(comparison === undefined ? { organizationId } : comparisonValues(comparison, discovery)),
    ...(written && {
      host: host.name,
      directory: resolve(written.directory),
      files: Object.keys(written.files),
      objects: [...written.programs].flatMap(([program, { objects }]) =>
        objects.map(({ kind, name, reading: { uuid } }) => ({
          kind,
          name,
          uuid,
          ...(program !== "" && { program }),
          ...(kind === "project" && selected.links.has(uuid) && { links: selected.links.get(uuid) }),
        })),
      ),
    }),
    ...(output?.dryRun && { dryRun: true }),
    problems,
  };
}

/** What the reader needs to know besides the result. */
export function notesOn(discoveries: readonly Discovery[], plan: DiscoverPlan): readonly string[] {
  const programs = discoveries.flatMap(({ written }) => [...(written?.programs.values() ?? [])]);
  const used = new Set(programs.flatMap(({ references }) => references.map(({ option }) => option)));
  const unused = (plan.output?.references ?? []).filter((option) => !used.has(option));
  // In its own directory, the program is that of the stack and keeps its objects.
  const hasOwnProgram = plan.output !== undefined && plan.compare === undefined && !isOwn(plan);
  return [
    ...unused.map(
      ({ stack, output }) =>
        `--reference ${stack}=${output} is not used: nothing in the program refers to a project in this output.`,
    ),
    ...discoveries
      .filter(({ managed }) => hasOwnProgram && managed > 0)
      .map(
        ({ managed }) =>
          `The stack has ${managed} of these objects already. In a program of their own, they would be managed more than once: use \`pulumi-dynamiclink compare\` with --out to write only what no stack manages.`,
      ),
  ];
}

/** Whether the program is written to the directory of the selected stack's project. */
function isOwn({ output, stackOptions }: DiscoverPlan): boolean {
  return output !== undefined && resolve(output.directory) === resolve(stackOptions.cwd ?? ".");
}

/** A directory as the reader knows it. Dots alone say nothing. */
function shown(directory: string): string {
  return /^[./\\]*$/.test(directory) ? resolve(directory) : directory;
}

/** The result as text, with what to do next. */
export function discoveryText(discoveries: readonly Discovery[], plan: DiscoverPlan): string {
  const paragraphs = discoveries.flatMap((discovery) => {
    const { comparison } = discovery;
    return comparison === undefined
      ? [[...contents(discovery, plan), ...outputText(discovery, plan)]]
      : [[comparisonText(comparisonValues(comparison, discovery)).trimEnd()], outputText(discovery, plan)];
  });
  return paragraphs.flatMap((lines) => (lines.length === 0 ? [] : [`${lines.join("\n")}\n`])).join("\n");
}

/** What was written, and what to do with it. */
function outputText(discovery: Discovery, plan: DiscoverPlan): readonly string[] {
  const { output } = plan;
  if (output === undefined) return [];
  const { written } = discovery;
  if (written === undefined) return ["There is nothing to declare, so no file was written."];
  if (output.dryRun) return preview(discovery, written, output);
  const { directory, programs } = written;
  const files = counted(Object.keys(written.files).length, "file");
  const summary = output.isSplit
    ? [
        `${counted(programs.size, "program")} with ${files} written to ${shown(directory)}:`,
        ...[...programs].map(([name, { objects }]) => `  ${name}: ${counted(objects.length, "object")}`),
      ]
    : [`${files} written to ${shown(directory)}.`];
  return [...summary, "", ...nextSteps(discovery, written, plan)];
}

/** What a dry run would write. */
function preview(
  { organization }: Discovery,
  { directory, programs, files, objects }: Written,
  { isSplit }: OutputPlan,
): readonly string[] {
  const rows = [...programs].flatMap(([program, part]) =>
    part.objects.map((object) => [
      KINDS[object.kind].description.title,
      ...(isSplit ? [program] : []),
      object.name,
      objectName(object),
      object.reading.uuid,
    ]),
  );
  const head = ["TYPE", ...(isSplit ? ["PROGRAM"] : []), "LOGICAL NAME", "NAME", "UUID"];
  const names = Object.keys(files);
  return [
    `Dry run: nothing was written. ${counted(names.length, "file")} would be written to ${shown(directory)}:`,
    ...names.map((file) => `  ${file}`),
    "",
    `${counted(objects.length, "object")} would be declared:`,
    tableText(head, organization.client.sanitized(rows)).trimEnd(),
  ];
}

/** The number of objects and links. */
function contents(
  { organization, source, selected, written }: Discovery,
  { select: { links } }: DiscoverPlan,
): string[] {
  const { sanitized } = organization.client;
  const counts = KIND_NAMES.map((kind) => {
    const { length } = selected.objects.filter((object) => object.kind === kind);
    return counted(length, KINDS[kind].description.title);
  });
  const total = [...selected.links.values()].reduce((sum, count) => sum + count, 0);
  const projects = written?.objects.filter(({ kind }) => kind === "project");
  const names = new Map(projects?.map(({ name, reading: { uuid } }) => [uuid, name]));
  return [
    `${organizationTitle(organization.organizationId, source && sanitized(source.name))}: ${counts.join(", ")}${links ? `, ${counted(total, "link")}` : ""}.`,
    ...[...selected.links]
      .filter(([, count]) => count > 0)
      .map(([uuid, count]) => `  ${sanitized(names.get(uuid) ?? uuid)}: ${counted(count, "link")}`),
  ];
}

/** What to do with the files. */
function nextSteps(
  discovery: Discovery,
  { directory, isWorkspace }: Written,
  plan: DiscoverPlan,
): readonly string[] {
  const { host, runtime, stackName } = discovery;
  const { compare, output } = plan;
  const { stack: first, cwd } = plan.stackOptions;
  // Of several stacks that were compared, none is the one to import into.
  const stack = (compare?.stacks ?? []).length > 1 ? undefined : first;
  // Pulumi protects what it imports, unless this is stated.
  const protect = output?.protect === "none" ? false : undefined;
  const check = ["  pulumi preview --expect-no-changes", AFTER_IMPORT, ...readOnlyHint(discovery)];
  if (host.isReadByPulumi && runtime !== NODE_RUNTIME) {
    const code = CODE_FILES[runtime] ?? "imported.txt";
    const args = importArguments(resolve(directory, IMPORT_FILE_NAME), { stack, cwd, protect, code });
    return [
      "Next, import the objects and let Pulumi generate their code:",
      `  pulumi ${args.join(" ")}`,
      `Add the code in ${code} to your program, and check that nothing changes:`,
      ...check,
    ];
  }
  const isSplit = output?.isSplit === true;
  const isInPlace = (isSplit && !isWorkspace) || resolve(directory) === resolve();
  const install = isInPlace ? "npm install" : `cd ${shown(directory)} && npm install`;
  // The selected stack is that of the program.
  const initialize = stackName !== undefined && isOwn(plan) ? [] : ["pulumi stack select --create <name>"];
  return [
    `Next${isSplit && !isWorkspace ? " in each directory" : ""}${host.isReadByPulumi ? "" : `, with a Pulumi CLI of ${FIRST_CLI_VERSION} or newer`}:`,
    ...(isWorkspace
      ? [`  ${install}`, "Then in the directory of each program:", ...initialize.map((one) => `  ${one}`)]
      : [`  ${[install, ...initialize].join(" && ")}`]),
    `  pulumi ${importArguments(IMPORT_FILE_NAME, { protect }).join(" ")}`,
    ...check,
  ];
}

/** What to do with a key that cannot write what the program declares. */
function readOnlyHint({ written, organization }: Discovery): readonly string[] {
  const needed = (written?.objects ?? []).flatMap(({ kind, reading: { inputs } }) =>
    scopesFor(KINDS[kind].description, { readOnly: false }, inputs),
  );
  const missing = [...new Set(needed)].filter((scope) => !organization.scopes.includes(scope));
  if (missing.length === 0) return [];
  return [
    `The API key lacks ${enumerated(missing)}. With such a key, set ${READ_ONLY_VARIABLE}=1 for pulumi import and pulumi preview.`,
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
