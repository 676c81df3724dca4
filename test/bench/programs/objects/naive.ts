/**
 * The classes of the package as simple dynamic providers: code serialized into the state, and one request for each read.
 */
import * as pulumi from "@pulumi/pulumi";

interface Answer extends Record<string, unknown> {
  readonly id: string;
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${process.env.BENCH_API_URL}/api/v2/${path}`, {
    method,
    headers: { "x-api-key": process.env.DYNAMICLINK_API_KEY ?? "", "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? {} : await response.json()) as Answer;
}

class ProjectProvider implements pulumi.dynamic.ResourceProvider {
  async create({ name, defaultHookupMsg }: Record<string, unknown>) {
    const path = `organizations/${process.env.BENCH_ORGANIZATION}/projects`;
    const project = await call("POST", path, { project_name: name, default_hookup_msg: defaultHookupMsg });
    return { id: project.id, outs: this.outputs(project) };
  }

  async read(id: string) {
    const project = await call("GET", `organizations/${process.env.BENCH_ORGANIZATION}/projects/${id}`);
    return { id, props: this.outputs(project) };
  }

  async update(id: string, _olds: unknown, { name, defaultHookupMsg }: Record<string, unknown>) {
    const path = `organizations/${process.env.BENCH_ORGANIZATION}/projects/${id}`;
    const body = { project_name: name, default_hookup_msg: defaultHookupMsg };
    return { outs: this.outputs(await call("PATCH", path, body)) };
  }

  async delete(id: string) {
    await call("DELETE", `organizations/${process.env.BENCH_ORGANIZATION}/projects/${id}`);
  }

  outputs(project: Record<string, unknown>) {
    return {
      name: project.project_name,
      defaultHookupMsg: project.default_hookup_msg,
      organizationId: project.organization_id,
      subDomain: project.sub_domain,
      createdAt: project.created_at,
    };
  }
}

class ApplicationProvider implements pulumi.dynamic.ResourceProvider {
  async create({ projectId, ...inputs }: Record<string, unknown>) {
    const path = `organizations/${process.env.BENCH_ORGANIZATION}/projects/${projectId}/applications`;
    const application = await call("POST", path, this.body(inputs));
    return { id: application.id, outs: this.outputs(application) };
  }

  async read(id: string) {
    return { id, props: this.outputs(await call("GET", `applications/${id}`)) };
  }

  async update(id: string, _olds: unknown, { projectId: _projectId, ...news }: Record<string, unknown>) {
    return { outs: this.outputs(await call("PATCH", `applications/${id}`, this.body(news))) };
  }

  async delete(id: string) {
    await call("DELETE", `applications/${id}`);
  }

  body({ appType, appleInfo }: Record<string, unknown>) {
    const { appName, appScheme, bundleId } = appleInfo as Record<string, unknown>;
    return {
      app_type: appType,
      apple_info: { app_name: appName, app_scheme: appScheme, bundle_id: bundleId },
    };
  }

  outputs(application: Record<string, unknown>) {
    const info = application.apple_info as Record<string, unknown>;
    return {
      projectId: application.project_id,
      appType: application.app_type,
      appleInfo: { appName: info.app_name, appScheme: info.app_scheme, bundleId: info.bundle_id },
      createdAt: application.created_at,
    };
  }
}

class CustomDomainProvider implements pulumi.dynamic.ResourceProvider {
  async create({ projectId, hostname }: Record<string, unknown>) {
    const path = `organizations/${process.env.BENCH_ORGANIZATION}/projects/${projectId}/custom-domains`;
    const domain = await call("POST", path, { hostname });
    return { id: domain.id, outs: this.outputs(domain) };
  }

  async read(id: string) {
    return { id, props: this.outputs(await call("GET", `custom-domains/${id}`)) };
  }

  async delete(id: string) {
    await call("DELETE", `custom-domains/${id}`);
  }

  outputs(domain: Record<string, unknown>) {
    return { projectId: domain.project_id, hostname: domain.hostname, cnameTarget: domain.cname_target };
  }
}

export class Project extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: { name: string; defaultHookupMsg: string }) {
    super(new ProjectProvider(), name, {
      ...inputs,
      organizationId: undefined,
      subDomain: undefined,
      createdAt: undefined,
    });
  }
}

export class Application extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: { projectId: pulumi.Input<string>; appType: string; appleInfo: object }) {
    super(new ApplicationProvider(), name, {
      ...inputs,
      createdAt: undefined,
    });
  }
}

export class CustomDomain extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: { projectId: pulumi.Input<string>; hostname: string }) {
    super(new CustomDomainProvider(), name, {
      ...inputs,
      cnameTarget: undefined,
    });
  }
}
