/**
 * The emulator's page. It asks for an overview again and again, and shows what has changed. Everything that it shows is
 * set as text, so that no name is interpreted as HTML.
 */

const UPDATE_MS = 1000;

/** Effects to choose from, as the controls take them. Any other can be entered. */
const EFFECTS = {
  "503, try again": { status: 503, retryAfter: 1 },
  "429, rate limit": { status: 429, retryAfter: 1 },
  "500 after the effect": { status: 500, afterEffect: true },
  "404 from a proxy": { foreign: 404 },
  "late by 5 seconds": { delayMs: 5000 },
  "no response": { hang: true },
  "reset before the effect": { reset: "before" },
  "reset after the effect": { reset: "after" },
  "not JSON": { malformed: true },
  "cut off": { truncated: true },
};

const TONES = {
  ACTIVE: "good",
  FAILED: "bad",
  EXPIRED: "bad",
  blocked: "bad",
  revoked: "bad",
};

/** Each table: its title, the columns with the class of their cells, and the text of an empty one. */
const TABLES = {
  organizations: {
    title: "Organizations and keys",
    columns: { Organization: "fixed code", Status: "fixed", Key: "fixed code", Scopes: "text" },
    empty: "No organizations. Add some with a seed.",
    rows: ({ organizations, credentials, scopes }) =>
      organizations.flatMap(({ id, blocked }) => {
        const keys = credentials.filter(({ organizationId }) => organizationId === id);
        const cells = (key) => [
          id,
          badge(blocked ? "blocked" : key?.revoked ? "revoked" : "active", "good"),
          key === undefined ? "no key" : `${key.keyPrefix}…`,
          key === undefined
            ? ""
            : key.scopes.length === scopes.length
              ? "all"
              : key.scopes.join(", ") || "none",
        ];
        return keys.length === 0
          ? [{ key: id, cells: cells() }]
          : keys.map((one) => ({ key: one.id, cells: cells(one) }));
      }),
  },
  projects: {
    title: "Projects",
    columns: {
      Name: "pair name",
      "Sub-domain": "text",
      Message: "text",
      Pro: "fixed",
    },
    empty: "No projects.",
    rows: ({ projects }) =>
      projects.map((one) => ({
        key: one.id,
        cells: [[one.name, one.id], one.subDomain, one.defaultHookupMsg, one.pro ? "yes" : "no"],
      })),
  },
  applications: {
    title: "Applications",
    columns: {
      Name: "pair name",
      Platform: "fixed",
      Identifier: "text",
      Project: "plain",
    },
    empty: "No applications.",
    rows: ({ applications, projects }) =>
      applications.map((one) => {
        const info = one.appleInfo ?? one.androidInfo ?? {};
        const identifier = info.bundleId ?? info.appPackageName;
        return {
          key: one.id,
          cells: [[info.appName ?? "–", one.id], one.appType, identifier, nameOf(projects, one)],
        };
      }),
  },
  domains: {
    title: "Custom domains",
    columns: {
      Hostname: "pair name",
      Status: "fixed",
      Change: "actions",
      Project: "plain",
    },
    empty: "No custom domains.",
    rows: ({ customDomains, projects }) =>
      customDomains.map((one) => ({
        key: one.id,
        cells: [
          [one.hostname, one.id, `CNAME ${one.cnameTarget ?? "–"}`],
          badge(one.lifecycleStatus, "busy"),
          nameOf(projects, one),
        ],
        actions: {
          Advance: () => act("POST", `domains/${one.id}/advance`, undefined, `Advanced ${one.hostname}.`),
          Fail: () =>
            act("POST", `domains/${one.id}/status`, { status: "FAILED" }, `Failed ${one.hostname}.`),
        },
      })),
  },
  links: {
    title: "Links",
    columns: { Name: "pair name", "Short URL": "text", Destination: "text", Project: "plain" },
    empty: "No links.",
    rows: ({ links, projects }) =>
      links.map((one) => ({
        key: one.id,
        cells: [[one.name, one.id], one.ready ? one.shortUrl : "not ready", one.url, nameOf(projects, one)],
      })),
  },
  faults: {
    title: "Faults to be applied",
    columns: { Operation: "name", Effect: "code", Requests: "fixed", Skips: "fixed" },
    empty: "None.",
    actions: { "Remove all": () => act("DELETE", "faults", undefined, "Removed all faults.") },
    rows: ({ faults }) =>
      faults.map(({ operation = "*", effect, count, skip }, index) => ({
        key: String(index),
        cells: [[operation].flat().join(", "), JSON.stringify(effect), count ?? "all", skip],
      })),
  },
  requests: {
    title: "Requests",
    columns: { Time: "fixed", Status: "fixed", Request: "pair", Key: "fixed code" },
    empty: "No requests yet.",
    actions: { Clear: () => act("DELETE", "requests", undefined, "Cleared the log.") },
    rows: ({ requests }) =>
      requests.map(({ number, time: at, status, method, operationId, target, fault, keyPrefix }) => ({
        key: `${number} ${at}`,
        cells: [
          at.slice(11, 23),
          status === null ? badge("none", "busy") : badge(status, status < 400 ? "good" : "bad"),
          [
            operationId ?? "unknown operation",
            `${method} ${target}`,
            ...(fault === null ? [] : [{ text: `Fault: ${JSON.stringify(fault)}`, className: "fault" }]),
          ],
          keyPrefix && `${keyPrefix}…`,
        ],
      })),
    count: ({ requestCount, requests }) =>
      requestCount > requests.length ? `latest ${requests.length} of ${requestCount}` : requestCount,
  },
};

