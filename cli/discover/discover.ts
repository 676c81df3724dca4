/** Runs `discover`: reads objects, and prints or writes a program that adopts them. */
import { resolve } from "node:path";
import { UserError } from "../../provider/errors";
import { counted } from "../../provider/values/phrases";
import { requireUuids } from "../objects/identity";
import { KINDS } from "../objects/kinds";
import { adoptingProgram } from "../program/adoptingProgram";
import { importFileText } from "../program/importFile";
import { completed, type ImportList, importList, openNames, problemIn } from "../program/importList";
import type { NamedObject } from "../program/names";
import { projectFiles } from "../program/projectFiles";
import { type Organization, type SourceOptions, withOrganization } from "../service/organization";
import { type Console, EXIT_CODES, type ExitCode } from "../terminal/console";
import { jsonDocument } from "../terminal/json";
import { readText, titleOf } from "../terminal/readText";
import { requireEmpty, writeFiles } from "../terminal/writeFiles";
import { type Discovery, discoveryOf, type LeftOut } from "./discovery";
import { nextSteps } from "./nextSteps";
import { terraformObjects } from "./terraformState";

const IMPORT_FILE = "import.json";

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
  // A script may have passed a variable that is not set.
  if (out === "") throw new UserError("The directory of --out is empty. For the current one, specify a dot.");
  if (out !== undefined) await requireEmpty(out);
  const uuids = requireUuids(given, "UUID");
  const text = file === undefined ? undefined : await readText(file, console.stdin);
  const state = text === undefined ? undefined : terraformObjects(text, titleOf(file ?? ""));
  const list = importFile === undefined ? undefined : importList(await readText(importFile), importFile);
  return await withOrganization(options, console, async (organization) => {
    const problemOf = list && ((object: NamedObject) => problemIn(list, object));
    const discovery = await discoveryOf(organization, { uuids, state, problemOf });
    const completedList = list && completed(list, discovery.objects);
    const files = filesFor(discovery, organization, { ...options, list: completedList });
    if (out !== undefined && discovery.objects.length > 0) await writeFiles(out, files);
    report(discovery, organization, console);
    const open = completedList === undefined ? [] : openNames(completedList);
    if (open.length > 0)
      console.message(
        "note",
        `Still without a UUID: ${counted(open.length, "resource")} of ${importFile}. Run this on the result with the key of another organization, or write the UUIDs. Delete an entry only to let Pulumi create its object:`,
        open,
      );
    if (options.json) console.print(jsonDocument(valuesOf(discovery, files, out)));
    else if (out === undefined) console.print(Object.values(files).join(""));
    else if (discovery.objects.length > 0)
      console.print(`${counted(Object.keys(files).length, "file")} written to ${out}.\n`);
    if (discovery.objects.length > 0)
      console.message("note", "Next:", nextSteps(discovery, organization, options));
    return discovery.leftOut.length + discovery.notRead.length > 0 ? EXIT_CODES.review : EXIT_CODES.all;
  });
}

/** The texts to write or print, by the names of their files. */
function filesFor(
  { organizationId, objects }: Discovery,
  { source: { provider }, publicSettings }: Organization,
  { out, native, list }: DiscoverOptions & { readonly list: ImportList | undefined },
): Readonly<Record<string, string>> {
  // Also without any object, so that the next key has a list to complete.
  if (list !== undefined) return { [IMPORT_FILE]: jsonDocument(list) };
  if (objects.length === 0) return {};
  if (native) return { [IMPORT_FILE]: importFileText(objects, provider) };
  const comment = [`Objects of organization ${organizationId}.`];
  if (out === undefined) return { "index.ts": adoptingProgram(objects, { provider: provider?.name }) };
  // A project of its own has the settings of the provider in its configuration.
  return projectFiles(out, adoptingProgram(objects, { comment }), publicSettings);
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
    console.message("note", `Left out, because stack ${stack} manages them: ${counted(managed, "object")}.`);
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
