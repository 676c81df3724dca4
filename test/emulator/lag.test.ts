/** Reads that lag behind writes: the same tests for all kinds of objects that a Project or an Organization lists. */
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
    edit: (id: string) => service.emulator.setDomainStatus(id, "EXPIRED"),
  },
];

function behave(behaviour: Partial<Behaviour>): void {
  const others = { deleteWithContents: "cascade", deletingPolls: 0, domainAdvance: "manual" } as const;
  service.behave({ ...others, ...behaviour });
}

// A domain that has failed is retried. Nothing else changes it.
beforeEach(() => service.emulator.setDomainStatus(OWN.domain, "FAILED"));

type Kind = (typeof KINDS)[number];

function readsOf({ list, path, name, existing, change }: Kind) {
  const inList = async (id = existing) => {
    const found = (await get(list)).body[name] as { id: string }[];
    return found.find((each) => each.id === id);
  };
  const read = async (id = existing) => {
    const { status, body } = await get(path + id);
    return status === 404 ? undefined : body;
  };
  /** Changes the object over HTTP. Returns it as it was before, and as the response of the change shows it. */
  async function changed(behaviour: Partial<Behaviour>) {
    behave(behaviour);
    const before = await read();
    service.emulator.clock.advance(1_000);
    const { body: after } = await change();
    expect(after).not.toEqual(before);
    expect(after).toHaveProperty("updated_at", expect.any(String));
    return { before, after };
  }
  return { inList, read, changed };
}

const LAG = { readLag: { afterSeconds: 5 }, listLag: { afterSeconds: 5 } } as const;

describe.each(KINDS)("in $list", (kind) => {
  const { list, path, body, existing, edit } = kind;
  const { inList, read, changed } = readsOf(kind);

  test("a change is shown as a whole, after the given number of reads or the given time", async () => {
    const { before, after } = await changed({ readLag: { afterPolls: 2 }, listLag: { afterSeconds: 5 } });
    expect([await read(), await read(), await read()]).toEqual([before, before, after]);
    expect(await inList()).toEqual(before);
    service.emulator.clock.advance(5_000);
    expect(await inList()).toEqual(after);
  });

  test("a change in the console is shown late as well", async () => {
    behave(LAG);
    const before = await read();
    edit(existing);
    expect([await read(), await inList()]).toEqual([before, before]);
    service.emulator.clock.advance(5_000);
    expect(await read()).not.toEqual(before);
    expect(await inList()).toEqual(await read());
  });

  test("a new object is shown late, and can be deleted before", async () => {
    behave(LAG);
    const id = String((await post(list, body)).body.id);
    expect([await read(id), await inList(id)]).toEqual([undefined, undefined]);
    await expectAnswer(remove(path + id), 204);
    const { id: again } = (await post(list, body)).body;
    service.emulator.clock.advance(5_000);
    expect([await read(`${again}`), await inList(`${again}`)]).toMatchObject([{ id: again }, { id: again }]);
  });

  test.each([
    ["lists", { listLag: LAG.listLag }, undefined],
    ["lists and reads", { ...LAG, deletionsLag: "listsAndReads" }, { id: existing }],
  ] as const)("a deleted object is shown by %s for the given time", async (_, behaviour, shown) => {
    behave(behaviour);
    await expectAnswer(remove(path + existing), 204);
    await expectAnswer(remove(path + existing), 404);
    expect([await read(), await inList()]).toMatchObject([shown, { id: existing }]);
    service.emulator.clock.advance(5_000);
    expect([await read(), await inList()]).toEqual([undefined, undefined]);
  });
});

const [PROJECTS, APPLICATIONS, DOMAINS] = KINDS as [Kind, Kind, Kind];

describe("changes", () => {
  const { edit, existing } = PROJECTS;
  const { inList, read, changed } = readsOf(PROJECTS);

  test("are shown one after the other, each the given number of reads later", async () => {
    const { before, after } = await changed({ readLag: { afterPolls: 2 } });
    expect(await read()).toEqual(before);
    edit(existing);
    expect([await read(), await read()]).toEqual([before, after]);
    expect(await read()).toMatchObject({ project_name: "Edited" });
  });

  test("lag only while the option is set, and only those since then", async () => {
    const { after } = await changed({});
    behave({ readLag: { afterPolls: 9 }, listLag: { afterPolls: 9 } });
    expect([await read(), await inList()]).toEqual([after, after]);
    edit(existing);
    expect([await read(), await inList()]).toEqual([after, after]);
    behave({ readLag: "atOnce", listLag: "atOnce" });
    expect([await read(), await inList()]).toMatchObject(Array(2).fill({ project_name: "Edited" }));
  });

  test("that the service refuses do not lag", async () => {
    behave({ readLag: { afterPolls: 1 } });
    const application = readsOf(APPLICATIONS);
    await expectAnswer(patch(paths.android, { app_type: "IOS" }), 400);
    const { before, after } = await application.changed({});
    expect([await application.read(), await application.read()]).toEqual([before, after]);
  });

  test("include the deletion of a domain, and a step that it is advanced by", async () => {
    behave({ readLag: { afterPolls: 1 }, deletingPolls: 2 });
    const id = OWN.secondDomain;
    service.emulator.setDomainStatus(id, "PENDING_DNS");
    const statuses = async (count: number) => {
      const { read: readDomain } = readsOf(DOMAINS);
      const seen = [];
      while (seen.length < count) seen.push((await readDomain(id))?.lifecycle_status);
      return seen;
    };
    expect(await statuses(2)).toEqual(["ACTIVE", "PENDING_DNS"]);
    service.emulator.advanceDomain(id);
    expect(await statuses(2)).toEqual(["PENDING_DNS", "PENDING_CERTIFICATE"]);
    await remove(DOMAINS.path + id);
    expect(await statuses(3)).toEqual(["PENDING_CERTIFICATE", "DELETING", undefined]);
  });
});

test("objects of the seed, and those that the emulator's own methods create, do not lag", async () => {
  behave({ readLag: { afterPolls: 9 }, listLag: { afterPolls: 9 } });
  const { id } = service.emulator.createProject(OWN.organization, { name: "Created" });
  const { read, inList } = readsOf(PROJECTS);
  for (const one of [id, OWN.secondProject])
    expect([await read(one), await inList(one)]).toMatchObject([{ id: one }, { id: one }]);
});

test("what was deleted with its project is shown like the project", async () => {
  behave({ ...LAG, deletionsLag: "listsAndReads", contentsOfLate: "notFound" });
  await expectAnswer(remove(paths.project), 204);
  for (const kind of [APPLICATIONS, DOMAINS]) {
    const { read, inList } = readsOf(kind);
    expect([await read(), await inList()]).toMatchObject(Array(2).fill({ id: kind.existing }));
  }
});

test.each([
  ["listed", 200],
  ["notFound", 404],
] as const)(
  "the contents of a new object that lists do not show yet are %s",
  async (contentsOfLate, early) => {
    behave({ listLag: { afterSeconds: 5 }, contentsOfLate });
    const project = `${paths.projects}/${(await post(paths.projects, { project_name: "New" })).body.id}`;
    const domain = (await post(`${project}/custom-domains`, { hostname: "new.shop.example" })).body.id;
    const contents = ["applications", "custom-domains", "links"].map((each) => `${project}/${each}`);
    const lists = [...contents, `/custom-domains/${domain}/links`];
    const ask = async () => await Promise.all(lists.map(async (each) => (await get(each)).status));
    expect(await ask()).toEqual(lists.map(() => early));
    service.emulator.clock.advance(5_000);
    expect(await ask()).toEqual(lists.map(() => 200));
  },
);
