/**
 * Declares BENCH_RESOURCES: BENCH_PROJECTS projects, with applications and custom domains. BENCH_MODULE has the classes of either
 * host.
 */
const { Application, CustomDomain, Project }: typeof import("pulumi-dynamiclink") = await import(
  process.env.BENCH_MODULE ?? "pulumi-dynamiclink"
);

const resources = Number(process.env.BENCH_RESOURCES ?? 1);
const projects = Math.min(resources, Number(process.env.BENCH_PROJECTS ?? 10));
const children = (resources - projects) / projects;

for (let owner = 0; owner < projects; owner++) {
  const project = new Project(`project-${owner}`, {
    name: `Project ${owner}`,
    defaultHookupMsg: `Open project ${owner} in the app`,
  });
  for (let child = 0; child < children; child++) {
    const name = `${owner}-${child}`;
    if (child % 2 === 0) {
      new Application(`application-${name}`, {
        projectId: project.id,
        appType: "IOS",
        appleInfo: {
          appName: `App ${name}`,
          appScheme: `app-${name}`,
          bundleId: `example.app.p${owner}.c${child}`,
        },
      });
    } else {
      new CustomDomain(`domain-${name}`, { projectId: project.id, hostname: `links-${name}.shop.example` });
    }
  }
}
