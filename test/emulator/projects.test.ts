/** Projects and their skins. */
import { ANDROID, IOS, NOWHERE, ORGANIZATION, PROJECT, paths, useService } from "./service";

const startTime = new Date("2030-01-02T03:04:05.000Z");
const near = expect.stringMatching(/^2030-01-02T03:04:0\d\.\d{3}Z$/);

describe("a project", () => {
  const service = useService({ startTime });

  test("that is created has every field of the interface", async () => {
    const { status, body } = await service.post(paths.projects, { project_name: "New" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      organization_id: ORGANIZATION,
      created_by_user_id: expect.any(String),
      project_name: "New",
      logo_image_id: null,
      sub_domain: `p${String(body.id).slice(0, 8)}`,
      default_hookup_msg: null,
      logo_image: null,
      skin_info: null,
      android_app_flag: false,
      ios_app_flag: false,
      created_at: near,
      updated_at: body.created_at,
    });
  });

  test("that is created keeps its logo and message", async () => {
    const { body } = await service.post(paths.projects, {
      project_name: "New",
      logo_image_id: NOWHERE,
      default_hookup_msg: "Welcome",
    });
    expect(body).toMatchObject({
      logo_image_id: NOWHERE,
      logo_image: { full_path: `https://images.dynamiclink.example/${NOWHERE}.png` },
      default_hookup_msg: "Welcome",
    });
  });

  test("has nothing from a field whose name is not that of the interface", async () => {
    const { body } = await service.post(paths.projects, { project_name: "New", defaultHookupMsg: "Welcome" });
    expect(body).toMatchObject({ project_name: "New", default_hookup_msg: null });
  });

  test("shows the platforms of its applications", async () => {
    const flags = async () => {
      const { ios_app_flag, android_app_flag } = (await service.get(paths.project)).body;
      return [ios_app_flag, android_app_flag];
    };
    expect(await flags()).toEqual([true, true]);
    await service.remove(`/applications/${ANDROID}`);
    expect(await flags()).toEqual([true, false]);
    await service.remove(`/applications/${IOS}`);
    expect(await flags()).toEqual([false, false]);
  });

  test("has only the given fields and updated_at changed by an update", async () => {
    await service.patch(paths.project, { default_hookup_msg: "Hi", logo_image_id: NOWHERE });
    const before = (await service.get(paths.project)).body;
    service.emulator.clock.advance(1000);
    const { status, body } = await service.patch(paths.project, { project_name: "Store" });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, project_name: "Store", updated_at: expect.any(String) });
    expect(
      Date.parse(String(body.updated_at)) - Date.parse(String(before.updated_at)),
    ).toBeGreaterThanOrEqual(1000);
    expect(
      (await service.patch(paths.project, { default_hookup_msg: null, logo_image_id: null })).body,
    ).toMatchObject({
      default_hookup_msg: null,
      logo_image_id: null,
      logo_image: null,
    });
    expect((await service.get(paths.project)).body).toMatchObject({ project_name: "Store" });
  });

  test.each([
    ["asGiven", " New ", " New ", 201],
    ["normalized", " New ", "new", 409],
  ] as const)(
    "is stored with its name %s, and compared in that form",
    async (projectNameSpelling, given, kept, again) => {
      service.emulator.setBehaviour({ projectNameSpelling });
      const { body } = await service.post(paths.projects, { project_name: given });
      expect(body.project_name).toBe(kept);
      expect((await service.post(paths.projects, { project_name: "NEW" })).status).toBe(again);
      const renamed = await service.patch(paths.project, { project_name: " Other " });
      expect(renamed.body.project_name).toBe(kept === "new" ? "other" : " Other ");
    },
  );

  test("is listed with the others of its organization, oldest first", async () => {
    await service.post(paths.projects, { project_name: "Newest" });
    const { body } = await service.get(paths.projects);
    expect((body.projects as { project_name: string }[]).map((one) => one.project_name)).toEqual([
      "Shop",
      "Blog",
      "Newest",
    ]);
  });

  test("that is deleted is not found", async () => {
    const { body } = await service.post(paths.projects, { project_name: "New" });
    const path = `${paths.projects}/${body.id}`;
    expect(await service.remove(path)).toMatchObject({ status: 204, body: {} });
    expect(await service.get(path)).toMatchObject({ status: 404, body: { message: "Project not found." } });
    expect((await service.remove(path)).status).toBe(404);
    expect((await service.patch(path, { project_name: "x" })).status).toBe(404);
  });

  test("has the Pro entitlement by default", async () => {
    await service.post(paths.projects, { project_name: "With" });
    service.emulator.setBehaviour({ defaultPro: false });
    await service.post(paths.projects, { project_name: "Without" });
    expect(service.emulator.state.projects.slice(-2).map(({ pro }) => pro)).toEqual([true, false]);
  });
});

