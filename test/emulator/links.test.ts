/** Links: the four operations that create them, suffixes, applications, updates, pages, and resolving URLs. */
import type { LifecycleStatus } from "../../testing/emulator";
import { named } from "./contract/contract";
import { expectAnswer, OWN, paths, useService } from "./service";

const service = useService();
const { get, post, patch } = service;
const basic = { dynamic_link_url: "https://shop.example/new", dynamic_link_name: "New" };
const links = `${paths.project}/links`;
const ofProject = { project_id: OWN.project };
const DOMAIN_URL = "https://GO.shop.example/";

function onApple(id: string) {
  return { apple_options: { application_id: id } };
}

function onAndroid(id: string) {
  return { android_options: { application_id: id } };
}

const WAYS: [way: string, path: string, more: object][] = [
  ["core", "/core/link", ofProject],
  ["core on a custom domain", "/core/link", { ...ofProject, custom_domain_id: OWN.domain }],
  ["project", links, {}],
  ["custom domain", `/custom-domains/${OWN.domain}/links`, {}],
  ["unified", "/links", ofProject],
  ["unified on a custom domain", "/links", { ...ofProject, custom_domain_url: DOMAIN_URL }],
];

const STATUSES = named("LifecycleStatus").enum as readonly LifecycleStatus[];

describe.each(WAYS)("a link that is created as %s", (way, path, more) => {
  const onDomain = way.includes("custom domain");
  const create = (fields: object = {}) => post(path, { ...basic, ...more, ...fields });

  test("is on its hostname, and opens the applications of its project if the way infers them", async () => {
    const hostname = onDomain ? "go.shop.example" : "shop.links.example";
    const isInferred = way.startsWith("core");
    await expectAnswer(create({ dynamic_link_suffix: "new" }), 201, {
      custom_domain_id: onDomain ? OWN.domain : null,
      domain_type: onDomain ? "CUSTOM" : "DEFAULT",
      hostname,
      short_url: `https://${hostname}/new`,
      applications: {
        apple: isInferred ? { id: OWN.ios } : null,
        android: isInferred ? { id: OWN.android } : null,
      },
    });
  });

  test("has a suffix that is free on its host, by default a generated one", async () => {
    const suffixes = [(await create()).body.suffix, (await create()).body.suffix];
    expect(suffixes).toEqual([1, 2].map(() => expect.stringMatching(/^[A-Za-z0-9]{8}$/)));
    expect(suffixes[0]).not.toBe(suffixes[1]);
    const [taken, free] = onDomain ? ["sale", "home"] : ["home", "sale"];
    await expectAnswer(create({ dynamic_link_suffix: taken }), 409, "Suffix already exists.");
    await expectAnswer(create({ dynamic_link_suffix: free }), 201);
  });

  test("on a custom domain needs the Pro entitlement, and a domain that is active", async () => {
    const expectCreate = (status: number, message: string) =>
      onDomain ? expectAnswer(create(), status, message) : expectAnswer(create(), 201);
    service.emulator.setPro(OWN.project, false);
    await expectCreate(403, "Links on custom domains require an active Pro entitlement.");
    service.emulator.setPro(OWN.project, true);
    for (const status of STATUSES.filter((each) => each !== "ACTIVE")) {
      service.emulator.setDomainStatus(OWN.domain, status);
      await expectCreate(409, "Custom domain is not active.");
    }
  });
});

const OTHER_PROJECT = "Custom domain belongs to another project.";
test.each([
  ["/core/link", { custom_domain_id: OWN.secondDomain }, 400, OTHER_PROJECT],
  ["/links", { custom_domain_url: "https://go.blog.example" }, 400, OTHER_PROJECT],
  ["/links", { custom_domain_url: "urn:x" }, 404, "Custom domain not found."],
  [links, onApple(OWN.secondIos), 400, "Application belongs to another project."],
  [links, onApple(OWN.android), 400, "Application is not of type IOS."],
  [links, onAndroid(OWN.ios), 400, "Application is not of type ANDROID."],
])("an invalid reference is rejected: %s %j", async (path, more, status, message) => {
  const project = path === links ? {} : ofProject;
  await expectAnswer(post(path, { ...basic, ...project, ...more }), status, message);
});

test("the oldest application of a platform is inferred, unless another one is given or there is none", async () => {
  const create = (applications: object, more: object = {}) =>
    expectAnswer(post("/core/link", { ...basic, ...ofProject, ...more }), 201, { applications });
  const { id } = service.emulator.createApplication(OWN.project, { appType: "IOS" });
  await create({ apple: { id: OWN.ios } });
  await create({ apple: { id } }, onApple(id));
  await create({ apple: { id: OWN.secondIos }, android: null }, { project_id: OWN.secondProject });
});

