// Checks with mocks what a brand declares. Mocks validate nothing: the tests in brands/ do.
import * as pulumi from "@pulumi/pulumi";
import { Brand } from "./index.ts";

const declared: Record<string, string> = {};

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource({ name, type, inputs }) {
      declared[name] = type.replace(/.*:/, "");
      return { id: `id-of-${name}`, state: inputs as object };
    },
    call: () => ({ organizationId: "an organization" }),
  });
});

test("a brand declares what its settings have, with names that begin with its own", async () => {
  const { projectId } = new Brand("tea", { title: "Tea", web: true, hostname: "go.tea.example" });
  expect(await new Promise((resolve) => projectId.apply(resolve))).toBe("id-of-tea");
  await pulumi.runtime.disconnect();
  expect(declared).toEqual({
    tea: "Project",
    "tea-web": "Application",
    "tea-links": "CustomDomain",
    "tea-records": "CustomDomainRecords",
  });
});
