/** What the client sends to a server for an operation. */
import { type Client, createClient } from "../../../provider/client";
import { type StubServer, startStubServer } from "../../support/servers/stubServer";
import { ORGANIZATION, PROJECT, project, wireProject } from "../../support/values/wireObjects";

let server: StubServer;
let client: Client;

beforeAll(async () => {
  server = await startStubServer();
  client = createClient({ apiUrl: `${server.url}/gateway//`, apiKey: "key-of-tests" });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const organizationId = ORGANIZATION;
const inProject = { organizationId, projectId: PROJECT };

test.each([
  ["GET", 200, () => client.getProject(inProject), `/${PROJECT}`, undefined],
  [
    "POST",
    201,
    () => client.createProject({ organizationId, body: { projectName: "Shop" } }),
    "",
    { project_name: "Shop" },
  ],
] as const)(
  "a %s has the key, an id and its content, below the path of apiUrl",
  async (method, status, call, path, sent) => {
    server.answer({ status, body: wireProject });
    expect(await call()).toEqual(project);
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({
      method,
      url: `/gateway/api/v2/organizations/${ORGANIZATION}/projects${path}`,
      body: sent === undefined ? "" : JSON.stringify(sent),
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "pulumi-dynamiclink",
        "x-api-key": "key-of-tests",
        "x-request-id": expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      },
    });
    expect(request?.headers["content-type"]).toBe(sent && "application/json");
  },
);
