/** What the client sends to a server for an operation, and the lists that it reads page by page. */
import { type Client, createClient, type Link } from "../../../provider/client";
import { type StubServer, startStubServer } from "../../support/servers/stubServer";
import {
  DOMAIN,
  failureOf,
  LINK,
  ORGANIZATION,
  OTHER,
  PROJECT,
  project,
  wireLink,
  wireProject,
} from "../../support/values/wireObjects";

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

describe("the links of a project or domain", () => {
  const page = (ids: string[], next: string | null) => ({
    body: { links: ids.map((id) => ({ ...wireLink, id })), next_cursor: next },
  });

  async function idsOf(links: AsyncIterable<Link>): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of links) ids.push(id);
    return ids;
  }

  test("are read page by page", async () => {
    server.answer(page([LINK, OTHER], "c 1"), page([], "c2"), page([PROJECT], null));
    expect(await idsOf(client.eachProjectLink({ ...inProject, limit: 2 }))).toEqual([LINK, OTHER, PROJECT]);
    expect(server.requests.map(({ url }) => url.replace(/.*\?/, ""))).toEqual([
      "limit=2",
      "limit=2&cursor=c+1",
      "limit=2&cursor=c2",
    ]);
  });

  test("are read only as far as the caller needs them", async () => {
    server.answer(page([LINK], "more"));
    for await (const link of client.eachCustomDomainLink({ customDomainId: DOMAIN })) {
      expect(link.id).toBe(LINK);
      break;
    }
    expect(server.requests.map(({ url }) => url)).toEqual([`/gateway/api/v2/custom-domains/${DOMAIN}/links`]);
  });

  test("fail when a cursor leads to a page that was read", async () => {
    server.answer(page([LINK], "a"), page([LINK], "b"), page([LINK], "a"));
    const error = await failureOf(idsOf(client.eachProjectLink(inProject)));
    expect(error).toMatchObject({
      name: "AnswerError",
      problems: ["next_cursor refers to a page that was already read"],
      requestId: server.requests.at(-1)?.headers["x-request-id"],
    });
    expect(server.requests).toHaveLength(3);
  });
});