describe("a project's name", () => {
  const service = useService();

  test("can have no sub-domain of its own", async () => {
    service.emulator.setBehaviour({ newSubDomain: "none" });
    const { body } = await service.post(paths.projects, { project_name: "New" });
    expect(body.sub_domain).toBeNull();
    const link = { dynamic_link_url: "https://shop.example/", dynamic_link_name: "x" };
    const answer = await service.post(`${paths.projects}/${body.id}/links`, link);
    expect(answer.body.hostname).toBe("links.example");
  });
  const available = async (name: string) =>
    (await service.get(`${paths.projects}/name-availability?project_name=${name}`)).body;

  test("is unique in an organization", async () => {
    expect(await available("Shop")).toEqual({ is_available: false });
    expect(await service.post(paths.projects, { project_name: "Shop" })).toMatchObject({
      status: 409,
      body: { statusCode: 409, message: "Project name already exists.", error: "Conflict" },
    });
    expect((await service.patch(paths.secondProject, { project_name: "Shop" })).status).toBe(409);
    expect((await service.patch(paths.project, { project_name: "Shop" })).status).toBe(200);
  });

  test("can be the same as in another organization", async () => {
    expect(await available("Theirs")).toEqual({ is_available: true });
    expect((await service.post(paths.projects, { project_name: "Theirs" })).status).toBe(201);
  });

  test("is case-sensitive", async () => {
    expect((await service.post(paths.projects, { project_name: "shop" })).status).toBe(201);
  });

  test("is available after its project is deleted", async () => {
    service.emulator.deleteProject(PROJECT);
    expect(await available("Shop")).toEqual({ is_available: true });
  });

  test("can be used twice where names need not be unique", async () => {
    service.emulator.setBehaviour({ uniqueProjectNames: false });
    expect(await available("Shop")).toEqual({ is_available: true });
    expect((await service.post(paths.projects, { project_name: "Shop" })).status).toBe(201);
    expect((await service.patch(paths.secondProject, { project_name: "Shop" })).status).toBe(200);
  });

  test.each(["", "x".repeat(101)])("has a minimum and a maximum length: %j", async (name) => {
    expect((await service.get(`${paths.projects}/name-availability?project_name=${name}`)).status).toBe(400);
  });
});

describe("deleting a project", () => {
  const service = useService();

  const CHILDREN_REMAIN = "Project still has applications or custom domains.";
  test.each([
    ["applications and domains", "conflict", "conflict", CHILDREN_REMAIN, paths.secondProject],
    ["applications and domains", "cascade", "conflict", undefined, paths.secondProject],
    ["links as well", "cascade", "conflict", "Project still has links.", paths.project],
    ["links as well", "cascade", "cascade", undefined, paths.project],
  ] as const)("with %s: %s, and %s with links", async (_, contents, links, message, path) => {
    service.emulator.setBehaviour({ deleteProjectWithChildren: contents, deleteProjectWithLinks: links });
    const before = service.emulator.state;
    const { status, body } = await service.remove(path);
    expect([status, body.message]).toEqual([message === undefined ? 204 : 409, message]);
    const id = path.split("/").at(-1) ?? "";
    if (message === undefined) expect(JSON.stringify(service.emulator.state)).not.toContain(id);
    else expect(service.emulator.state).toEqual(before);
  });

  test("with links only does not depend on the option for other contents", async () => {
    service.emulator.setBehaviour({ deleteProjectWithLinks: "cascade" });
    const { id } = service.emulator.createProject(ORGANIZATION, { name: "Links only" });
    service.emulator.createLink(id, { name: "x", url: "https://x.example/" });
    expect((await service.remove(`${paths.projects}/${id}`)).status).toBe(204);
  });
});

describe("a skin", () => {
  const service = useService({ startTime });
  const skin = `${paths.project}/skin`;

  test("is not found until it is saved", async () => {
    expect(await service.get(skin)).toMatchObject({
      status: 404,
      body: { statusCode: 404, message: "Skin not found.", error: "Not Found" },
    });
  });

  test("is created, included in its project, and then updated in place", async () => {
    await service.patch(paths.project, { default_hookup_msg: "Hi" });
    const made = await service.put(skin, { theme_type: "basic", theme_choice_type: "dark" });
    expect(made).toMatchObject({ status: 200 });
    expect(made.body).toEqual({
      id: expect.any(String),
      organization_id: ORGANIZATION,
      project_id: PROJECT,
      theme_type: "basic",
      theme_choice_type: "dark",
      default_hookup_msg: "Hi",
      created_at: near,
      updated_at: near,
    });
    expect((await service.get(paths.project)).body.skin_info).toEqual({ theme_choice_type: "dark" });
    const changed = await service.put(skin, { theme_type: "custom", theme_choice_type: "grey" });
    expect(changed.body).toMatchObject({ id: made.body.id, theme_type: "custom", theme_choice_type: "grey" });
    expect((await service.get(skin)).body).toEqual(changed.body);
  });

  test("does not accept the landing message, which belongs to the project", async () => {
    const body = { theme_type: "basic", theme_choice_type: "dark", default_hookup_msg: "Hi" };
    expect(await service.put(skin, body)).toMatchObject({
      status: 400,
      body: { message: ["default_hookup_msg is not allowed"] },
    });
  });

  test("of a missing project leads to the error of the project", async () => {
    expect((await service.get(`${paths.projects}/${NOWHERE}/skin`)).body.message).toBe("Project not found.");
  });
});
