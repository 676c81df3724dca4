/** `pulumi-dynamiclink whoami`: whose key a command would use, what it may do, and where each setting comes from. */
import { Command } from "commander";
import { scopesFor } from "../../provider/lifecycle/operations/inputs";
import { DEFAULT_API_URL } from "../../provider/service";
import type { RawSettings, Settings } from "../../provider/session/settings";
import { KIND_NAMES, KINDS } from "../objects/kinds";
import { chooseHost } from "../pulumi/hostChoice";
import { findPulumiContext, type StackOptions, stackSettings } from "../pulumi/stackSettings";
import { openSession } from "../service/organization";
import { providerSources } from "../service/organizations";
import { type Console, EXIT_CODES, runCommand } from "../terminal/console";
import { jsonText } from "../terminal/json";
import { tableText } from "../terminal/tableText";

interface WhoamiOptions extends StackOptions {
  readonly provider?: string;
  readonly json?: true;
}

export function whoamiCommand(console: Console): Command {
  return new Command("whoami")
    .summary("show the organization, the key, its scopes, and where the settings come from")
    .description(
      "Shows the organization of the API key, what the key may read and write, and where each setting comes from. Sends one request, which needs no scope, and never shows the key.",
    )
    .option(
      "-s, --stack <name>",
      "the stack whose configuration has the settings (default: the selected one)",
    )
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .option("--provider <name or URN>", "the provider in the stack whose settings are shown")
    .option("--json", "print the result as JSON")
    .helpOption("-h, --help", "display this help")
    .action((options: WhoamiOptions) =>
      runCommand(console, async () => {
        const report = await lookUp(options, console);
        console.stdout.write(options.json ? jsonText(report) : reportText(report));
        return EXIT_CODES.all;
      }),
    );
}

/** What is shown. Scripts depend on the names. */
type Report = Awaited<ReturnType<typeof lookUp>>;

async function lookUp({ provider, ...options }: WhoamiOptions, console: Console) {
  const pulumi = await findPulumiContext(options, console);
  const { host } = await chooseHost(options, pulumi.stack);
  const named = provider === undefined ? [] : [provider];
  const [source] = await providerSources(named, { pulumi, host });
  const raw = await (source?.settings() ?? stackSettings(pulumi));
  const { settings, session } = openSession(raw, console);
  try {
    const { id, organizationId, keyPrefix, scopes } = await session.identity();
    const lacks = (wanted: readonly string[]) =>
      wanted.filter((scope) => !(scopes as string[]).includes(scope));
    const report = {
      organizationId,
      credentialId: id,
      keyPrefix,
      scopes,
      settings: origins(raw, settings, { stack: pulumi.stack?.name, provider: source?.name }),
      access: KIND_NAMES.map((kind) => {
        const { description } = KINDS[kind];
        const missingFor = (readOnly: boolean) => lacks(scopesFor(description, { readOnly }, {}));
        return { kind, missingToRead: missingFor(true), missingToWrite: missingFor(false) };
      }),
    };
    return session.client.sanitized(report, { whole: true });
  } finally {
    await session.client.close();
  }
}

/** Each setting, except the key itself, and where it comes from: a provider, a stack, the environment, or the command line. */
function origins(
  raw: RawSettings,
  { apiUrl, readOnly, sources }: Settings,
  { stack, provider }: { readonly stack: string | undefined; readonly provider: string | undefined },
) {
  const inStack = stack === undefined ? "--api-url" : `the configuration of stack ${stack}`;
  const urlFrom = provider === undefined ? inStack : `provider ${provider}`;
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
  const kinds = access.map(({ kind, missingToRead, missingToWrite }) => [
    kind,
    missingToRead.length === 0 ? "yes" : "no",
    missingToWrite.length === 0 && !readOnly.value ? "yes" : "no",
    missingToWrite.join(", "),
  ]);
  return `${tableText(["organization", organizationId], facts)}\n${tableText(["type", "read", "write", "missing scopes"], kinds)}`;
}
