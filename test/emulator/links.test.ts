/** Links: the four operations that create them, suffixes, applications, updates, pages, and resolving URLs. */
import {
  ANDROID,
  DOMAIN,
  DOMAIN_LINK,
  FOREIGN,
  IOS,
  LINK,
  NOWHERE,
  ORGANIZATION,
  PROJECT,
  paths,
  SECOND_DOMAIN,
  SECOND_IOS,
  SECOND_PROJECT,
  useService,
} from "./service";

const service = useService();
const basic = { dynamic_link_url: "https://shop.example/new", dynamic_link_name: "New" };
const links = `${paths.project}/links`;
const domainLinks = `/custom-domains/${DOMAIN}/links`;

/** The options of a link that opens an application. */
function onApple(id: string) {
  return { apple_options: { application_id: id } };
}

function onAndroid(id: string) {
  return { android_options: { application_id: id } };
}

/** The requests that create a link, on the default domain or on a custom one. */
const WAYS: [way: string, path: string, more: object, domain: boolean][] = [
  ["core", "/core/link", { project_id: PROJECT }, false],
  ["core with a null domain", "/core/link", { project_id: PROJECT, custom_domain_id: null }, false],
  ["core on a custom domain", "/core/link", { project_id: PROJECT, custom_domain_id: DOMAIN }, true],
  ["project", links, {}, false],
  ["custom domain", domainLinks, {}, true],
  ["unified", "/links", { project_id: PROJECT }, false],
  ["unified with a null domain", "/links", { project_id: PROJECT, custom_domain_url: null }, false],
  [
    "unified on a custom domain",
    "/links",
    { project_id: PROJECT, custom_domain_url: "https://GO.shop.example/" },
    true,
  ],
];

describe.each(WAYS)("a link that is created as %s", (way, path, more, onDomain) => {
  const create = (fields: object = {}) => service.post(path, { ...basic, ...more, ...fields });

  test("has every field of the interface", async () => {
    service.emulator.setBehaviour({ inferApplications: false });
    const { status, body } = await create({ dynamic_link_suffix: "new" });
    expect(status).toBe(201);
    const hostname = onDomain ? "go.shop.example" : "shop.links.example";
    expect(body).toEqual({
      id: expect.any(String),
      organization_id: ORGANIZATION,
      project_id: PROJECT,
      custom_domain_id: onDomain ? DOMAIN : null,
      domain_type: onDomain ? "CUSTOM" : "DEFAULT",
      hostname,
      suffix: "new",
      short_url: `https://${hostname}/new`,
      dynamic_link_url: "https://shop.example/new",
      dynamic_link_name: "New",
      apple_options: null,
      android_options: null,
      applications: { apple: null, android: null },
      additional_options: null,
      stats_flag: false,
      created_at: expect.any(String),
      updated_at: null,
    });
    expect((await service.get(`/links/${body.id}`)).body).toEqual(body);
  });

  test("keeps its options", async () => {
    const options = {
      apple_options: {
        apple_action: "open",
        application_id: IOS,
        request_uri: "/x",
        application_info: { app_name: "Shop" },
        not_installed_options: { not_installed_options_action: "store", custom_url: null },
        apple_advanced_options: { ipad_option: true, at: "x" },
      },
      android_options: { application_id: ANDROID, android_advanced_options: { version: "1" } },
      additional_options: { preview_title: "New", utm_source: "x", skip_app_preview: true },
      stats_flag: true,
    };
    const { body } = await create(options);
    expect(body).toMatchObject(options);
    expect(body.applications).toMatchObject({
      apple: { id: IOS, app_type: "IOS", apple_info: { app_name: "Shop" }, android_info: null },
      android: { id: ANDROID, app_type: "ANDROID", apple_info: null, android_info: { app_scheme: "shop" } },
    });
  });

  test("gets a generated suffix if it has none", async () => {
    const suffixes = [(await create()).body.suffix, (await create()).body.suffix];
    expect(suffixes).toEqual([1, 2].map(() => expect.stringMatching(/^[A-Za-z0-9]{8}$/)));
    expect(suffixes[0]).not.toBe(suffixes[1]);
  });

  test("cannot have a suffix that exists on the host", async () => {
    const taken = onDomain ? "sale" : "home";
    expect(await create({ dynamic_link_suffix: taken })).toMatchObject({
      status: 409,
      body: { message: "Suffix already exists." },
    });
    expect((await create({ dynamic_link_suffix: onDomain ? "home" : "sale" })).status).toBe(201);
  });

  test("opens the project's applications only if it is a core link", async () => {
    const infers = way.startsWith("core");
    const { body } = await create();
    expect(body.applications).toMatchObject({
      apple: infers ? { id: IOS } : null,
      android: infers ? { id: ANDROID } : null,
    });
  });

  test.each([
    ["does not exist", onApple(NOWHERE), 404, "Application not found."],
    ["is not an id", onApple("x"), 404, "Application not found."],
    ["is of another project", onApple(SECOND_IOS), 400, "Application belongs to another project."],
    ["is of another platform", onApple(ANDROID), 400, "Application is not of type IOS."],
    ["is of another platform", onAndroid(IOS), 400, "Application is not of type ANDROID."],
  ])("cannot open an application that %s", async (_, options, status, message) => {
    expect(await create(options)).toMatchObject({ status, body: { message } });
  });

  test(`${onDomain ? "needs the" : "does not need the"} Pro entitlement`, async () => {
    service.emulator.setPro(PROJECT, false);
    expect(await create()).toMatchObject(
      onDomain
        ? { status: 403, body: { message: "Links on custom domains require an active Pro entitlement." } }
        : { status: 201 },
    );
  });

  test.each([
    "PENDING_PROVIDER",
    "PENDING_DNS",
    "PENDING_CERTIFICATE",
    "FAILED",
    "EXPIRED",
    "DELETING",
  ] as const)(`${onDomain ? "needs" : "does not need"} an active domain: %s`, async (status) => {
    service.emulator.setDomainStatus(DOMAIN, status);
    expect(await create()).toMatchObject(
      onDomain ? { status: 409, body: { message: "Custom domain is not active." } } : { status: 201 },
    );
  });
});

