/** Applications: the three platforms, and what a PATCH does to them. */
import { ANDROID, IOS, LINK, PROJECT, paths, useService } from "./service";

const applications = `${paths.project}/applications`;
const apple = { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop.app" };
const noApple = { app_store_id: null, app_id: null, app_id_prefix: null };
const android = { app_name: "Shop", app_scheme: "shop", app_package_name: "example.shop.app" };

describe("an application", () => {
  const service = useService();

  test.each([
    [{ app_type: "IOS", apple_info: apple }, { ...apple, ...noApple }, null],
    [{ app_type: "IOS", apple_info: apple, android_info: null }, { ...apple, ...noApple }, null],
    [{ app_type: "ANDROID", android_info: android }, null, { ...android, sha256_fingerprints: null }],
    [{ app_type: "WEB" }, null, null],
    [{ app_type: "WEB", apple_info: null, android_info: null }, null, null],
  ])("is created from %j", async (request, apple_info, android_info) => {
    const { status, body } = await service.post(applications, request);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      project_id: PROJECT,
      app_type: request.app_type,
      apple_info,
      android_info,
      created_at: expect.any(String),
      updated_at: null,
    });
    expect((await service.get(`/applications/${body.id}`)).body).toEqual(body);
  });

  test("can have the same properties as another one", async () => {
    const request = { app_type: "IOS", apple_info: apple };
    const made = [await service.post(applications, request), await service.post(applications, request)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(made[0]?.body.id).not.toBe(made[1]?.body.id);
  });

  test("is listed with those of its project, oldest first", async () => {
    const { body } = await service.get(applications);
    expect((body.applications as { id: string }[]).map(({ id }) => id)).toEqual([IOS, ANDROID]);
  });

  test("that is deleted is not found", async () => {
    expect((await service.remove(`/applications/${IOS}`)).status).toBe(204);
    expect((await service.get(`/applications/${IOS}`)).body.message).toBe("Application not found.");
    expect((await service.remove(`/applications/${IOS}`)).status).toBe(404);
  });

  test("that a link opens is not deleted by default", async () => {
    await service.patch(`/links/${LINK}`, { apple_options: { application_id: IOS } });
    expect(await service.remove(`/applications/${IOS}`)).toMatchObject({
      status: 409,
      body: { message: "Application is used by a link." },
    });
  });

  test("that a link opens is removed from the link if configured", async () => {
    service.emulator.setBehaviour({ deleteApplicationInUse: "unlink" });
    await service.patch(`/links/${LINK}`, {
      apple_options: { application_id: IOS, apple_action: "open" },
      android_options: { application_id: ANDROID },
    });
    expect((await service.remove(`/applications/${IOS}`)).status).toBe(204);
    expect((await service.remove(`/applications/${ANDROID}`)).status).toBe(204);
    expect((await service.get(`/links/${LINK}`)).body).toMatchObject({
      applications: { apple: null, android: null },
      apple_options: { application_id: null, apple_action: "open" },
      android_options: { application_id: null },
    });
  });

  test("omits info fields that are not set if configured", async () => {
    service.emulator.setBehaviour({ absentInfoField: "omit" });
    expect((await service.get(`/applications/${IOS}`)).body.apple_info).toEqual(apple);
    expect((await service.get(`/applications/${ANDROID}`)).body.android_info).toEqual(android);
  });

  test("stores null in a create as a field that is not set", async () => {
    await service.post(applications, { app_type: "IOS", apple_info: { ...apple, app_store_id: null } });
    expect(service.emulator.state.applications.at(-1)?.appleInfo).toEqual({
      appName: "Shop",
      appScheme: "shop",
      bundleId: "example.shop.app",
    });
  });
});

describe("app_id", () => {
  const service = useService();
  const create = async (more: object) =>
    (await service.post(applications, { app_type: "IOS", apple_info: { ...apple, ...more } })).body
      .apple_info;

  test("is not derived by default", async () => {
    expect(await create({ app_id_prefix: "ABCDE12345" })).toMatchObject({ app_id: null });
  });

  test("is derived from prefix and bundle if configured", async () => {
    service.emulator.setBehaviour({ deriveAppId: true });
    expect(await create({ app_id_prefix: "ABCDE12345" })).toMatchObject({
      app_id: "ABCDE12345.example.shop.app",
    });
    expect(await create({})).toMatchObject({ app_id: null });
  });

  test("is not derived if it is given", async () => {
    service.emulator.setBehaviour({ deriveAppId: true });
    const app_id = "ZZZZZ12345.example.other";
    expect(await create({ app_id_prefix: "ABCDE12345", app_id })).toMatchObject({ app_id });
  });
});

