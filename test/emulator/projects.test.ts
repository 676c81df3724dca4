/** Projects and their skins. */
import { expectAnswer, NOWHERE, OWN, paths, START_MS, useService } from "./service";

const service = useService();
const { get, post, patch, put, remove, behave } = service;

function create(more: object = {}) {
  return expectAnswer(post(paths.projects, { project_name: "New", ...more }), 201);
}

describe("a project", () => {
  test("that is created has a sub-domain of its own, and nothing else that was not sent", async () => {
    const { id, created_at, ...created } = await create({ defaultHookupMsg: "Welcome" });
    expect(created_at).toBe(new Date(START_MS).toISOString());
    expect(created).toMatchObject({
      sub_domain: `p${String(id).slice(0, 8)}`,
      default_hookup_msg: null,
      logo_image: null,
      skin_info: null,
      android_app_flag: false,
      ios_app_flag: false,
      updated_at: created_at,
    });
    const logo_image = { full_path: `https://images.dynamiclink.example/${NOWHERE}.png` };
    await expectAnswer(patch(paths.project, { logo_image_id: NOWHERE }), 200, { logo_image });
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
  test("that contains objects is refused, or deletes them", async () => {
    const before = service.emulator.state;
    const message = "Project still has applications, custom domains or links.";
    await expectAnswer(remove(paths.project), 409, message);
    expect(service.emulator.state).toEqual(before);
    behave({ deleteWithContents: "cascade" });
    await expectAnswer(remove(paths.project), 204);
    const others = Object.entries(before).map(([kind, objects]: [string, readonly object[]]) => [
      kind,
      objects.filter((object) => !JSON.stringify(object).includes(OWN.project)),
    ]);
    expect(service.emulator.state).toEqual(Object.fromEntries(others));
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

  test("is shared with its project, and updated in place", async () => {
    await patch(paths.project, { default_hookup_msg: "Hi" });
    const made = await expectAnswer(put(skin, dark), 200, { default_hookup_msg: "Hi" });
    await expectAnswer(get(paths.project), 200, { skin_info: { theme_choice_type: "dark" } });
    const grey = { theme_type: "custom", theme_choice_type: "grey" };
    await expectAnswer(put(skin, grey), 200, { id: made.id, ...grey });
  });
});
