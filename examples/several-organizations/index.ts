// The same shop in two organizations. Each organization has its own provider and key.
import * as pulumi from "@pulumi/pulumi";
import { Application, getProjectOutput, Project, Provider } from "pulumi-dynamiclink";

// A provider does not use the stack configuration, so pass the settings explicitly.
const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");

const europe = new Provider("europe", { apiKeyEnvVar: "DYNAMICLINK_API_KEY_EUROPE", apiUrl });
const asia = new Provider("asia", { apiKeyEnvVar: "DYNAMICLINK_API_KEY_ASIA", apiUrl });

/** The shop of one organization. Its resources use the provider of the component. */
class Shop extends pulumi.ComponentResource {
  readonly projectId: pulumi.Output<string>;

  constructor(name: string, message: string, options: pulumi.ComponentResourceOptions) {
    super("shops:index:Shop", name, {}, options);
    const project = new Project(name, { name: "Shop", defaultHookupMsg: message }, { parent: this });
    new Application(`${name}-web`, { projectId: project.id, appType: "WEB" }, { parent: this });
    this.projectId = project.id;
    this.registerOutputs({ projectId: this.projectId });
  }
}

const european = new Shop("shop-europe", "Open it in the app", { providers: [europe] });
const asian = new Shop("shop-asia", "앱에서 열기", { providers: [asia] });

// Functions also take a provider.
export const organizations = {
  europe: getProjectOutput({ id: european.projectId }, { provider: europe }).organizationId,
  asia: getProjectOutput({ id: asian.projectId }, { provider: asia }).organizationId,
};
