// A custom domain for links: its DNS records, the wait until it is active, and a resource that depends on it.
import * as pulumi from "@pulumi/pulumi";
import {
  Application,
  CustomDomain,
  CustomDomainActivation,
  CustomDomainRecords,
  Project,
  type VerificationRecord,
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
  if (value == null)
    throw new Error("links.shop.example has no CNAME target yet. Run `pulumi up --refresh` later.");
  return value;
});
const cname = new DnsRecord("links-cname", { type: "CNAME", name: links.hostname, content: target });

// Waits until the service shows how to prove the ownership. The records stay in the state, also when the domain is active.
const records = new CustomDomainRecords("links-records", {
  customDomainId: links.id,
  waitFor: ["ownership"],
});

function txt(logicalName: string, { name, value }: VerificationRecord = {}) {
  if (name === undefined || value === undefined) throw new Error(`${logicalName}: use HTTP verification.`);
  return new DnsRecord(logicalName, { type: "TXT", name, content: value });
}

const ownership = records.ownership.apply((record) => txt("links-ownership", record));

/** Records of the certificate. Not every domain needs some. `pulumi up --refresh` adds those that the service shows later. */
export const certificates = records.certificates.apply((all) =>
  pulumi.all(all.map((record, index) => txt(`links-certificate-${index}`, record).content)),
);

// The wait starts after the records exist.
const active = new CustomDomainActivation(
  "links-active",
  { customDomainId: links.id, timeoutSeconds: 900 },
  { dependsOn: [cname, ownership] },
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

/** The origin of the links. It is known after the hostname serves links. */
export const origin = pulumi.interpolate`https://${active.hostname}`;