describe("an application_id that names no application", () => {
  const create = async (options: object) => await service.post(links, { ...basic, ...options });

  test.each(["x", NOWHERE, FOREIGN.application, ""])("is text if configured: %j", async (id) => {
    service.emulator.setBehaviour({ linkApplicationId: "text" });
    const { status, body } = await create({ ...onApple(id), ...onAndroid(id) });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...onApple(id),
      ...onAndroid(id),
      applications: { apple: null, android: null },
    });
    expect((await service.patch(`/links/${body.id}`, onApple(id))).status).toBe(200);
  });

  test.each([
    [IOS, 201],
    [SECOND_IOS, 400],
    [ANDROID, 400],
  ])("is not the one of an application of the organization: %s leads to %d", async (id, status) => {
    service.emulator.setBehaviour({ linkApplicationId: "text" });
    const answer = await create(onApple(id));
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.applications).toMatchObject({ apple: { id } });
  });
});

describe("updated_at of a link", () => {
  test.each([
    ["afterUpdate", null, "update"],
    ["fromCreation", "creation", "update"],
    ["never", null, null],
  ] as const)("can be set: %s", async (nullableUpdatedAt, created, updated) => {
    service.emulator.setBehaviour({ nullableUpdatedAt });
    const { body } = await service.post(links, basic);
    expect(body.updated_at).toBe(created === "creation" ? body.created_at : created);
    service.emulator.clock.advance(5_000);
    const { updated_at } = (await service.patch(`/links/${body.id}`, { dynamic_link_name: "Newer" })).body;
    expect(updated === null ? updated_at : String(updated_at) > String(body.created_at)).toBe(
      updated && true,
    );
  });
});

