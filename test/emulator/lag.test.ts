/** Reads that lag behind writes: one table for all kinds of objects that a Project or an Organization lists. */
import type { Behaviour } from "../../testing/emulator";
import { expectAnswer, OWN, paths, useService } from "./service";

const service = useService();
const { get, post, patch, remove } = service;

/** Each kind, with an object of it, and two changes of an object: over HTTP, and in the console. */
const KINDS = [
  {
    list: paths.projects,
    path: `${paths.projects}/`,
    name: "projects",
    body: { project_name: "New" },
    existing: OWN.secondProject,
    change: () => patch(paths.secondProject, { project_name: "Changed" }),
    edit: (id: string) => service.emulator.updateProject(id, { name: "Edited" }),
  },
  {
    list: `${paths.project}/applications`,
    path: "/applications/",
    name: "applications",
    body: { app_type: "WEB" },
    existing: OWN.android,
    change: () => patch(paths.android, { android_info: { app_name: "Changed" } }),
    edit: (id: string) => service.emulator.updateApplication(id, { androidInfo: { appName: "Edited" } }),
  },
  {
    list: `${paths.project}/custom-domains`,
    path: "/custom-domains/",
    name: "custom_domains",
    body: { hostname: "new.shop.example" },
    existing: OWN.domain,
    change: () => post(`/custom-domains/${OWN.domain}/retry`),
    edit: (id: string) => service.emulator.setDomainStatus(id, "FAILED"),
  },
];

async function idsIn(list: string, name: string): Promise<string[]> {
  return ((await get(list)).body[name] as { id: string }[]).map(({ id }) => id);
}

function behave(behaviour: Partial<Behaviour>): void {
  service.behave({ deleteWithContents: "cascade", deletingPolls: 0, ...behaviour });
}

describe.each(KINDS)("in $list", ({ list, path, name, body, existing, change, edit }) => {
  const read = async () => (await get(path + existing)).body;
  const inList = async () => {
    const found = (await get(list)).body[name] as { id: string }[];
    return found.find(({ id }) => id === existing);
  };
  /** Changes the object over HTTP. Returns it as it was before, and as the response of the change shows it. */
  async function changed(behaviour: Partial<Behaviour>) {
    // A domain that has failed is retried. Nothing else changes it.
    service.emulator.setDomainStatus(OWN.domain, "FAILED");
    behave({ domainAdvance: "manual", ...behaviour });
    const before = await read();
    service.emulator.clock.advance(1_000);
    const { body: after } = await change();
    expect(after).not.toEqual(before);
    expect(after).toHaveProperty("updated_at", expect.any(String));
    return { before, after };
  }

  test.each([
    ["GETs", "readLag", read, inList],
    ["lists", "listLag", inList, read],
  ])(
    "a change is shown by %s after the given number of them, as a whole",
    async (_, option, late, prompt) => {
      const { before, after } = await changed({ [option]: { afterPolls: 2 } });
      expect(await prompt()).toEqual(after);
      expect([await late(), await late(), await late()]).toEqual([before, before, after]);
    },
  );

  test("a change in the console is shown after the given time", async () => {
    service.behave({ domainAdvance: "manual" });
    const before = await read();
    behave({ readLag: { afterSeconds: 60 }, listLag: { afterSeconds: 90 } });
    service.emulator.clock.advance(1_000);
    edit(existing);
    service.emulator.clock.advance(30_000);
    expect([await read(), await inList()]).toEqual([before, before]);
    service.emulator.clock.advance(30_000);
    const after = await read();
    expect(after).not.toEqual(before);
    expect(await inList()).toEqual(before);
    service.emulator.clock.advance(30_000);
    expect(await inList()).toEqual(after);
  });

  test("each of two changes is shown the given number of reads later", async () => {
    const { before, after } = await changed({ readLag: { afterPolls: 2 } });
    expect(await read()).toEqual(before);
    edit(existing);
    expect([await read(), await read()]).toEqual([before, after]);
    const last = await read();
    expect(last).not.toEqual(after);
    expect(await inList()).toEqual(last);
  });

  test("changes lag only while the option is set, and only those since then", async () => {
    const { after } = await changed({});
    expect([await read(), await inList()]).toEqual([after, after]);
    behave({ readLag: { afterPolls: 9 }, listLag: { afterPolls: 9 } });
    expect([await read(), await inList()]).toEqual([after, after]);
    edit(existing);
    expect([await read(), await inList()]).toEqual([after, after]);
    behave({ readLag: "atOnce", listLag: "atOnce" });
    expect(await read()).not.toEqual(after);
    expect(await inList()).not.toEqual(after);
  });

  async function create(): Promise<string> {
    return String((await post(list, body)).body.id);
  }

  test("a new object is found after the given number of GETs, and can be deleted before", async () => {
    behave({ readLag: { afterPolls: 2 } });
    const id = await create();
    const own = path + id;
    await expectAnswer(get(own), 404);
    expect((await get(own)).headers.get("x-request-id")).toEqual(expect.any(String));
    await expectAnswer(get(own), 200);
    expect(await idsIn(list, name)).toContain(id);
    await expectAnswer(get(path + existing), 200);
    behave({ readLag: { afterPolls: 9 } });
    await expectAnswer(get(own), 404);
    await expectAnswer(remove(own), 204);
  });

  test("a new object is listed after the given number of lists, and can be read before that", async () => {
    behave({ listLag: { afterPolls: 1 } });
    const before = await idsIn(list, name);
    const id = await create();
    await expectAnswer(get(path + id), 200);
    expect(await idsIn(list, name)).toEqual(before);
    expect(await idsIn(list, name)).toEqual([...before, id]);
  });

  test("a new object that was changed is not found, then shown as created, then as it is", async () => {
    behave({ readLag: { afterPolls: 2 }, domainAdvance: "manual" });
    const id = await create();
    const own = path + id;
    await expectAnswer(get(own), 404);
    edit(id);
    await expectAnswer(get(own), 404);
    const first = await expectAnswer(get(own), 200);
    expect(await expectAnswer(get(own), 200)).not.toEqual(first);
  });

  test("a deleted object is still in the given number of lists, and is not found", async () => {
    behave({ listLag: { afterPolls: 2 } });
    await expectAnswer(remove(path + existing), 204);
    await expectAnswer(get(path + existing), 404);
    for (const listed of [true, true, false])
      expect((await idsIn(list, name)).includes(existing)).toBe(listed);
  });

  test("a deleted object can be shown by GETs as well, for the given time", async () => {
    const { id } = await expectAnswer(get(path + existing), 200);
    const lag = { afterSeconds: 5 };
    behave({ readLag: lag, listLag: lag, deletionsLag: "listsAndReads" });
    await expectAnswer(remove(path + existing), 204);
    await expectAnswer(remove(path + existing), 404);
    await expectAnswer(get(path + existing), 200, { id });
    expect(await idsIn(list, name)).toContain(existing);
    service.emulator.clock.advance(5_000);
    await expectAnswer(get(path + existing), 404);
    expect(await idsIn(list, name)).not.toContain(existing);
  });
});

