// A custom domain for links: its DNS record, the wait until it is active, and a resource that depends on it.
import * as pulumi from "@pulumi/pulumi";
import {
  Application,
  CustomDomain,
  CustomDomainActivation,
  getCustomDomainOutput,
  Project,
} from "pulumi-dynamiclink";

// Stands for the record of a DNS provider, so that this example runs without an account. With Cloudflare, install
// @pulumi/cloudflare, and use `cloudflare.DnsRecord` with the same arguments and `zoneId`, `ttl` and `proxied: false`.
interface DnsRecordArgs {
  readonly type: "CNAME" | "TXT";
  readonly name: pulumi.Input<string>;
  readonly content: pulumi.Input<string>;
}

class DnsRecord extends pulumi.ComponentResource {
  readonly content: pulumi.Output<string>;

  constructor(name: string, args: DnsRecordArgs, options?: pulumi.ComponentResourceOptions) {
    super("dns:index:Record", name, {}, options);
    this.content = pulumi.output(args.content);
    this.registerOutputs({ type: args.type, name: args.name, content: this.content });
  }
}

const shop = new Project("shop", { name: "Shop" });
const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });

// The custom domain is created when its target is known. Without one, the record fails instead of getting no content.
const target = links.cnameTarget.apply((value) => {
  if (value == null) throw new Error("links.shop.example has no CNAME target yet. Run `pulumi up --refresh` later.");
  return value;
});
const cname = new DnsRecord("links-cname", { type: "CNAME", name: links.hostname, content: target });

// The wait starts after the record exists.
const active = new CustomDomainActivation(
  "links-active",
  { customDomainId: links.id, timeoutSeconds: 900 },
  { dependsOn: cname },
);

// The application's links use the hostname, so the application is created after the hostname serves links.
new Application(
  "shop-ios",
  {
    projectId: shop.id,
    appType: "IOS",
    appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
  },
  { dependsOn: active },
);

/** Records of ownership and of the certificate. The service has them only while the domain waits for them. */
export const proof = getCustomDomainOutput({ id: links.id }).apply(
  ({ ownershipValidation, sslValidationRecords }) => [
    ...(ownershipValidation ? [ownershipValidation] : []),
    ...(sslValidationRecords?.records ?? []),
  ],
);

/** The origin of the links. It is known after the hostname serves links. */
export const origin = pulumi.interpolate`https://${active.hostname}`;
