// A brand: a project, its applications, and a hostname for its links.
import * as pulumi from "@pulumi/pulumi";
import {
  Application,
  type ApplicationArgs,
  CustomDomain,
  CustomDomainActivation,
  type CustomDomainArgs,
  CustomDomainRecords,
  getProjectOutput,
  Project,
  type ProjectArgs,
} from "pulumi-dynamiclink";

export interface BrandArgs {
  readonly title: ProjectArgs["name"];
  readonly message?: ProjectArgs["defaultHookupMsg"];
  readonly ios?: ApplicationArgs["appleInfo"];
  readonly android?: ApplicationArgs["androidInfo"];
  readonly web?: boolean;
  readonly hostname?: CustomDomainArgs["hostname"];
  /** Set it when the records of `hostname` exist: the deployment waits until the hostname serves links. */
  readonly live?: boolean;
  /** UUIDs of existing objects. */
  readonly adopt?: { readonly [Part in "project" | "ios" | "android" | "web" | "domain"]?: string };
}

export class Brand extends pulumi.ComponentResource {
  readonly projectId: pulumi.Output<string>;
  readonly organizationId: pulumi.Output<string>;
  /** The DNS records to create for `hostname`. For records in the same program, see examples/custom-domain. */
  readonly records?: pulumi.Output<unknown>;

  constructor(name: string, args: BrandArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("acme:index:Brand", name, {}, options);
    const { title, message, ios, android, web = false, hostname, live = false, adopt = {}, ...others } = args;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new pulumi.RunError(`Brand ${name} has an unknown setting: ${unknown}`);

    // The names of all resources begin with that of the brand, so that its `aliases` apply to them too.
    const project = new Project(
      name,
      { name: title, ...(message !== undefined && { defaultHookupMsg: message }) },
      { parent: this, import: adopt.project },
    );
    const projectId = project.id;
    if (ios)
      new Application(
        `${name}-ios`,
        { projectId, appType: "IOS", appleInfo: ios },
        { parent: this, import: adopt.ios },
      );
    if (android)
      new Application(
        `${name}-android`,
        { projectId, appType: "ANDROID", androidInfo: android },
        { parent: this, import: adopt.android },
      );
    if (web)
      new Application(`${name}-web`, { projectId, appType: "WEB" }, { parent: this, import: adopt.web });
    if (hostname !== undefined) {
      const domain = new CustomDomain(
        `${name}-links`,
        { projectId, hostname },
        { parent: this, import: adopt.domain },
      );
      const { ownership, certificates } = new CustomDomainRecords(
        `${name}-records`,
        { customDomainId: domain.id },
        { parent: this },
      );
      this.records = pulumi.output({ cname: domain.cnameTarget, ownership, certificates });
      if (live) new CustomDomainActivation(`${name}-live`, { customDomainId: domain.id }, { parent: this });
    }
    this.projectId = projectId;
    // Functions find the provider of a component as its resources do.
    this.organizationId = getProjectOutput({ id: projectId }, { parent: this }).organizationId;
    this.registerOutputs({ projectId });
  }
}
