/** Projects and their skins. */
import { expectAnswer, NOWHERE, paths, START_MS, useService } from "./service";

const { get, post, patch, put, remove } = useService();

function create(more: object = {}) {
  return expectAnswer(post(paths.projects, { project_name: "New", ...more }), 201);
}

describe("a project", () => {
  test("that is created has a sub-domain of its own, and nothing else that was not sent", async () => {
    const { id, ...created } = await create({ defaultHookupMsg: "Welcome" });
    const created_at = new Date(START_MS).toISOString();
    const unsent = { default_hookup_msg: null, logo_image: null, skin_info: null };
    const sub_domain = `p${String(id).slice(0, 8)}`;
    expect(created).toMatchObject({ sub_domain, ...unsent, created_at, updated_at: created_at });
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
});

test("a project's name is unique in an organization, in its letter case", async () => {
  const nameIsAvailable = (name: string, is_available: boolean) =>
    expectAnswer(get(`${paths.projects}/name-availability?project_name=${name}`), 200, { is_available });
  await nameIsAvailable("Shop", false);
  const body = { statusCode: 409, message: "Project name already exists.", error: "Conflict" };
  await expectAnswer(post(paths.projects, { project_name: "Shop" }), 409, body);
  await expectAnswer(patch(paths.secondProject, { project_name: "Shop" }), 409);
  await expectAnswer(patch(paths.project, { project_name: "Shop" }), 200);
  await nameIsAvailable("Theirs", true);
  await create({ project_name: "Theirs" });
  await create({ project_name: "shop" });
});

test("a skin is not found until it is saved, is shared with its project, and is updated in place", async () => {
  const skin = `${paths.project}/skin`;
  const notFound = { statusCode: 404, message: "Skin not found.", error: "Not Found" };
  await expectAnswer(get(skin), 404, notFound);
  await patch(paths.project, { default_hookup_msg: "Hi" });
  const dark = { theme_type: "basic", theme_choice_type: "dark" };
  const { id } = await expectAnswer(put(skin, dark), 200, { default_hookup_msg: "Hi" });
  await expectAnswer(get(paths.project), 200, { skin_info: { theme_choice_type: "dark" } });
  const grey = { theme_type: "custom", theme_choice_type: "grey" };
  await expectAnswer(put(skin, grey), 200, { id, ...grey });
});