describe("an invalid reference", () => {
  test.each([
    ["/core/link", { custom_domain_id: SECOND_DOMAIN }, 400, "Custom domain belongs to another project."],
    ["/core/link", { custom_domain_id: NOWHERE }, 404, "Custom domain not found."],
    ["/core/link", { project_id: NOWHERE }, 404, "Project not found."],
    [
      "/links",
      { custom_domain_url: "https://go.blog.example" },
      400,
      "Custom domain belongs to another project.",
    ],
    ["/links", { custom_domain_url: "https://nobody.example" }, 404, "Custom domain not found."],
    ["/links", { custom_domain_url: "urn:x" }, 404, "Custom domain not found."],
    ["/links", { project_id: NOWHERE }, 404, "Project not found."],
  ])("is rejected: %s %j", async (path, more, status, message) => {
    expect(await service.post(path, { ...basic, project_id: PROJECT, ...more })).toMatchObject({
      status,
      body: { message },
    });
  });

  test("does not result from two projects with the same hostname", async () => {
    service.emulator.createCustomDomain(SECOND_PROJECT, { hostname: "go.shop.example" });
    const { body } = await service.post("/links", {
      ...basic,
      project_id: SECOND_PROJECT,
      custom_domain_url: "https://go.shop.example",
    });
    expect(body).toMatchObject({ project_id: SECOND_PROJECT, hostname: "go.shop.example" });
  });
});

describe("the inference of applications", () => {
  const create = async (more: object = {}) =>
    (await service.post("/core/link", { ...basic, project_id: PROJECT, ...more })).body.applications;

  test("uses the oldest application of a platform", async () => {
    service.emulator.createApplication(PROJECT, { appType: "IOS", appleInfo: { appName: "Younger" } });
    expect(await create()).toMatchObject({ apple: { id: IOS } });
  });

  test("does not override an explicit application", async () => {
    const { id } = service.emulator.createApplication(PROJECT, { appType: "IOS" });
    expect(await create(onApple(id))).toMatchObject({ apple: { id } });
  });

  test("is null for a platform without applications", async () => {
    expect(await create({ project_id: SECOND_PROJECT })).toMatchObject({
      apple: { id: SECOND_IOS },
      android: null,
    });
  });
});

describe("a suffix", () => {
  const available = (query: string) => service.get(`/core/link/availability?project_id=${PROJECT}&${query}`);

  test.each([
    ["dynamic_link_suffix=home", false],
    ["dynamic_link_suffix=sale", true],
    ["dynamic_link_suffix=Home", true],
    [`dynamic_link_suffix=home&custom_domain_id=${DOMAIN}`, true],
    [`dynamic_link_suffix=sale&custom_domain_id=${DOMAIN}`, false],
  ])("is checked for availability: %s", async (query, expected) => {
    expect(await available(query)).toMatchObject({ status: 200, body: { available: expected } });
  });

  test.each([
    ["", 400],
    ["dynamic_link_suffix=", 400],
    [`dynamic_link_suffix=x&custom_domain_id=${SECOND_DOMAIN}`, 400],
    [`dynamic_link_suffix=x&custom_domain_id=${NOWHERE}`, 404],
    ["dynamic_link_suffix=x&custom_domain_id=x", 400],
  ])("is not checked for availability with an invalid query: %s", async (query, status) => {
    expect((await available(query)).status).toBe(status);
  });

  test("is generated with the configured length, or longer if that is in use", async () => {
    service.emulator.setBehaviour({ generatedSuffixLength: 1 });
    const suffixes: string[] = [];
    for (let index = 0; index < 70; index += 1) {
      suffixes.push(String((await service.post(links, basic)).body.suffix));
    }
    expect(suffixes[0]).toHaveLength(1);
    expect(new Set(suffixes).size).toBe(70);
    expect(suffixes.filter(({ length }) => length === 1).length).toBeLessThanOrEqual(62);
  });

  test("of any characters leads to a valid short URL that resolves", async () => {
    const { body } = await service.post(links, { ...basic, dynamic_link_suffix: "ä /?#%\ud800" });
    expect(body.short_url).toBe("https://shop.links.example/%C3%A4%20%2F%3F%23%25%EF%BF%BD");
    const resolved = await service.get(`/links/resolve?url=${encodeURIComponent(String(body.short_url))}`);
    expect(resolved.body.id).toBe(body.id);
  });
});

