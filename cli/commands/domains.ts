/** `pulumi-dynamiclink domains`: the custom domains of an organization, and what to set for them. */
import { Command } from "commander";
import { showDomains } from "../domains/domains";
import type { SourceOptions } from "../service/organization";
import { type Console, runCommand } from "../terminal/console";
import { addSharedOptions } from "./sharedOptions";

export function domainsCommand(console: Console): Command {
  const command = new Command("domains")
    .summary("show the state of custom domains, and the DNS records to set")
    .description(
      "Shows the custom domains of the organization that the API key belongs to: their states, what needs attention, and the DNS records and HTTP responses to set. Requires projects:read and domains:read; writes nothing to the service.",
    );
  return addSharedOptions(command, {
    examples: ["domains", "domains --stack acme/shop/production --json"],
    exitCodes: [
      "no domain needs attention",
      "the domains could not be read",
      "a domain has failed or expired, expires within 30 days, or waits for a record, or a project is new",
    ],
  }).action((options: SourceOptions) => runCommand(console, () => showDomains(options, console)));
}