let etag = "";
let clockAheadMs = 0;
let timer;

for (const [name, { title, columns, actions = {} }] of Object.entries(TABLES)) {
  const heading = element("h2", {}, title, " ", element("span"));
  const head = Object.entries(columns).map(([column, kind]) =>
    element("th", { scope: "col", className: kind === "actions" ? "actions" : "" }, column),
  );
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody"));
  const scroll = element(
    "div",
    { className: "scroll", tabIndex: 0, role: "region", ariaLabel: title },
    table,
  );
  const buttons = Object.entries(actions).map(([text, onclick]) =>
    element("button", { type: "button", onclick }, text),
  );
  sectionOf(name).append(heading, scroll, ...buttons);
}

const form = document.getElementById("fault");
form.preset.append(...Object.keys(EFFECTS).map((text) => element("option", {}, text)));
form.preset.onchange = showPreset;
form.onsubmit = addFault;
showPreset();

for (const button of document.querySelectorAll("[data-advance]"))
  button.onclick = () =>
    act(
      "POST",
      "clock/advance",
      { milliseconds: Number(button.dataset.advance) },
      `Moved the clock by ${button.textContent}.`,
    );

const confirm = document.getElementById("confirm");
document.getElementById("reset").onclick = () => {
  confirm.returnValue = "";
  confirm.showModal();
};
confirm.onclose = () => {
  if (confirm.returnValue === "reset") act("POST", "reset", undefined, "Reset.");
};

document.addEventListener("visibilitychange", update);
setInterval(showClock, 250);
update();

/** Asks for the overview, shows it if it has changed, and asks again later. */
async function update() {
  clearTimeout(timer);
  if (document.hidden) return;
  const connection = document.getElementById("connection");
  try {
    const response = await fetch("_emulator/overview", {
      headers: { "if-none-match": etag },
      cache: "no-store",
    });
    clockAheadMs = Date.parse(response.headers.get("x-emulator-time")) - Date.now();
    if (response.status !== 304) {
      show(await response.json(), etag !== "");
      etag = response.headers.get("etag");
    }
    connection.textContent = location.origin;
    connection.className = "";
  } catch {
    connection.textContent = `${location.origin} does not respond. Has the emulator been stopped?`;
    connection.className = "lost";
  }
  clearTimeout(timer);
  timer = setTimeout(update, UPDATE_MS);
}

