/** The emulator's page: who gets it, what it may do, and, in a browser, what it shows and changes. */
import { exchange, OWN, paths, startService, useService } from "../service";
import { BROWSER, type Browser, type BrowserPage, startBrowser } from "./browser";

const service = useService({ controls: true, behaviour: { domainAdvance: "manual" } });

function get(path: string, headers: Record<string, string> = {}) {
  return exchange(`${service.emulator.url}${path}`, { headers: { accept: "text/html", ...headers } });
}

test.each([
  ["/", "text/html; charset=utf-8"],
  ["/_emulator/page.css", "text/css; charset=utf-8"],
  ["/_emulator/page.js", "text/javascript; charset=utf-8"],
])("%s is served as %s, may load nothing from elsewhere, and is not in the log", async (path, type) => {
  const { status, headers = {}, text } = await get(path);
  expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([
    200,
    type,
    "nosniff",
  ]);
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
  expect(text.length).toBeGreaterThan(1000);
  expect(service.emulator.requests).toEqual([]);
});

test("only browsers get the page at the address of the service", async () => {
  expect((await get("/", { accept: "application/json" })).status).toBe(404);
  expect(service.emulator.requests).toMatchObject([{ path: "/", status: 404 }]);
});

test.each(["/", "/_emulator/overview"])("%s is refused to other names and origins", async (path) => {
  expect((await get(path, { host: "evil.example" })).status).toBe(403);
  expect((await get(path, { origin: "https://evil.example" })).status).toBe(403);
});

test("without the controls there is no page", async () => {
  const { emulator } = await startService();
  expect((await fetch(emulator.url, { headers: { accept: "text/html" } })).status).toBe(404);
  await emulator.close();
});

test("the overview is sent again only after a change, and no fault applies to it", async () => {
  service.emulator.inject({ effect: { status: 503 } });
  const { headers, text } = await get("/_emulator/overview");
  const known = { "if-none-match": String(headers?.etag) };
  expect((await get("/_emulator/overview", known)).status).toBe(304);
  service.emulator.clock.advance(1000);
  const later = await get("/_emulator/overview", known);
  expect([later.status, Date.parse(String(later.headers?.["x-emulator-time"]))]).toEqual([
    304,
    expect.closeTo(service.emulator.clock.now().getTime(), -4),
  ]);
  await service.get(paths.project);
  const changed = JSON.parse((await get("/_emulator/overview", known)).text);
  expect([JSON.parse(text).requestCount, changed.requestCount]).toEqual([0, 1]);
  expect(changed.requests).toEqual([expect.objectContaining({ status: 503, fault: { status: 503 } })]);
  expect(changed.requests[0]).not.toHaveProperty("body");
});

test("the overview has the latest requests, newest first", async () => {
  await Promise.all(Array.from({ length: 201 }, () => service.get("/nothing")));
  await service.get("/last?a=1");
  const { requestCount, requests } = JSON.parse((await get("/_emulator/overview")).text);
  expect([requestCount, requests.length, requests[0].target, requests[0].number]).toEqual([
    202,
    200,
    "/api/v2/last?a=1",
    201,
  ]);
});

const inBrowser = BROWSER === undefined ? describe.skip : describe;

inBrowser("in a browser, which must be on PATH,", () => {
  const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  let browser: Browser;
  let page: BrowserPage;
  beforeAll(() => {
    browser = startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    service.emulator.updateProject(OWN.project, { name: HOSTILE });
    page = await browser.open(service.emulator.url);
    await page.until("document.querySelectorAll('[data-table=domains] tbody button').length > 0");
  });

  /** The texts of the rows of a table. */
  const rows = (table: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll("[data-table=${table}] tbody tr")].map((row) => row.innerText)`,
    );
  const shows = (table: string, text: string) =>
    page.until(
      `document.querySelector("[data-table=${table}] tbody").innerText.includes(${JSON.stringify(text)})`,
    );
  const click = (selector: string) =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);

  test("it shows everything that exists as text, and requests as they come", async () => {
    expect(await rows("projects")).toHaveLength(service.emulator.state.projects.length);
    expect((await rows("projects"))[0]).toContain(HOSTILE);
    expect(await page.evaluate("document.images.length + document.scripts.length")).toBe(1);
    await service.get(paths.project);
    await shows("requests", "getProject");
    service.emulator.deleteCustomDomain(OWN.domain);
    await page.until(`!document.body.innerText.includes("${OWN.domain}")`);
    expect(service.emulator.requests).toHaveLength(1);
    expect(page.problems).toEqual([]);
  });

  test("a domain advances with the keyboard, and the button keeps the focus", async () => {
    service.emulator.setDomainStatus(OWN.domain, "PENDING_DNS");
    await shows("domains", "PENDING_DNS");
    await page.evaluate("document.querySelector('[data-table=domains] tbody button').focus()");
    await page.press("Enter");
    await shows("domains", "PENDING_CERTIFICATE");
    await page.press("Enter");
    await page.until("!document.body.innerText.includes('PENDING_CERTIFICATE')");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Advance");
    expect(service.emulator.state.customDomains[0]?.lifecycleStatus).toBe("ACTIVE");
  });

  test("a fault is added, and shown at the request that it applies to", async () => {
    await page.until("document.getElementById('fault').operation.length > 30");
    await page.evaluate("document.getElementById('fault').operation.value = 'getProject'");
    await click("#fault [type=submit]");
    await shows("faults", "getProject");
    expect(service.emulator.faults).toMatchObject([
      { operation: "getProject", count: 1, effect: { status: 503 } },
    ]);
    await service.get(paths.project);
    await shows("requests", '{"status":503');
    expect(await rows("faults")).toEqual(["None."]);
  });

  test("an effect that does not exist is refused with the reason", async () => {
    await page.evaluate("document.getElementById('fault').effect.value = '{}'");
    await click("#fault [type=submit]");
    await page.until("document.getElementById('result').innerText.includes('effect.status is required')");
  });

  test("the clock moves, and a reset is confirmed first", async () => {
    const before = service.emulator.clock.now().getTime();
    await click("[data-advance='86400000']");
    await page.until("document.getElementById('result').innerText === 'Moved the clock by +1 day.'");
    expect(service.emulator.clock.now().getTime() - before).toBeGreaterThanOrEqual(86_400_000);
    await click("#reset");
    await click("#confirm [value=cancel]");
    // A reset would arrive before this.
    await click("[data-advance='60000']");
    await page.until("document.getElementById('result').innerText === 'Moved the clock by +1 min.'");
    expect(service.emulator.state.projects[0]?.name).toBe(HOSTILE);
    await click("#reset");
    await click("#confirm [value=reset]");
    await shows("projects", "Shop");
    expect(service.emulator.state.projects[0]?.name).toBe("Shop");
  });

  test("the emulator closes at once while the page is open, and the page says so", async () => {
    await service.emulator.close();
    await page.until("document.getElementById('connection').innerText.includes('does not respond')");
  });
});
