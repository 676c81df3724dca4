// The brands of a stack. They are in its configuration.
import { Brand, type BrandArgs } from "@acme/brand";
import * as pulumi from "@pulumi/pulumi";
import { Provider } from "pulumi-dynamiclink";

interface BrandSettings extends BrandArgs {
  /** The organization, if it is not that of DYNAMICLINK_API_KEY. */
  readonly organization?: string;
  /** The brand's previous name in the configuration, after a change of the name. */
  readonly formerly?: string;
}

const config = new pulumi.Config();
const brands = config.requireObject<Readonly<Record<string, BrandSettings>>>("brands");
/** Brands that the next change removes: they are not protected. */
const retiring = config.getObject<readonly string[]>("retiring") ?? [];
/** The variable with the key of each further organization. */
const organizations = config.getObject<Readonly<Record<string, string>>>("organizations") ?? {};

// A provider does not use the stack configuration, so pass the settings explicitly.
const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
const providers = new Map(
  Object.entries(organizations).map(([name, apiKeyEnvVar]) => [
    name,
    new Provider(name, { apiKeyEnvVar, apiUrl }),
  ]),
);

function providerOf(organization: string): Provider {
  const provider = providers.get(organization);
  if (provider) return provider;
  throw new pulumi.RunError(`The organization ${organization} is not in brands:organizations.`);
}

const deployed = Object.entries(brands).map(([name, { organization, formerly, ...args }]) => {
  const brand = new Brand(name, args, {
    protect: pulumi.getStack() === "prod" && !retiring.includes(name),
    providers: organization === undefined ? [] : [providerOf(organization)],
    aliases: formerly === undefined ? [] : [{ name: formerly }],
  });
  return [name, brand] as const;
});

/** What the teams of the brands have to know. */
const outputs = Object.fromEntries(
  deployed.map(([name, { projectId, organizationId, records }]) => [
    name,
    { projectId, organizationId, records },
  ]),
);

export { outputs as brands };