describe("an update of a link", () => {
  const update = (body: object) => service.patch(`/links/${LINK}`, body);

  test("changes only the given fields and updated_at", async () => {
    const before = (await service.get(`/links/${LINK}`)).body;
    const { status, body } = await update({ dynamic_link_name: "Start", dynamic_link_suffix: "start" });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      dynamic_link_name: "Start",
      suffix: "start",
      short_url: "https://shop.links.example/start",
      updated_at: expect.any(String),
    });
    expect((await update({ dynamic_link_url: "https://x.example/" })).body.dynamic_link_url).toBe(
      "https://x.example/",
    );
  });

  test("replaces options as a whole, and removes them with null", async () => {
    await update({
      apple_options: { application_id: IOS, apple_action: "open" },
      additional_options: { utm_source: "x" },
    });
    await update(onAndroid(ANDROID));
    const replaced = await update({ apple_options: { request_uri: "/x" }, additional_options: null });
    expect(replaced.body).toMatchObject({
      apple_options: { request_uri: "/x" },
      android_options: { application_id: ANDROID },
      additional_options: null,
      applications: { apple: null, android: { id: ANDROID } },
    });
    expect((await update({ android_options: null })).body).toMatchObject({
      android_options: null,
      applications: { android: null },
    });
  });

  test.each([
    ["reset", false],
    ["keep", true],
  ] as const)("without stats_flag: %s", async (absentStatsFlag, expected) => {
    service.emulator.setBehaviour({ absentStatsFlag });
    expect((await update({ stats_flag: true })).body.stats_flag).toBe(true);
    expect((await update({ dynamic_link_name: "x" })).body.stats_flag).toBe(expected);
  });

  test("cannot use another link's suffix, but can keep its own", async () => {
    await service.post(links, { ...basic, dynamic_link_suffix: "new" });
    expect((await update({ dynamic_link_suffix: "new" })).status).toBe(409);
    expect((await update({ dynamic_link_suffix: "home" })).status).toBe(200);
  });

  test("is allowed on a custom domain in any status", async () => {
    service.emulator.setDomainStatus(DOMAIN, "EXPIRED");
    service.emulator.setPro(PROJECT, false);
    expect((await service.patch(`/links/${DOMAIN_LINK}`, { dynamic_link_name: "x" })).status).toBe(200);
  });

  test.each([
    [onApple(SECOND_IOS), 400],
    [onApple(NOWHERE), 404],
  ])("with an invalid application changes nothing: %j", async (body, status) => {
    expect((await update({ dynamic_link_name: "x", ...body })).status).toBe(status);
    expect((await service.get(`/links/${LINK}`)).body).toMatchObject({
      dynamic_link_name: "Home",
      updated_at: null,
    });
  });
});

describe("a link", () => {
  test("that is deleted is not found, and its suffix is available", async () => {
    expect((await service.remove(`/links/${LINK}`)).status).toBe(204);
    expect((await service.get(`/links/${LINK}`)).body.message).toBe("Link not found.");
    expect((await service.remove(`/links/${LINK}`)).status).toBe(404);
    expect((await service.post(links, { ...basic, dynamic_link_suffix: "home" })).status).toBe(201);
  });

  test.each([
    ["atOnce", [true, true]],
    [{ afterPolls: 2 }, [false, false, false, true]],
    ["never", [false, false, false, false]],
  ] as const)("has a short URL %j", async (shortUrlAppears, expected) => {
    service.emulator.setBehaviour({ shortUrlAppears });
    const { body } = await service.post(links, basic);
    const seen = [body.short_url !== null];
    while (seen.length < expected.length)
      seen.push((await service.get(`/links/${body.id}`)).body.short_url !== null);
    expect(seen).toEqual(expected);
  });

  test("of a project without a sub-domain is on the shared host", async () => {
    service.emulator.updateProject(PROJECT, { subDomain: null });
    expect((await service.get(`/links/${LINK}`)).body.short_url).toBe("https://links.example/home");
  });
});