describe("a PATCH of an info object", () => {
  const service = useService();
  const patched = async (apple_info: object | null) => {
    await service.patch(`/applications/${IOS}`, { apple_info: { ...apple, app_store_id: "123" } });
    return (await service.patch(`/applications/${IOS}`, { apple_info })).body.apple_info;
  };
  const unset = { app_name: null, app_scheme: null, bundle_id: null, ...noApple };

  test.each([
    ["merge", "clear", { app_name: "New" }, { ...apple, app_name: "New", app_store_id: "123" }],
    ["merge", "clear", { app_store_id: null }, { ...apple, app_store_id: null }],
    ["merge", "ignore", { app_store_id: null }, { ...apple, app_store_id: "123" }],
    ["merge", "ignore", { app_id_prefix: null }, { ...apple, app_store_id: "123" }],
    ["merge", "clear", {}, { ...apple, app_store_id: "123" }],
    ["replace", "clear", { app_name: "New" }, { app_name: "New" }],
    ["replace", "clear", { app_name: "New", app_store_id: null }, { app_name: "New" }],
    ["replace", "ignore", { app_name: "New", app_store_id: null }, { app_name: "New", app_store_id: "123" }],
    ["replace", "clear", {}, {}],
  ] as const)("under %s and %s, %j leads to %j", async (patchInfo, nullInfoField, patch, expected) => {
    service.emulator.setBehaviour({ patchInfo, nullInfoField });
    expect(await patched(patch)).toEqual({ ...unset, ...expected });
  });

  test("replaces a list as a whole", async () => {
    const fingerprint = Array(32).fill("AB").join(":");
    const sent = async (sha256_fingerprints: string[] | null) =>
      (await service.patch(`/applications/${ANDROID}`, { android_info: { sha256_fingerprints } })).body
        .android_info;
    expect(await sent([fingerprint, fingerprint])).toEqual({
      ...android,
      sha256_fingerprints: [fingerprint, fingerprint],
    });
    expect(await sent([fingerprint])).toEqual({ ...android, sha256_fingerprints: [fingerprint] });
    expect(await sent(null)).toEqual({ ...android, sha256_fingerprints: null });
  });
});

describe("a null in a required info field of a create", () => {
  const service = useService();
  const nullIn = (name: string) => [
    { app_type: "IOS", apple_info: { ...apple, [name]: null } },
    { app_type: "ANDROID", android_info: { ...android, [name]: null } },
  ];

  test("is stored by default", async () => {
    for (const body of nullIn("app_name")) expect((await service.post(applications, body)).status).toBe(201);
    expect(service.emulator.state.applications.at(-1)?.androidInfo).not.toHaveProperty("appName");
  });

  test.each(["app_name", "app_scheme"])("is refused if configured: %s", async (name) => {
    service.emulator.setBehaviour({ nullRequiredInfo: "refused" });
    const [ios, other] = await Promise.all(nullIn(name).map((body) => service.post(applications, body)));
    expect([ios?.status, ios?.body.message]).toEqual([400, [`apple_info.${name} must not be null`]]);
    expect([other?.status, other?.body.message]).toEqual([400, [`android_info.${name} must not be null`]]);
    expect(service.emulator.state.applications).toHaveLength(4);
  });

  test("is refused for the id of the application too, and for no other field", async () => {
    service.emulator.setBehaviour({ nullRequiredInfo: "refused" });
    const ios = (more: object) =>
      service.post(applications, { app_type: "IOS", apple_info: { ...apple, ...more } });
    expect((await ios({ bundle_id: null })).body.message).toEqual(["apple_info.bundle_id must not be null"]);
    expect((await ios({ app_store_id: null })).status).toBe(201);
    const body = { app_type: "ANDROID", android_info: { ...android, app_package_name: null } };
    expect((await service.post(applications, body)).body.message).toEqual([
      "android_info.app_package_name must not be null",
    ]);
    expect((await service.post(applications, { app_type: "WEB", apple_info: null })).status).toBe(201);
    expect((await service.patch(`/applications/${IOS}`, { apple_info: { app_name: null } })).status).toBe(
      200,
    );
  });
});

