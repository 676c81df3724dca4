/**
 * Declares BENCH_RESOURCES: BENCH_PROJECTS projects, with applications and custom domains. BENCH_MODULE has the classes of either
 * host. All texts of an object contain its key.
 */
const { Application, CustomDomain, Project }: typeof import("pulumi-dynamiclink") = await import(
  process.env.BENCH_MODULE ?? "pulumi-dynamiclink"
);

const resources = Number(process.env.BENCH_RESOURCES ?? 1);
const projects = Math.min(resources, Number(process.env.BENCH_PROJECTS ?? 10));
const children = (resources - projects) / projects;

for (let owner = 0; owner < projects; owner++) {
  const name = `o${owner}`;
  const { id: projectId } = new Project(`project-${name}`, {
    name: `Project ${name}`,
    defaultHookupMsg: `Open project ${name} in the app`,
  });
  for (let child = 0; child < children; child++) {
    const key = `${name}c${child}`;
    const appleInfo = { appName: `App ${key}`, appScheme: `app-${key}`, bundleId: `example.app.${key}` };
    if (child % 2 === 0) new Application(`application-${key}`, { projectId, appType: "IOS", appleInfo });
    else new CustomDomain(`domain-${key}`, { projectId, hostname: `links-${key}.shop.example` });
  }
}
