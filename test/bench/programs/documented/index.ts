/** The projects of the other program as what one would write without a package: a dynamic provider as Pulumi documents it. */
import * as pulumi from "@pulumi/pulumi";

const provider: pulumi.dynamic.ResourceProvider = {
  async create({ apiUrl, organizationId, ...body }) {
    const response = await fetch(`${apiUrl}/api/v2/organizations/${organizationId}/projects`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": process.env.DYNAMICLINK_API_KEY ?? "" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { id = "", sub_domain, created_at } = (await response.json()) as Record<string, string>;
    return { id, outs: { apiUrl, organizationId, ...body, sub_domain, created_at } };
  },
};

class Project extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: pulumi.Inputs) {
    super(provider, name, inputs);
  }
}

const { BENCH_API_URL: apiUrl, BENCH_ORGANIZATION: organizationId, BENCH_RESOURCES } = process.env;
for (let owner = 0; owner < Number(BENCH_RESOURCES); owner++)
  new Project(`project-o${owner}`, {
    apiUrl,
    organizationId,
    project_name: `Project o${owner}`,
    default_hookup_msg: `Open project o${owner} in the app`,
  });
