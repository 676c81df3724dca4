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

/** An object as a read of it and as the list show it. */
function seenOf({ list, path, name }: Kind) {
  return async (id: unknown) => {
    const { status, body } = await get(`${path}${id}`);
    const found = (await get(list)).body[name] as { id: string }[];
    return [status === 404 ? undefined : body, found.find((each) => each.id === id)] as const;
  };
}

const LAG = { readLag: { afterSeconds: 5 }, listLag: { afterSeconds: 5 } } as const;

test.each(KINDS)("in $list, what is created, changed or deleted is shown late, as a whole", async (kind) => {
  const { list, path, body, existing, change, edit } = kind;
  const seen = seenOf(kind);
  behave(LAG);
  for (const write of [change, () => edit(existing)]) {
    const before = await seen(existing);
    const answer = (await write()) as { readonly body: object } | undefined;
    expect(await seen(existing)).toEqual(before);
    service.emulator.clock.advance(5_000);
    const [read, listed] = await seen(existing);
    expect(read).not.toEqual(before[0]);
    expect([read, listed]).toEqual([listed, answer?.body ?? read]);
  }
  const early = (await post(list, body)).body.id;
  expect(await seen(early)).toEqual([undefined, undefined]);
  await expectAnswer(remove(`${path}${early}`), 204);
  const { id } = (await post(list, body)).body;
  service.emulator.clock.advance(5_000);
  expect(await seen(id)).toMatchObject([{ id }, { id }]);
  // A domain that lags is not shown as being deleted either.
  behave({ listLag: LAG.listLag, readLag: "atOnce" });
  for (const status of [204, 404]) await expectAnswer(remove(`${path}${id}`), status);
  expect(await seen(id)).toMatchObject([undefined, { id }]);
  service.emulator.clock.advance(5_000);
  expect(await seen(id)).toEqual([undefined, undefined]);
});

const [PROJECTS, APPLICATIONS, DOMAINS] = KINDS as [Kind, Kind, Kind];

test("changes are shown one after the other, each the given number of reads later, and refused ones never", async () => {
  const { edit, existing, change } = APPLICATIONS;
  const read = async () => (await get(paths.android)).body;
  behave({ readLag: { afterPolls: 2 } });
  const before = await read();
  await expectAnswer(patch(paths.android, { app_type: "IOS" }), 400);
  const { body: after } = await change();
  expect(await read()).toEqual(before);
  edit(existing);
  expect([await read(), await read()]).toEqual([before, after]);
  expect(await read()).toMatchObject({ android_info: { app_name: "Edited" } });
});

test("changes lag only while the option is set, and only those since then", async () => {
  const { edit, existing, change } = PROJECTS;
  const seen = seenOf(PROJECTS);
  const { body: after } = await change();
  behave({ readLag: { afterPolls: 9 }, listLag: { afterPolls: 9 } });
  expect(await seen(existing)).toEqual([after, after]);
  // What the emulator's own methods create does not lag.
  const { id } = service.emulator.createProject(OWN.organization, { name: "Created" });
  expect(await seen(id)).toMatchObject([{ id }, { id }]);
  edit(existing);
  expect(await seen(existing)).toEqual([after, after]);
  behave({ readLag: "atOnce", listLag: "atOnce" });
  expect(await seen(existing)).toMatchObject(Array(2).fill({ project_name: "Edited" }));
});

test("changes include the deletion of a domain, and a step that it is advanced by", async () => {
  behave({ readLag: { afterPolls: 1 }, deletingPolls: 2 });
  const id = OWN.secondDomain;
  service.emulator.setDomainStatus(id, "PENDING_DNS");
  const expectStatuses = async (...expected: readonly unknown[]) => {
    for (const status of expected) expect((await get(DOMAINS.path + id)).body.lifecycle_status).toBe(status);
  };
  await expectStatuses("ACTIVE", "PENDING_DNS");
  service.emulator.advanceDomain(id);
  await expectStatuses("PENDING_DNS", "PENDING_CERTIFICATE");
  await remove(DOMAINS.path + id);
  await expectStatuses("PENDING_CERTIFICATE", "DELETING", undefined);
});

test("what was deleted with its project is shown like the project", async () => {
  behave({ ...LAG, deletionsLag: "listsAndReads", contentsOfLate: "notFound" });
  await expectAnswer(remove(paths.project), 204);
  for (const kind of [APPLICATIONS, DOMAINS])
    expect(await seenOf(kind)(kind.existing)).toMatchObject(Array(2).fill({ id: kind.existing }));
});

test("the contents of a new object that lists do not show yet are not found, if so configured", async () => {
  behave({ listLag: LAG.listLag, contentsOfLate: "notFound" });
  const project = `${paths.projects}/${(await post(paths.projects, { project_name: "New" })).body.id}`;
  const domain = (await post(`${project}/custom-domains`, { hostname: "new.shop.example" })).body.id;
  const contents = ["applications", "custom-domains", "links"].map((each) => `${project}/${each}`);
  for (const list of [...contents, `/custom-domains/${domain}/links`]) await expectAnswer(get(list), 404);
});