describe("updated_at", () => {
  const service = useService();

  test.each([
    ["afterUpdate", null, "update"],
    ["fromCreation", "creation", "update"],
    ["never", null, null],
  ] as const)("can be set: %s", async (nullableUpdatedAt, created, updated) => {
    service.emulator.setBehaviour({ nullableUpdatedAt });
    const { body } = await service.post(applications, { app_type: "IOS", apple_info: apple });
    expect(body.updated_at).toBe(created === "creation" ? body.created_at : created);
    service.emulator.clock.advance(5_000);
    const path = `/applications/${body.id}`;
    const { updated_at } = (await service.patch(path, { apple_info: { app_name: "New" } })).body;
    expect((await service.get(path)).body.updated_at).toBe(updated_at);
    expect(updated === null ? updated_at : String(updated_at) > String(body.created_at)).toBe(
      updated && true,
    );
  });
});

describe("a PATCH that leaves infos that do not fit app_type", () => {
  const service = useService();
  const patch = (body: object) => service.patch(`/applications/${IOS}`, body);
  const noAndroid = { sha256_fingerprints: null };

  test.each([
    ["cleared", { app_type: "ANDROID", android_info: android }, null, { ...android, ...noAndroid }],
    ["cleared", { app_type: "WEB" }, null, null],
    ["cleared", { app_type: "ANDROID" }, null, null],
    ["cleared", { android_info: android }, { ...apple, ...noApple }, null],
    ["cleared", { apple_info: null }, null, null],
    [
      "kept",
      { app_type: "ANDROID", android_info: android },
      { ...apple, ...noApple },
      { ...android, ...noAndroid },
    ],
    ["kept", { app_type: "WEB" }, { ...apple, ...noApple }, null],
    ["kept", { android_info: android }, { ...apple, ...noApple }, { ...android, ...noAndroid }],
    ["kept", { apple_info: null }, null, null],
  ] as const)("has them %s: %j", async (unfitInfo, body, apple_info, android_info) => {
    service.emulator.setBehaviour({ unfitInfo });
    const app_type = "app_type" in body ? body.app_type : "IOS";
    const answer = await patch(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ app_type, apple_info, android_info });
    expect((await service.get(`/applications/${IOS}`)).body).toEqual(answer.body);
  });
});

describe("a PATCH of app_type", () => {
  const service = useService();
  const patch = (body: object) => service.patch(`/applications/${IOS}`, body);

  test("changes the platform in place when the other info is null", async () => {
    const { status, body } = await patch({ app_type: "ANDROID", android_info: android, apple_info: null });
    expect([status, body]).toEqual([
      200,
      {
        id: IOS,
        project_id: PROJECT,
        app_type: "ANDROID",
        apple_info: null,
        android_info: { ...android, sha256_fingerprints: null },
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    expect((await patch({ app_type: "WEB", android_info: null })).body).toMatchObject({
      app_type: "WEB",
      android_info: null,
    });
    expect((await patch({ app_type: "IOS", apple_info: apple })).body).toMatchObject({
      app_type: "IOS",
      apple_info: apple,
    });
  });

  test("does not depend on what a null field means", async () => {
    service.emulator.setBehaviour({ nullInfoField: "ignore", patchInfo: "replace" });
    const { body } = await patch({ app_type: "ANDROID", android_info: android, apple_info: null });
    expect(body).toMatchObject({ app_type: "ANDROID", apple_info: null, android_info: android });
  });

  test.each([
    [{ app_type: "ANDROID" }],
    [{ app_type: "ANDROID", android_info: android }],
    [{ app_type: "WEB" }],
    [{ apple_info: null }],
    [{ android_info: android }],
    [{ app_type: "ANDROID", apple_info: null }],
  ])("that does not fit the infos leads to a 400: %j", async (body) => {
    const answer = await patch(body);
    const appType = "app_type" in body ? body.app_type : "IOS";
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `apple_info and android_info do not fit app_type ${appType}.`,
    ]);
    expect(service.emulator.state.applications[0]).toMatchObject({ appType: "IOS", updatedAt: null });
  });
});
