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
  type VerificationRecord,
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

/** The DNS records to create for the hostname of a brand. */
export interface BrandRecords {
  readonly cname: string | undefined;
  readonly ownership: VerificationRecord | undefined;
  readonly certificates: readonly VerificationRecord[];
}

export class Brand extends pulumi.ComponentResource {
  readonly projectId: pulumi.Output<string>;
  readonly organizationId: pulumi.Output<string>;
  /** To create them in the same program, see examples/custom-domain of pulumi-dynamiclink. */
  readonly records?: pulumi.Output<BrandRecords>;

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
      this.records = pulumi
        .all([domain.cnameTarget, ownership, certificates])
        .apply(([cname, owned, certified]) => ({ cname, ownership: owned, certificates: certified }));
      if (live) new CustomDomainActivation(`${name}-live`, { customDomainId: domain.id }, { parent: this });
    }
    this.projectId = projectId;
    // Functions find the provider of a component as its resources do.
    this.organizationId = getProjectOutput({ id: projectId }, { parent: this }).organizationId;
    this.registerOutputs({ projectId });
  }
}