describe("resolving a URL", () => {
  const resolve = (url: string) => service.get(`/links/resolve?url=${encodeURIComponent(url)}`);

  test.each([
    ["https://shop.links.example/home", LINK],
    ["https://go.shop.example/sale", DOMAIN_LINK],
  ])("finds the link of %s", async (url, id) => {
    expect(await resolve(url)).toMatchObject({ status: 200, body: { id, short_url: url } });
  });

  test.each([
    ["https://shop.links.example/nothing", 404],
    ["https://go.shop.example/home", 404],
    ["http://shop.links.example/home", 404],
    ["home", 400],
    ["", 400],
    [`https://x.example/${"x".repeat(2031)}`, 400],
    [`https://x.example/${"x".repeat(2030)}`, 404],
  ])("does not find %s", async (url, status) => {
    expect((await resolve(url)).status).toBe(status);
  });

  test("does not find a link that is not ready", async () => {
    service.emulator.createLink(PROJECT, {
      name: "x",
      url: "https://x.example/",
      suffix: "later",
      ready: false,
    });
    expect((await resolve("https://shop.links.example/later")).status).toBe(404);
  });
});

describe("pages of links", () => {
  const names = (body: Record<string, unknown>) =>
    (body.links as { dynamic_link_name: string }[]).map((one) => one.dynamic_link_name);
  const many = (count: number, more = {}) => {
    for (let index = 1; index <= count; index += 1) {
      service.emulator.createLink(SECOND_PROJECT, { name: `${index}`, url: "https://x.example/", ...more });
    }
  };
  const list = (query = "") => service.get(`${paths.secondProject}/links${query}`);

  test("have 20 links by default", async () => {
    many(45);
    const first = await list();
    expect(names(first.body)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 1}`));
    const second = await list(`?cursor=${first.body.next_cursor}`);
    expect(names(second.body)).toHaveLength(20);
    const third = await list(`?cursor=${second.body.next_cursor}`);
    expect(names(third.body)).toEqual(["41", "42", "43", "44", "45"]);
    expect(third.body.next_cursor).toBeNull();
  });

  test.each([1, 2, 3, 5, 100])("of size %d together contain every link once", async (limit) => {
    many(5);
    const seen: string[] = [];
    let cursor: unknown = "";
    let pages = 0;
    while (cursor !== null) {
      const { body } = await list(`?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...names(body));
      cursor = body.next_cursor;
      pages += 1;
    }
    expect(seen).toEqual(["1", "2", "3", "4", "5"]);
    expect(pages).toBe(Math.ceil(5 / limit));
  });

  test("do not shift when links are deleted or added", async () => {
    many(4);
    const first = await list("?limit=2");
    for (const { id, name } of service.emulator.state.links) {
      if (name === "1" || name === "2") service.emulator.deleteLink(id);
    }
    many(1);
    const second = await list(`?cursor=${first.body.next_cursor}`);
    expect(names(second.body)).toEqual(["3", "4", "1"]);
  });

  test("of a project include the links of its custom domains, and those of a domain only its own", async () => {
    many(1);
    many(1, { hostname: "go.blog.example" });
    expect(names((await list()).body)).toEqual(["1", "1"]);
    const { body } = await service.get(`/custom-domains/${SECOND_DOMAIN}/links`);
    expect(body.links).toMatchObject([{ custom_domain_id: SECOND_DOMAIN }]);
  });

  test.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "limit=", "cursor=x", "cursor=", "cursor=AAAA"])(
    "are rejected for %s",
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(400);
    },
  );

  test("are rejected for another list's cursor", async () => {
    many(2);
    const { body } = await list("?limit=1");
    const other = await service.get(`${links}?cursor=${body.next_cursor}`);
    expect(other).toMatchObject({ status: 400, body: { message: ["cursor is invalid"] } });
  });

  test("have opaque cursors", async () => {
    many(2);
    const { body } = await list("?limit=1");
    expect(body.next_cursor).toEqual(expect.stringMatching(/^[A-Za-z0-9_-]+$/));
    expect(body.next_cursor).not.toContain(SECOND_PROJECT);
  });
});
