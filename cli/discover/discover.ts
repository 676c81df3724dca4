/** Runs `discover`: reads objects, and prints or writes a program that adopts them. */
import { resolve } from "node:path";
import { UserError } from "../../provider/errors";
import { counted } from "../../provider/values/phrases";
import { requireUuids } from "../objects/identity";
import { KINDS } from "../objects/kinds";
import { adoptingProgram } from "../program/adoptingProgram";
import { importFileText } from "../program/importFile";
import { importList, openNames } from "../program/importList";
import { projectFiles } from "../program/projectFiles";
import { type Organization, type SourceOptions, withOrganization } from "../service/organization";
import { type Console, EXIT_CODES, type ExitCode } from "../terminal/console";
import { jsonDocument } from "../terminal/json";
import { readText, titleOf } from "../terminal/readText";
import { replaceFile, requireEmpty, writeFiles } from "../terminal/writeFiles";
import { type Discovery, discoveryOf, type LeftOut } from "./discovery";
import { listedDiscovery } from "./listedDiscovery";
import { nextSteps } from "./nextSteps";
import { terraformObjects } from "./terraformState";

export interface DiscoverOptions extends SourceOptions {
  readonly out?: string;
  readonly native?: true;
  readonly terraformState?: string;
  readonly importFile?: string;
}

export async function discover(
  given: readonly string[],
  options: DiscoverOptions,
  console: Console,
): Promise<ExitCode> {
  const { out, terraformState: file, importFile } = options;
  if (file !== undefined && given.length > 0)
    throw new UserError("Specify UUIDs or --terraform-state, not both.");
  if (importFile !== undefined && file === undefined)
    throw new UserError("--import-file needs --terraform-state, whose names its resources have.");
  if (out !== undefined) await requireEmpty(out);
  const uuids = requireUuids(given, "UUID");
  const text = file === undefined ? undefined : await readText(file, console.stdin);
  const state = text === undefined ? undefined : terraformObjects(text, titleOf(file ?? ""));
  const list = importFile === undefined ? undefined : importList(await readText(importFile), importFile);
  return await withOrganization(options, console, async (organization) => {
    const found = await discoveryOf(organization, uuids, state);
    const listed = list && state && listedDiscovery(found, state, list);
    const { discovery } = listed ?? { discovery: found };
    const files = listed === undefined ? filesFor(discovery, organization, options) : {};
    if (out !== undefined && discovery.objects.length > 0) await writeFiles(out, files);
    if (listed !== undefined && importFile !== undefined)
      await replaceFile(importFile, jsonDocument(listed.list));
    report(discovery, organization, console);
    const open = listed === undefined ? [] : openNames(listed.list);
    if (open.length > 0)
      console.message(
        "warning",
        `Still without a UUID: ${counted(open.length, "resource")} of ${importFile}. Run this again with the key of another organization, or after you have written the UUIDs: it prints the next steps when none is left. Remove from the program and the file what the service no longer has:`,
        open,
      );
    if (options.json) console.print(jsonDocument(valuesOf(discovery, files, out)));
    else if (importFile !== undefined)
      console.print(`${importFile} has the UUIDs of ${counted(discovery.addresses.length, "object")}.\n`);
    else if (out === undefined) console.print(Object.values(files).join(""));
    else if (discovery.objects.length > 0)
      console.print(`${counted(Object.keys(files).length, "file")} written to ${out}.\n`);
    if (discovery.objects.length > 0 && open.length === 0)
      console.message("note", "Next:", nextSteps(discovery, organization, options));
    return discovery.leftOut.length + discovery.notRead.length + open.length > 0
      ? EXIT_CODES.review
      : EXIT_CODES.all;
  });
}

/** The texts to write or print, by the names of their files. */
function filesFor(
  { organizationId, objects }: Discovery,
  { source: { provider, settings: raw }, settings: { apiUrl } }: Organization,
  { out, native }: DiscoverOptions,
): Readonly<Record<string, string>> {
  if (objects.length === 0) return {};
  if (native) return { "import.json": importFileText(objects, provider) };
  const comment = [`Objects of organization ${organizationId}.`];
  if (out === undefined) return { "index.ts": adoptingProgram(objects, [], provider?.name) };
  // A project of its own has the settings of the provider in its configuration, without the key.
  const variable = typeof raw.apiKeyEnvVar === "string" && { apiKeyEnvVar: raw.apiKeyEnvVar };
  return projectFiles(out, adoptingProgram(objects, comment), { ...variable, apiUrl });
}

/** Reports what is not in the program, and why. */
function report(
  { organizationId, stack, objects, managed, leftOut, elsewhere, notRead }: Discovery,
  { source }: Organization,
  console: Console,
): void {
  for (const message of notRead) console.message("warning", message);
  for (const [reason, group] of Map.groupBy(leftOut, ({ reason: one }) => one)) {
    const subject = `${counted(group.length, "object")} left out, because ${reason}`;
    console.message("warning", `${subject}:`, group.map(lineOf));
  }
  if (elsewhere.length > 0)
    console.message(
      "note",
      `Left out, because organization ${organizationId} has no object of their provider alias: ${counted(elsewhere.length, "object")}. Run this with the key of their organization as well:`,
      elsewhere.map(lineOf),
    );
  if (stack === null) {
    console.message("note", `It is unknown what is managed already: ${source.noStackReason}`);
  } else if (managed > 0) {
    const others =
      objects.length === 0
        ? ""
        : " What other stacks manage is not: `compare` with all stacks lists what none of them manages.";
    const left = `Left out, because stack ${stack} manages them: ${counted(managed, "object")}.`;
    console.message("note", `${left}${others}`);
  }
  if (objects.length === 0) console.message("note", `Organization ${organizationId}: nothing to adopt.`);
}

function lineOf({ kind, uuid, name }: LeftOut): string {
  return [...(kind === null ? [] : [KINDS[kind].title]), name, `(${uuid})`].join(" ");
}

function valuesOf(discovery: Discovery, files: Readonly<Record<string, string>>, out: string | undefined) {
  const { addresses: _, objects, ...rest } = discovery;
  return {
    ...rest,
    objects: objects.map(({ kind, name, uuid }) => ({ kind, name, uuid })),
    ...(out === undefined ? { files } : { directory: resolve(out), files: Object.keys(files) }),
  };
}
