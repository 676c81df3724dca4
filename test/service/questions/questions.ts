/** A question to the service for each option of the emulator's behaviour. All objects are the run's own. */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { Unanswered } from "../gateway/gateway";
import { type Asked, AT_ONCE, type Fields, ifAvailable } from "./asked";
import { domainAdvance, domainOutcome, observeDeletion, observeDomain } from "./domains";
import { observeLag } from "./lag";

/** What is done for each question, and what to look for in the responses. */
export const ASKS: Readonly<Record<string, string>> = {
  deleteWithContents:
    "delete an application that a link opens, and projects with an application, a link or a domain: 409 or 204",
  patchInfo: "PATCH apple_info without app_store_id, which is set: it stays or is gone",
  nullInfoField: "PATCH apple_info with app_store_id null, which is set: it is gone or stays",
  absentInfoField: "create an iOS application without app_store_id: it is null or missing",
  deriveAppId: "create an iOS application with prefix and bundle id: app_id is set or not",
  uniqueNames:
    "create two projects with one name, also in capitals, and two custom domains with one hostname: 409 or 201",
  storedForm:
    "create a name, fingerprints and a hostname in an unusual spelling: all stay, or some are normalized",
  cnameTargetAppears: "read a new custom domain: cname_target is there at once, after some reads, or never",
  domainAdvance: "read a new custom domain: its status changes with reads alone, with time, or not",
  domainOutcome: "read a new custom domain until it is ACTIVE or FAILED",
  retryOutsideFailed: "retry a new custom domain: 409 or 200",
  deletingPolls: "delete a custom domain and read it: the number of reads before 404",
  readLag: "change a project and read it: it is changed at once, after some reads, or after a time",
  listLag: "change a project and list projects: it is changed at once, after some reads, or after a time",
  deletionsLag: "delete a project and read it: 404 or 200",
  writeLookups: "create a project and change it at once: 200 or 404",
  contentsOfLate: "create a project and list its applications: 200 or 404",
  nullableUpdatedAt: "create and change an application: updated_at is null before, in both, or in neither",
  timestampPrecision: "compare times in reads and in other responses: with fractions of a second or without",
  extraFields: "look at a logo and the records of a custom domain: more fields than documented or not",
  errorDetails: "read what does not exist: it has a message of its own or the field `error`, or neither",
  requestIds: "compare x-request-id with that of the request: the same, another one, or only in errors",
  dateHeader: "compare the header Date with created_at: the same second, missing, or earlier",
};

