// A custom domain for links: its DNS records, the wait until it is active, and a resource that depends on it.
import * as pulumi from "@pulumi/pulumi";
import {
  Application,
  CustomDomain,
  CustomDomainActivation,
  getCustomDomainOutput,
  Project,
} from "pulumi-dynamiclink";

const shop = new Project("shop", { name: "Shop" });
const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });

// Create this record with a DNS package, in this program or in another one. If it is in this program, add it to
// `dependsOn` of the activation, so that the wait starts after its creation.
export const record = pulumi.interpolate`${links.hostname} CNAME ${links.cnameTarget}`;

// The other records that verify the domain. An active domain has none.
export const proof = getCustomDomainOutput({ id: links.id }).apply(
  ({ ownershipValidation, sslValidationRecords }) => [
    ...(ownershipValidation ? [ownershipValidation] : []),
    ...(sslValidationRecords?.records ?? []),
  ],
);

const active = new CustomDomainActivation("links-active", { customDomainId: links.id, timeoutSeconds: 900 });

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
