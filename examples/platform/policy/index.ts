// Rules for all stacks. The types are those of both hosts: dynamic providers and the native plugin.
import { type Policies, PolicyPack } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";

const ZONES = [".links.example", ".tea.example"];
const isProd = pulumi.getStack() === "prod";
const retiring = new pulumi.Config("brands").getObject<readonly string[]>("retiring") ?? [];

/** Whether a type is `pulumi-nodejs:dynamic/dynamiclink:<kind>` or `dynamiclink:index:<kind>`. */
function isKind(type: string, kind: string): boolean {
  return [`pulumi-nodejs:dynamic/dynamiclink:${kind}`, `dynamiclink:index:${kind}`].includes(type);
}

const policies: Policies = [
  {
    name: "prod-projects-protected",
    description: "Projects of prod are protected until their brand is retiring.",
    enforcementLevel: "mandatory",
    validateResource({ type, name, opts }, reportViolation) {
      if (isProd && isKind(type, "Project") && !opts.protect && !retiring.includes(name))
        reportViolation(`${name} is not protected. To retire it, list it in brands:retiring first.`);
    },
  },
  {
    name: "hostnames-in-own-zones",
    description: "Hostnames end in one of our zones.",
    enforcementLevel: "mandatory",
    // A rule of the stack sees the outputs, the others the inputs.
    validateStack({ resources }, reportViolation) {
      for (const { type, urn, props } of resources) {
        const hostname = String(props.hostname);
        if (isKind(type, "CustomDomain") && !ZONES.some((zone) => hostname.endsWith(zone)))
          reportViolation(`${hostname} is in none of the zones ${ZONES.join(", ")}.`, urn);
      }
    },
  },
  {
    name: "prod-applications-in-store",
    description: "iOS applications of prod have the id of their store.",
    enforcementLevel: "mandatory",
    validateResource({ type, name, props }, reportViolation) {
      const { appleInfo } = props as { readonly appleInfo?: { readonly appStoreId?: string } };
      if (isProd && isKind(type, "Application") && appleInfo && !appleInfo.appStoreId)
        reportViolation(`${name} has no appStoreId.`);
    },
  },
];

new PolicyPack("links", { policies });