const DOMAINS = `${paths.project}/custom-domains`;
test("the deletion of a domain, and a step that it is advanced by, are changes that reads show late", async () => {
  behave({ domainAdvance: "manual" });
  const { id } = (await post(DOMAINS, { hostname: "new.shop.example" })).body;
  behave({ readLag: { afterPolls: 1 }, deletingPolls: 2, domainAdvance: "manual" });
  service.emulator.advanceDomain(String(id));
  for (const lifecycle_status of ["PENDING_PROVIDER", "PENDING_DNS"])
    await expectAnswer(get(`/custom-domains/${id}`), 200, { lifecycle_status });

  const path = `/custom-domains/${OWN.secondDomain}`;
  await remove(path);
  for (const lifecycle_status of ["ACTIVE", "DELETING"])
    await expectAnswer(get(path), 200, { lifecycle_status });
  await expectAnswer(get(path), 404);
});

test("a change that the service refuses does not lag", async () => {
  behave({ readLag: { afterPolls: 1 }, deletingPolls: 2, domainAdvance: "manual" });
  const before = (await get(paths.android)).body;
  await expectAnswer(patch(paths.android, { app_type: "IOS" }), 400);
  await expectAnswer(patch(paths.project, { project_name: "Blog" }), 409);
  await patch(paths.android, { android_info: { app_name: "Changed" } });
  expect((await get(paths.android)).body).toEqual(before);
  expect((await get(paths.android)).body).not.toEqual(before);
});

test("objects of the seed, and those that the emulator's own methods create, do not lag", async () => {
  behave({ readLag: { afterPolls: 9 }, listLag: { afterPolls: 9 } });
  const { id } = service.emulator.createProject(OWN.organization, { name: "Created" });
  for (const one of [id, OWN.secondProject]) {
    await expectAnswer(get(`${paths.projects}/${one}`), 200);
    expect(await idsIn(paths.projects, "projects")).toContain(one);
  }
});

test("what was deleted with its project is shown like the project", async () => {
  const lag = { readLag: { afterSeconds: 5 }, listLag: { afterSeconds: 5 } };
  behave({ ...lag, deletionsLag: "listsAndReads", contentsOfLate: "notFound" });
  await expectAnswer(remove(paths.project), 204);
  for (const { list, path, name, existing } of KINDS.slice(1)) {
    await expectAnswer(get(path + existing), 200);
    expect(await idsIn(list, name)).toContain(existing);
  }
});

describe("the contents of a new object that lists do not show yet", () => {
  const CONTENTS = ["applications", "custom-domains", "links"];

  async function statuses(behaviour: Partial<Behaviour>): Promise<number[]> {
    behave({ listLag: { afterSeconds: 5 }, ...behaviour });
    const project = `${paths.projects}/${(await post(paths.projects, { project_name: "New" })).body.id}`;
    const domain = (await post(`${project}/custom-domains`, { hostname: "new.shop.example" })).body.id;
    const lists = [...CONTENTS.map((each) => `${project}/${each}`), `/custom-domains/${domain}/links`];
    const ask = async () => await Promise.all(lists.map(async (each) => (await get(each)).status));
    const early = await ask();
    service.emulator.clock.advance(5_000);
    expect(await ask()).toEqual([200, 200, 200, 200]);
    return early;
  }

  test("are listed", async () => expect(await statuses({})).toEqual([200, 200, 200, 200]));

  test("are not found, as those of an object that does not exist", async () =>
    expect(await statuses({ contentsOfLate: "notFound" })).toEqual([404, 404, 404, 404]));
});