function show(overview, isLater) {
  for (const [name, { columns, rows, count = () => undefined, empty }] of Object.entries(TABLES)) {
    const section = sectionOf(name);
    const items = rows(overview);
    section.querySelector("h2 span").textContent = count(overview) ?? items.length;
    for (const button of section.querySelectorAll(":scope > button")) button.hidden = items.length === 0;
    const kinds = Object.values(columns);
    const shown = items.length > 0 ? items : [{ key: "none", cells: [empty] }];
    showRows(section.querySelector("tbody"), shown, items.length > 0 ? kinds : ["none"], isLater);
    if (items.length === 0) section.querySelector("td").colSpan = kinds.length;
  }
  if (form.operation.length === 1)
    form.operation.append(...overview.operations.map((text) => element("option", {}, text)));
}

/** Shows items as rows. A row stays the same element, so that it keeps the focus. */
function showRows(body, items, kinds, isLater) {
  const old = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const rows = items.map(({ key, cells, actions }) => {
    const row = old.get(key) ?? newRow(key, kinds, actions, isLater);
    old.delete(key);
    const targets = [...row.cells].filter((cell) => !cell.classList.contains("actions"));
    cells.forEach((value, index) => {
      showValue(targets[index], value, isLater && !row.classList.contains("changed"));
    });
    return row;
  });
  for (const row of old.values()) row.remove();
  rows.forEach((row, index) => {
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
  });
}

function newRow(key, kinds, actions = {}, isLater) {
  const row = element("tr", {}, ...kinds.map((className) => element("td", { className })));
  row.dataset.key = key;
  if (isLater) mark(row);
  const buttons = Object.entries(actions).map(([text, onclick]) =>
    element("button", { type: "button", onclick }, text),
  );
  row.querySelector(".actions")?.append(...buttons);
  return row;
}

/** Shows a value in a cell: a text, a list of texts, or a badge. */
function showValue(cell, value, isLater) {
  const parts = [value]
    .flat()
    .map((part) => (typeof part === "object" && part !== null ? part : { text: part }));
  const texts = parts.map(({ text }) => String(text ?? "–"));
  if (
    cell.childElementCount === texts.length &&
    texts.every((text, index) => cell.children[index].textContent === text)
  )
    return;
  cell.replaceChildren(
    ...parts.map(({ className = "" }, index) => element("span", { className, dir: "auto" }, texts[index])),
  );
  if (isLater) mark(cell);
}

function mark(target) {
  target.classList.add("changed");
  setTimeout(() => target.classList.remove("changed"), 3000);
}

function showClock() {
  const clock = document.getElementById("clock");
  clock.dateTime = new Date(Date.now() + clockAheadMs).toISOString();
  clock.textContent = time(clock.dateTime);
}

function showPreset() {
  form.effect.value = JSON.stringify(EFFECTS[form.preset.value]);
}

function addFault(event) {
  event.preventDefault();
  const { operation, count, effect } = form;
  let parsed;
  try {
    parsed = JSON.parse(effect.value);
  } catch {
    return report("The effect is not JSON.", true);
  }
  act(
    "POST",
    "faults",
    { operation: operation.value, count: Number(count.value), effect: parsed },
    `Added a fault to ${operation.selectedOptions[0].text}.`,
  );
}

/** Sends a request to the controls, and reports the result. */
async function act(method, path, body, done) {
  try {
    const response = await fetch(`_emulator/${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { message } = response.ok ? {} : await response.json();
    report(response.ok ? done : [message].flat().join("; "), !response.ok);
  } catch {
    report("The emulator does not respond.", true);
  }
  await update();
}

function report(text, isFailure) {
  const result = document.getElementById("result");
  result.textContent = text;
  result.className = isFailure ? "failed" : "";
}

function badge(value, otherwise) {
  const text = String(value);
  return { text, className: `badge ${TONES[text] ?? otherwise}` };
}

function nameOf(projects, { projectId }) {
  return projects.find(({ id }) => id === projectId)?.name;
}

/** A time of the emulator, without fractions of a second. */
function time(iso) {
  return iso.slice(0, 19).replace("T", " ");
}

function sectionOf(name) {
  return document.querySelector(`[data-table="${name}"]`);
}

function element(tag, properties = {}, ...children) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}