describe("a suffix", () => {
  test.each([
    ["dynamic_link_suffix=home", false],
    [`dynamic_link_suffix=home&custom_domain_id=${OWN.domain}`, true],
  ])("is checked for availability: %s", async (query, available) => {
    const answer = get(`/core/link/availability?project_id=${OWN.project}&${query}`);
    await expectAnswer(answer, 200, { available });
  });

  test("of any characters leads to a valid short URL that resolves", async () => {
    const { id, short_url } = (await post(links, { ...basic, dynamic_link_suffix: "ä /?#%\ud800" })).body;
    expect(short_url).toBe("https://shop.links.example/%C3%A4%20%2F%3F%23%25%EF%BF%BD");
    await expectAnswer(resolve(String(short_url)), 200, { id });
  });
});

describe("an update of a link", () => {
  const update = (status: number, change: object, expected: object = change) =>
    expectAnswer(patch(paths.link, change), status, expected);

  test("replaces options as a whole, with the applications that they name", async () => {
    const apple_options = { application_id: OWN.ios, apple_action: "open" };
    await update(200, { apple_options }, { applications: { apple: { id: OWN.ios } } });
    await update(200, onAndroid(OWN.android));
    const applications = { apple: null, android: { id: OWN.android } };
    const replaced = await update(200, { apple_options: { request_uri: "/x" } }, { applications });
    expect(replaced.apple_options).toEqual({ request_uri: "/x" });
    await update(200, { android_options: null }, { applications: { android: null } });
  });

  test("without stats_flag resets it", async () => {
    await update(200, { stats_flag: true });
    await update(200, { dynamic_link_name: "x" }, { stats_flag: false });
  });

  test("cannot use another link's suffix, but can keep its own", async () => {
    await post(links, { ...basic, dynamic_link_suffix: "new" });
    await update(409, { dynamic_link_suffix: "new" }, {});
    await update(200, { dynamic_link_suffix: "home" }, { suffix: "home" });
  });

  test("with an invalid application changes nothing", async () => {
    await update(400, { dynamic_link_name: "x", ...onApple(OWN.secondIos) }, {});
    await expectAnswer(get(paths.link), 200, { dynamic_link_name: "Home", updated_at: null });
  });
});

test("a link of a project without a sub-domain is on the shared host", async () => {
  service.emulator.updateProject(OWN.project, { subDomain: null });
  await expectAnswer(get(paths.link), 200, { short_url: "https://links.example/home" });
});

function resolve(url: string) {
  return get(`/links/resolve?url=${encodeURIComponent(url)}`);
}

test.each([
  ["https://shop.links.example/home", 200, { id: OWN.link }],
  ["https://go.shop.example/sale", 200, { id: OWN.domainLink }],
  ["https://go.shop.example/home", 404, "Link not found."],
  ["home", 400, ['url must match format "uri"']],
  ["https://p1b000000.links.example/theirs", 404, "Link not found."],
  // It is not ready.
  ["https://shop.links.example/later", 404, "Link not found."],
])("resolving %s leads to %d", async (url, status, expected) => {
  const later = { name: "x", url: "https://x.example/", suffix: "later", ready: false };
  service.emulator.createLink(OWN.project, later);
  await expectAnswer(resolve(url), status, expected);
});

describe("pages of links", () => {
  const names = (body: Record<string, unknown>) =>
    (body.links as { dynamic_link_name: string }[]).map((one) => one.dynamic_link_name);
  const many = (count: number, more: object = {}) => {
    for (let index = 1; index <= count; index += 1) {
      const link = { name: `${index}`, url: "https://x.example/", ...more };
      service.emulator.createLink(OWN.secondProject, link);
    }
  };
  const list = (query = "") => get(`${paths.secondProject}/links${query}`);

  test.each([
    ["", 45, [20, 20, 5]],
    ["limit=2&", 5, [2, 2, 1]],
    ["limit=5&", 5, [5]],
  ])("with %j together contain every link once", async (query, count, sizes) => {
    many(count);
    const pages: string[][] = [];
    let cursor: unknown;
    while (cursor !== null) {
      const { body } = await list(`?${query}${cursor === undefined ? "" : `cursor=${cursor}`}`);
      pages.push(names(body));
      cursor = body.next_cursor;
    }
    expect(pages.map(({ length }) => length)).toEqual(sizes);
    expect(pages.flat()).toEqual(Array.from({ length: count }, (_, index) => `${index + 1}`));
  });

  test("of a project include the links of its custom domains, and those of a domain only its own", async () => {
    many(1);
    many(1, { hostname: "go.blog.example" });
    expect(names((await list()).body)).toEqual(["1", "1"]);
    const own = { links: [{ custom_domain_id: OWN.secondDomain }] };
    await expectAnswer(get(`/custom-domains/${OWN.secondDomain}/links`), 200, own);
  });

  test("have opaque cursors, which no other list accepts", async () => {
    many(2);
    const { next_cursor } = (await list("?limit=1")).body;
    expect(next_cursor).toEqual(expect.stringMatching(/^[A-Za-z0-9_-]+$/));
    expect(next_cursor).not.toContain(OWN.secondProject);
    await expectAnswer(get(`${links}?cursor=${next_cursor}`), 400, ["cursor is invalid"]);
    for (const cursor of ["", "x", "AAAA"]) await expectAnswer(list(`?cursor=${cursor}`), 400);
  });
});
