/** Projects and their skins. */
import { expectAnswer, NOWHERE, OWN, paths, useService } from "./service";

const near = expect.stringMatching(/^2030-01-02T03:04:0\d\.\d{3}Z$/);

const service = useService({ startTime: new Date("2030-01-02T03:04:05.000Z") });
const { get, post, patch, put, remove, behave } = service;

function create(more: object = {}) {
  return expectAnswer(post(paths.projects, { project_name: "New", ...more }), 201);
}

describe("a project", () => {
  test("that is created has what the service assigns", async () => {
    const created = await create();
    expect(created).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      organization_id: OWN.organization,
      created_by_user_id: expect.any(String),
      sub_domain: `p${String(created.id).slice(0, 8)}`,
      logo_image: null,
      skin_info: null,
      android_app_flag: false,
      ios_app_flag: false,
      created_at: near,
      updated_at: created.created_at,
    });
  });

  test("that is created has an image for its logo, and nothing under names that are not those of the interface", async () => {
    const logo_image = { full_path: `https://images.dynamiclink.example/${NOWHERE}.png` };
    expect(await create({ logo_image_id: NOWHERE })).toMatchObject({ logo_image });
    const other = { project_name: "Other", defaultHookupMsg: "Welcome" };
    expect(await create(other)).toMatchObject({ project_name: "Other", default_hookup_msg: null });
  });

  test("shows the platforms of its applications", async () => {
    const flags = (ios_app_flag: boolean, android_app_flag: boolean) =>
      expectAnswer(get(paths.project), 200, { ios_app_flag, android_app_flag });
    await flags(true, true);
    await remove(paths.android);
    await flags(true, false);
    await remove(paths.ios);
    await flags(false, false);
  });

  test("has only the given fields and updated_at changed by an update", async () => {
    await patch(paths.project, { default_hookup_msg: "Hi", logo_image_id: NOWHERE });
    const before = (await get(paths.project)).body;
    service.emulator.clock.advance(1000);
    const after = await expectAnswer(patch(paths.project, { project_name: "Store" }), 200);
    expect(after).toEqual({ ...before, project_name: "Store", updated_at: expect.any(String) });
    const [from, to] = [before, after].map(({ updated_at }) => Date.parse(String(updated_at)));
    expect(Number(to) - Number(from)).toBeGreaterThanOrEqual(1000);
    const unset = { default_hookup_msg: null, logo_image_id: null };
    await expectAnswer(patch(paths.project, unset), 200, { ...unset, logo_image: null });
    await expectAnswer(get(paths.project), 200, { project_name: "Store" });
  });

  test.each([
    ["asGiven", " New ", " Other ", 201],
    ["normalizedNames", "new", "other", 409],
  ] as const)(
    "is stored with its name %s, and compared in that form",
    async (storedForm, kept, other, again) => {
      behave({ storedForm });
      expect(await create({ project_name: " New " })).toMatchObject({ project_name: kept });
      await expectAnswer(post(paths.projects, { project_name: "NEW" }), again);
      await expectAnswer(patch(paths.project, { project_name: " Other " }), 200, { project_name: other });
    },
  );

  test("that is deleted is not found", async () => {
    const path = `${paths.projects}/${(await create()).id}`;
    expect((await remove(path)).body).toEqual({});
    await expectAnswer(get(path), 404, "Project not found.");
    await expectAnswer(remove(path), 404);
    await expectAnswer(patch(path, { project_name: "x" }), 404);
  });
});

describe("a project's name", () => {
  const nameIsAvailable = (name: string, is_available: boolean) =>
    expectAnswer(get(`${paths.projects}/name-availability?project_name=${name}`), 200, { is_available });

  test("is unique in an organization", async () => {
    await nameIsAvailable("Shop", false);
    const body = { statusCode: 409, message: "Project name already exists.", error: "Conflict" };
    await expectAnswer(post(paths.projects, { project_name: "Shop" }), 409, body);
    await expectAnswer(patch(paths.secondProject, { project_name: "Shop" }), 409);
    await expectAnswer(patch(paths.project, { project_name: "Shop" }), 200);
  });

  test("can be that of a project of another organization, or differ only in case", async () => {
    await nameIsAvailable("Theirs", true);
    await create({ project_name: "Theirs" });
    await create({ project_name: "shop" });
  });

  test("can be used twice where names need not be unique", async () => {
    behave({ uniqueNames: false });
    await nameIsAvailable("Shop", true);
    await create({ project_name: "Shop" });
    await expectAnswer(patch(paths.secondProject, { project_name: "Shop" }), 200);
  });
});

describe("deleting a project", () => {
  test.each([
    ["conflict", paths.project],
    ["conflict", paths.secondProject],
    ["cascade", paths.project],
    ["cascade", paths.secondProject],
  ] as const)("that contains objects: %s, %s", async (deleteWithContents, path) => {
    behave({ deleteWithContents });
    const before = service.emulator.state;
    if (deleteWithContents === "conflict") {
      const message = "Project still has applications, custom domains or links.";
      await expectAnswer(remove(path), 409, message);
      expect(service.emulator.state).toEqual(before);
    } else {
      await expectAnswer(remove(path), 204);
      expect(JSON.stringify(service.emulator.state)).not.toContain(path.split("/").at(-1));
    }
  });

  test.each([
    ["an application", (id: string) => service.emulator.createApplication(id, { appType: "WEB" })],
    ["a domain", (id: string) => service.emulator.createCustomDomain(id, { hostname: "x.shop.example" })],
    ["a link", (id: string) => service.emulator.createLink(id, { name: "x", url: "https://x.example/" })],
  ])("is refused for %s alone", async (_, fill) => {
    const { id } = service.emulator.createProject(OWN.organization, { name: "Alone" });
    fill(id);
    await expectAnswer(remove(`${paths.projects}/${id}`), 409);
  });
});

describe("a skin", () => {
  const skin = `${paths.project}/skin`;
  const dark = { theme_type: "basic", theme_choice_type: "dark" };

  test("is not found until it is saved, or without its project", async () => {
    const body = { statusCode: 404, message: "Skin not found.", error: "Not Found" };
    await expectAnswer(get(skin), 404, body);
    await expectAnswer(get(`${paths.projects}/${NOWHERE}/skin`), 404, "Project not found.");
  });

  test("is created, included in its project, and then updated in place", async () => {
    await patch(paths.project, { default_hookup_msg: "Hi" });
    const made = await expectAnswer(put(skin, dark), 200);
    expect(made).toEqual({
      id: expect.any(String),
      organization_id: OWN.organization,
      project_id: OWN.project,
      ...dark,
      default_hookup_msg: "Hi",
      created_at: near,
      updated_at: near,
    });
    expect((await get(paths.project)).body.skin_info).toEqual({ theme_choice_type: "dark" });
    const grey = { theme_type: "custom", theme_choice_type: "grey" };
    const changed = await expectAnswer(put(skin, grey), 200, { id: made.id, ...grey });
    expect((await get(skin)).body).toEqual(changed);
  });
});
