/** Reads that lag behind writes: one table for all kinds of objects that a Project or an Organization lists. */
import type { Behaviour } from "../../testing/emulator";
import { ANDROID, DOMAIN, ORGANIZATION, paths, SECOND_PROJECT, useService } from "./service";

const service = useService();

/** Each kind: its list, the path of one object, the name of the list in responses, a body, and an object to delete. */
const KINDS: [list: string, path: string, name: string, body: object, existing: string][] = [
  [paths.projects, `${paths.projects}/`, "projects", { project_name: "New" }, SECOND_PROJECT],
  [`${paths.project}/applications`, "/applications/", "applications", { app_type: "WEB" }, ANDROID],
  [
    `${paths.project}/custom-domains`,
    "/custom-domains/",
    "custom_domains",
    { hostname: "new.shop.example" },
    DOMAIN,
  ],
];

async function idsIn(list: string, name: string): Promise<string[]> {
  const { body } = await service.get(list);
  return (body[name] as { id: string }[]).map(({ id }) => id);
}

function behave(behaviour: Partial<Behaviour>): void {
  service.emulator.setBehaviour({
    deleteApplicationInUse: "unlink",
    deleteCustomDomainWithLinks: "cascade",
    deleteProjectWithChildren: "cascade",
    deletingPolls: 0,
    ...behaviour,
  });
}

describe.each(KINDS)("in %s", (list, path, name, body, existing) => {
  async function create(): Promise<string> {
    return String((await service.post(list, body)).body.id);
  }

  test("a new object is found after the given number of GETs, and can be deleted before", async () => {
    behave({ newObjectReadable: { afterPolls: 2 } });
    const id = await create();
    const statuses = [
      await service.get(path + id),
      await service.get(path + id),
      await service.get(path + id),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200]);
    expect(statuses[0]?.headers.get("x-request-id")).toEqual(expect.any(String));
    expect(await idsIn(list, name)).toContain(id);
    expect((await service.get(path + existing)).status).toBe(200);
    service.emulator.setBehaviour({ newObjectReadable: { afterPolls: 9 } });
    expect((await service.get(path + id)).status).toBe(404);
    expect((await service.remove(path + id)).status).toBe(204);
  });

  test("a new object is listed after the given number of lists, and can be read before that", async () => {
    behave({ newObjectListed: { afterPolls: 1 } });
    const before = await idsIn(list, name);
    const id = await create();
    expect((await service.get(path + id)).status).toBe(200);
    expect(await idsIn(list, name)).toEqual(before);
    expect(await idsIn(list, name)).toEqual([...before, id]);
  });

  test("a deleted object is still in the given number of lists, and is not found", async () => {
    behave({ deletedObjectUnlisted: { afterPolls: 2 } });
    expect((await service.remove(path + existing)).status).toBe(204);
    expect((await service.get(path + existing)).status).toBe(404);
    expect(await idsIn(list, name)).toContain(existing);
    expect(await idsIn(list, name)).toContain(existing);
    expect(await idsIn(list, name)).not.toContain(existing);
  });

  test("reads do not lag by default", async () => {
    behave({});
    const id = await create();
    expect((await service.get(path + id)).status).toBe(200);
    expect(await idsIn(list, name)).toContain(id);
    await service.remove(path + id);
    expect(await idsIn(list, name)).not.toContain(id);
  });
});

test("objects of the seed, and those that the emulator's own methods create, do not lag", async () => {
  behave({ newObjectReadable: { afterPolls: 9 }, newObjectListed: { afterPolls: 9 } });
  const { id } = service.emulator.createProject(ORGANIZATION, { name: "Created" });
  for (const one of [id, SECOND_PROJECT]) {
    expect((await service.get(`${paths.projects}/${one}`)).status).toBe(200);
    expect(await idsIn(paths.projects, "projects")).toContain(one);
  }
});
