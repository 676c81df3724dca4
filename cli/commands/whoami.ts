/** `pulumi-dynamiclink whoami`: whose key a command would use, what it may do, and where each setting comes from. */
import { Command } from "commander";
import { scopesFor } from "../../provider/lifecycle/operations/inputs";
import { DEFAULT_API_URL } from "../../provider/service";
import type { Settings } from "../../provider/session/settings";
import { KIND_NAMES, KINDS } from "../objects/kinds";
import {
  type Organization,
  type Source,
  type SourceOptions,
  withOrganization,
} from "../service/organization";
import { type Console, EXIT_CODES, runCommand } from "../terminal/console";
import { jsonDocument } from "../terminal/json";
import { tableText } from "../terminal/tableText";
import { addSharedOptions } from "./sharedOptions";

export function whoamiCommand(console: Console): Command {
  const command = new Command("whoami")
    .summary("show the organization, the key, its scopes, and where the settings come from")
    .description(
      "Shows the organization of the API key, what the key may read and write, and where each setting comes from. Sends one request, which needs no scope, and never shows the key.",
    );
  return addSharedOptions(command, { examples: ["whoami", "whoami --stack production"] }).action(
    (options: SourceOptions) =>
      runCommand(console, async () => {
        const report = await withOrganization(options, console, reportOf);
        console.print(options.json ? jsonDocument(report) : reportText(report));
        return EXIT_CODES.all;
      }),
  );
}

/** What is shown. Scripts depend on the names. */
type Report = Awaited<ReturnType<typeof reportOf>>;

async function reportOf({ session, source, settings }: Organization) {
  const { id, organizationId, keyPrefix, scopes } = await session.identity();
  const lacks = (wanted: readonly string[]) =>
    wanted.filter((scope) => !(scopes as string[]).includes(scope));
  return {
    organizationId,
    credentialId: id,
    keyPrefix,
    scopes,
    settings: origins(source, settings),
    access: KIND_NAMES.map((kind) => ({
      kind,
      missingToRead: lacks(scopesFor(KINDS[kind], { readOnly: true }, {})),
      missingToWrite: lacks(scopesFor(KINDS[kind], { readOnly: false }, {})),
      missingToSeeContents: lacks(KINDS[kind].scopes.contents ?? []),
    })),
  };
}

/** Each setting, except the key itself, and where it comes from: a provider, a stack, the environment, or the command line. */
function origins({ settings: raw, stack, provider }: Source, { apiUrl, readOnly, sources }: Settings) {
  const inStack = stack === undefined ? "--api-url" : `the configuration of stack ${stack.name}`;
  const urlFrom = provider === undefined ? inStack : `provider ${provider.name}`;
  return {
    apiUrl: { value: apiUrl, from: raw.apiUrl == null ? `the default, ${DEFAULT_API_URL}` : urlFrom },
    apiKey: { from: sources?.apiKey ?? "" },
    readOnly: { value: readOnly, from: sources?.readOnly || "the default" },
  };
}

function reportText({ organizationId, credentialId, keyPrefix, scopes, settings, access }: Report): string {
  const { apiUrl, apiKey, readOnly } = settings;
  const facts = [
    ["credential", `${credentialId}, key ${keyPrefix}…, from ${apiKey.from}`],
    ["apiUrl", `${apiUrl.value}, from ${apiUrl.from}`],
    ["readOnly", `${readOnly.value}, from ${readOnly.from}`],
    ["scopes", scopes.join(", ") || "none"],
  ];
  const kinds = access.map(({ kind, missingToRead, missingToWrite, missingToSeeContents }) => [
    kind,
    missingToRead.length === 0 ? "yes" : "no",
    missingToWrite.length === 0 && !readOnly.value ? "yes" : "no",
    missingToWrite.join(", "),
    missingToSeeContents.join(", "),
  ]);
  return `${tableText(["organization", organizationId], facts)}\n${tableText(["type", "read", "write", "missing scopes", "missing to check contents"], kinds)}`;
}
