// A host name of one's own for links: the records that it needs, the wait until it is active, and what comes after.
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

// A DNS package makes the record from these values, in this program or in another one. To have the wait begin
// after it, name it in `dependsOn` of the activation.
export const record = pulumi.interpolate`${links.hostname} CNAME ${links.cnameTarget}`;

// What else proves that the host name is yours. There is nothing to prove once the domain is active.
export const proof = getCustomDomainOutput({ id: links.id }).apply(
  ({ ownershipValidation, sslValidationRecords }) => [
    ...(ownershipValidation ? [ownershipValidation] : []),
    ...(sslValidationRecords?.records ?? []),
  ],
);

const active = new CustomDomainActivation("links-active", { customDomainId: links.id, timeoutSeconds: 900 });

// The application's links are on the host name, so it is declared once the host name serves links.
new Application(
  "shop-ios",
  {
    projectId: shop.id,
    appType: "IOS",
    appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
  },
  { dependsOn: active },
);

/** Known only once the host name serves links. */
export const origin = pulumi.interpolate`https://${active.hostname}`;