/** What is not asked of an option, or why nothing is: then it has no question. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  uniqueNames: "whether hostnames are unique across organizations, because that needs a second key",
  deleteWithContents: "what becomes of the links of a custom domain, because that needs an active domain",
  recordsAppear: "the records, because a domain need not show any before it is active",
  expiredRecords: "a domain that has expired, because that takes months",
  readLag: "a lag that did not occur in this run, also of lists",
  retryOutsideFailed: "a domain that has expired, because that takes months",
};

/** The questions. Each returns the value of the option. @throws Unanswered */
const QUESTIONS: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  async deleteWithContents({ callOnExisting: call, send, newProject, prefix, domain }) {
    const link = { dynamic_link_url: "https://shop.example/", dynamic_link_name: `${prefix}link` };
    const { id: project_id } = await newProject("full");
    const { id: application_id } = await send("createApplication", { project_id }, iosApplication(prefix));
    await send("createProjectLink", { project_id }, { ...link, apple_options: { application_id } });
    const statuses = [(await call("deleteApplication", { application_id })).status];
    const contents = [
      ["createApplication", { app_type: "WEB" }],
      ["createProjectLink", link],
      ["createCustomDomain", { hostname: `${prefix}full.${domain}` }],
    ] as const;
    for (const [operation, content] of contents) {
      const project = await newProject(`full by ${operation}`);
      const created = await ifAvailable(send(operation, { project_id: project.id }, content));
      if (created) statuses.push((await call("deleteProject", { project_id: project.id })).status);
    }
    return oneOf({ 409: "conflict", 204: "cascade" }, ...statuses);
  },
  patchInfo: async (asked) => ((await storeIdAfter(asked, {})) ? "merge" : "replace"),
  nullInfoField: async (asked) => ((await storeIdAfter(asked, { app_store_id: null })) ? "ignore" : "clear"),
  absentInfoField: async ({ once }) => ("app_store_id" in (await once(observeInfo)).info ? "null" : "omit"),
  deriveAppId: async ({ once }) => Boolean((await once(observeInfo)).info.app_id),
  async uniqueNames({ call, newProject, once, prefix }) {
    await newProject("unique");
    const statusOf = async (name: string) =>
      (await call("createProject", {}, { project_name: `${prefix}${name}` })).status;
    const status = await statusOf("unique");
    const { project_id, hostname } = (await ifAvailable(once(observeDomain))) ?? {};
    const again = project_id && (await call("createCustomDomain", { project_id }, { hostname }));
    const areUnique = oneOf({ 409: true, 201: false }, status, again ? again.status : status);
    if (!areUnique) return areUnique;
    return oneOf<true | "ignoringCase">({ 409: "ignoringCase", 201: true }, await statusOf("UNIQUE"));
  },
  async storedForm({ send, newProject, once, prefix }) {
    const { id: project_id, project_name: stored } = await newProject("Stored Form ");
    const info = { app_name: `${prefix}app`, app_scheme: "shop", app_package_name: "example.shop.app" };
    const fingerprints = ["b", "a"].map((letter) => Array(32).fill(`${letter}1`).join(":"));
    const android = { app_type: "ANDROID", android_info: { ...info, sha256_fingerprints: fingerprints } };
    const { android_info } = await send("createApplication", { project_id }, android);
    const { isStoredAsGiven = true } = (await ifAvailable(once(observeDeletion))) ?? {};
    const isGiven =
      isStoredAsGiven && `${(android_info as Fields).sha256_fingerprints}` === `${fingerprints}`;
    if (stored === `${prefix}Stored Form `) return isGiven ? "asGiven" : "normalized";
    if (stored === `${prefix}stored form`) return "normalizedNames";
    throw new Unanswered(`The name "Stored Form " is stored as ${JSON.stringify(stored)}.`);
  },
  cnameTargetAppears: async ({ once }) => (await once(observeDomain)).cnameTarget,
  domainAdvance,
  domainOutcome,
  retryOutsideFailed: async ({ once }) => oneOf(RETRIES, (await once(observeDeletion)).retryStatus),
  async deletingPolls({ once }) {
    const { reads } = await once(observeDeletion);
    const { option } = (await once(observeLag)).reads;
    if (option === "atOnce" || reads === Number.POSITIVE_INFINITY) return reads;
    const lag = "afterPolls" in option ? option.afterPolls : reads;
    if (reads > lag) return (await once(observeLate)).deletionsLag === "lists" ? reads : reads - lag;
    throw new Unanswered("Reads that lag may hide it.");
  },
  readLag: async ({ once }) => (await once(observeLag)).reads.option,
  listLag: async ({ once }) => (await once(observeLag)).lists.option,
  deletionsLag: async ({ once }) => (await once(observeLate)).deletionsLag,
  async writeLookups({ call, newProject }) {
    const { id: project_id } = await newProject("changed at once");
    const { status } = await call("updateProject", { project_id }, { default_hookup_msg: "Changed" });
    return oneOf({ 200: "current", 404: "lag" }, status);
  },
  contentsOfLate: async ({ once }) => (await once(observeLate)).contentsOfLate,
  async nullableUpdatedAt({ once }) {
    const { createdAt, patched } = await once(observeInfo);
    if (createdAt !== null) return "fromCreation";
    return (await patched({ app_store_id: "2" })).updated_at === null ? "never" : "afterUpdate";
  },
  async timestampPrecision({ call, newProject, exchanges }) {
    await newProject("times");
    await call("listProjects");
    const areWhole = (isRead: boolean) =>
      exchanges
        .filter(({ method }) => (method === "GET") === isRead)
        .every(({ answer }) => !timesIn(answer).some((time) => /[.,]\d*[1-9]/.test(time)));
    if (!areWhole(true)) return "milliseconds";
    return areWhole(false) ? "seconds" : "coarseReads";
  },
  async extraFields({ call, newProject, once, exchanges }) {
    const { id: project_id } = await newProject("logo");
    await call("updateProject", { project_id }, { logo_image_id: randomUUID() });
    await ifAvailable(once(observeDomain));
    const fields = exchanges.flatMap(({ answer }) => {
      const { logo_image, ownership_validation } = (answer ?? {}) as Record<string, object | null>;
      return Object.keys({ ...logo_image, ...ownership_validation });
    });
    if (fields.length === 0) throw new Unanswered("The service showed neither a logo nor a record.");
    return fields.some((field) => !DOCUMENTED_FIELDS.includes(field));
  },
  async errorDetails({ call }) {
    const { status, answer } = await call("getApplication", { application_id: randomUUID() });
    const { message, error } = answer as Fields;
    return error !== undefined || message !== STATUS_CODES[status];
  },
  async requestIds({ exchanges }) {
    const successes = exchanges.filter(({ status }) => status < 400);
    if (successes.every(({ headers }) => headers["x-request-id"] === undefined)) return "errorsOnly";
    const areEchoed = successes.every(({ requestId, headers }) => headers["x-request-id"] === requestId);
    return areEchoed ? "echoed" : "generated";
  },
  async dateHeader({ exchanges }) {
    const created = exchanges.filter(({ status, headers: { date } }) => status === 201 && date !== undefined);
    if (created.length === 0) return "absent";
    const behindMs = created.map(
      ({ headers, answer }) => Date.parse(`${(answer as Fields).created_at}`) - Date.parse(`${headers.date}`),
    );
    // The largest difference is that of the fastest response.
    const secondsBehind = Math.floor(Math.max(...behindMs) / 1_000);
    if (secondsBehind < -1) throw new Unanswered(`Date is ${-secondsBehind} seconds ahead of created_at.`);
    return secondsBehind < 1 ? "current" : { secondsBehind };
  },
};

