/** `pulumi-dynamiclink domains`: the custom domains of a stack, of projects or of an organization, and what to set for them. */
import { Command, Option } from "commander";
import type { Clock } from "../../provider/client";
import { systemClock } from "../../provider/client/client";
import { UserError } from "../../provider/errors";
import { counted } from "../../provider/values/phrases";
import { changesBetween, domainsJson, domainsText, domainsZone, domainValues } from "../domains/domainReport";
import { type DomainReading, type DomainSelection, openDomains } from "../domains/readDomains";
import { isWaiting, readDomains, watchDomains } from "../domains/watchDomains";
import { findPulumiContext, type StackOptions } from "../pulumi/stackSettings";
import { closeAll } from "../service/organization";
import {
  type Console,
  EXIT_CODES,
  type ExitCode,
  exitCodesHelp,
  printMessage,
  runCommand,
} from "../terminal/console";
import { durationMs } from "../terminal/duration";
import { redrawing } from "../terminal/redraw";

interface DomainsOptions extends StackOptions, DomainSelection {
  readonly format: "text" | "zone";
  readonly json?: true;
  readonly watch?: true;
  readonly timeout: number;
  readonly expiresWithin: number;
  readonly pendingFor: number;
}

const EXAMPLES_HELP = `
Examples:
  pulumi-dynamiclink domains --watch
  pulumi-dynamiclink domains --stack acme/shop/production --format zone
  pulumi-dynamiclink domains --organization --expires-within 30d --json
`;

const EXIT_CODES_TEXT = exitCodesHelp({
  all: "no domain needs attention",
  error: "the domains could not be read",
  partial: "a domain needs attention, or is still pending when --watch ends",
});

export function domainsCommand(console: Console, clock: Clock = systemClock): Command {
  return new Command("domains")
    .summary("show the state of custom domains, and the DNS records to set")
    .description(
      "Shows the custom domains that the selected stack manages or waits for: their states, what needs attention, and the DNS records and HTTP responses to set. Without a stack, it shows those of the organization that the API key belongs to. Requires domains:read, and projects:read for a whole organization; writes nothing to the service.",
    )
    .optionsGroup("What to select:")
    .option("--organization", "all custom domains of the organization, in place of those of the stack")
    .option("-p, --project <uuid...>", "only those of these projects, of the organization of the key")
    .optionsGroup("What needs attention:")
    .addOption(
      new Option("--expires-within <time>", "active domains that expire within this time")
        .argParser(durationMs)
        .default(durationMs("14d"), "14d"),
    )
    .addOption(
      new Option("--pending-for <time>", "new domains that have not become active after this time")
        .argParser(durationMs)
        .default(durationMs("1d"), "1d"),
    )
    .optionsGroup("Waiting:")
    .option("-w, --watch", "show changes until no domain is pending")
    .addOption(
      new Option("--timeout <time>", "how long --watch waits")
        .argParser(durationMs)
        .default(durationMs("1h"), "1h"),
    )
    .optionsGroup("Stack and organization:")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .option("--api-key-env-var <name...>", "variables with the keys of several organizations")
    .option("--provider <name or URN...>", "the same, with the settings of providers in the stack")
    .optionsGroup("Other:")
    .addOption(
      new Option("--format <format>", "print tables, or the records as a zone file")
        .choices(["text", "zone"])
        .default("text"),
    )
    .addOption(new Option("--json", "print the result as JSON").conflicts("format"))
    .helpOption("-h, --help", "display this help")
    .addHelpText("after", EXAMPLES_HELP + EXIT_CODES_TEXT)
    .action((options: DomainsOptions, command: Command) =>
      runCommand(console, async () => {
        if (!options.watch && command.getOptionValueSource("timeout") !== "default")
          throw new UserError("--timeout sets how long --watch waits: add --watch.");
        return await showDomains(options, { console, clock });
      }),
    );
}

async function showDomains(
  options: DomainsOptions,
  { console, clock }: { readonly console: Console; readonly clock: Clock },
): Promise<ExitCode> {
  const { watch = false, json = false, format } = options;
  const { stdout } = console;
  const pulumi = await findPulumiContext(options, console);
  const { place, sources } = await openDomains(options, { pulumi, console });
  const isText = format === "text" && !json;
  const values = (readings: readonly DomainReading[]) =>
    readings.map((reading) => {
      const now = reading.organization.client.serviceTime() ?? new Date(clock.now());
      const limits = { expiresWithinMs: options.expiresWithin, pendingForMs: options.pendingFor };
      return domainValues(reading, { ...limits, now });
    });
  const text = (readings: readonly DomainReading[]) => domainsText(place, values(readings));
  const changes = changePrinter(isText ? stdout : console.stderr);
  let isOver = false;
  stdout.once("close", () => {
    isOver = true;
  });
  const draw = stdout.isTTY && isText ? redrawing(stdout) : undefined;
  try {
    const readings = watch
      ? await watchDomains(sources, {
          clock,
          timeoutMs: options.timeout,
          isOver: () => isOver,
          text,
          show: (shown, current) => (draw === undefined ? changes(values(current)) : draw(shown)),
        })
      : await readDomains(sources);
    const domains = values(readings);
    if (watch && draw === undefined) changes(domains);
    const result = json
      ? domainsJson(domains)
      : isText
        ? domainsText(place, domains)
        : domainsZone(place, domains);
    (draw ?? ((whole: string) => stdout.write(whole)))(result);
    const pending = readings.filter(isWaiting);
    if (watch && pending.length > 0)
      printMessage(
        console,
        "warning",
        `${counted(pending.length, "custom domain")} still pending. Run this again to continue to wait; --timeout sets how long it waits.`,
      );
    const needsAttention = domains.some(({ attention }) => attention !== null);
    return needsAttention || (watch && pending.length > 0) ? EXIT_CODES.partial : EXIT_CODES.all;
  } finally {
    await closeAll(sources.map(({ organization }) => organization));
  }
}

/** Prints what has changed since the last call, in lines. */
function changePrinter(output: Console["stderr"]) {
  let before: Parameters<typeof changesBetween>[0] = [];
  return (domains: typeof before) => {
    for (const line of changesBetween(before, domains)) output.write(`${line}\n`);
    before = domains;
  };
}