/** The options that have neither a question nor a reason why there is none. */
export function optionsWithoutQuestion(options: readonly string[], reasons = NOT_ASKED): string[] {
  return options.filter((option) => !(option in QUESTIONS && option in ASKS) && !(option in reasons));
}

/** The answers to questions, and the reasons where there is none. */
export interface Answers {
  readonly behaviour: Record<string, unknown>;
  readonly unanswered: Record<string, string>;
}

/** Asks all questions, and adds their answers. */
export async function askAll(asked: Asked, { behaviour, unanswered }: Answers): Promise<void> {
  for (const [option, ask] of Object.entries(QUESTIONS)) {
    try {
      behaviour[option] = await ask(asked);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      unanswered[option] = error.message;
    }
  }
}

const RETRIES = { 409: "conflict", 200: "accepted" };
const DOCUMENTED_FIELDS = ["full_path", "type", "name", "value", "http_url", "http_body"];

function iosApplication(prefix: string, fields = {}) {
  const info = { app_name: `${prefix}app`, app_scheme: "shop", bundle_id: "example.shop.app" };
  return { app_type: "IOS", apple_info: { ...info, app_id_prefix: "A1B2C3D4E5", ...fields } };
}

/** Creates an application. A PATCH of its info that is refused leaves the others. */
async function observeInfo({ send, newProject, prefix }: Asked) {
  const { id: project_id } = await newProject("info");
  const created = await send("createApplication", { project_id }, iosApplication(prefix));
  const patched = (fields: object) =>
    send("updateApplication", { application_id: created.id }, iosApplication(prefix, fields));
  return { info: created.apple_info as Fields, createdAt: created.updated_at, patched };
}

/** The field app_store_id, which was set, after a PATCH. */
async function storeIdAfter({ once }: Asked, fields: object): Promise<unknown> {
  const { patched } = await once(observeInfo);
  await patched({ app_store_id: "1" });
  return ((await patched(fields)).apple_info as Fields).app_store_id;
}

/** The times in a response, at any depth. */
function timesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === "string" && /^(created|updated)_at$/.test(name) ? [item] : timesIn(item),
  );
}

/** Creates a project, lists what is in it at once, and deletes it. */
async function observeLate({ call, send, newProject, readsUntil }: Asked) {
  const { id: project_id } = await newProject("late");
  /** Each of several reads may come from another replica. */
  async function statusesOf(...request: Parameters<Asked["call"]>): Promise<number[]> {
    const statuses: number[] = [];
    for (let reads = 0; reads < AT_ONCE; reads++) statuses.push((await call(...request)).status);
    return statuses;
  }
  const contents = await statusesOf("listApplications", { project_id });
  await readsUntil(200, "getProject", { project_id });
  await send("deleteProject", { project_id });
  const afterDeletion = await statusesOf("getProject", { project_id });
  return {
    contentsOfLate: contents.includes(404) ? "notFound" : oneOf({ 200: "listed" }, ...contents),
    deletionsLag: afterDeletion.includes(200) ? "listsAndReads" : oneOf({ 404: "lists" }, ...afterDeletion),
  };
}

/** The answer that all statuses have in common. */
function oneOf<Value>(answers: Readonly<Record<number, Value>>, ...statuses: readonly number[]): Value {
  const [first, ...others] = statuses.map((status) => answers[status]);
  if (first !== undefined && others.every((other) => other === first)) return first;
  throw new Unanswered(`The service responded with ${statuses.join(" and ")}.`);
}
