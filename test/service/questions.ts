/** A question to the service for each option of the emulator's behaviour. All objects are the run's own. */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type Behaviour, defaultBehaviour } from "../../testing/emulator";
import { type Asked, bodyOf, type Fields, newProject, readsUntil, Unanswered } from "./asked";
import {
  cnameTargetAppears,
  createDomain,
  domainAdvance,
  domainOutcome,
  observeDeletion,
  observeDomain,
} from "./domains";
import { lagOf, measureLag } from "./lag";

export type Option = keyof Behaviour;

/** What is done for each question, and what to look for in the responses. */
export const ASKS: Readonly<Record<string, string>> = {
  deleteWithContents: "delete an application that a link opens, and a project with contents: 409 or 204",
  patchInfo: "PATCH apple_info without app_store_id, which is set: it stays or is gone",
  nullInfoField: "PATCH apple_info with app_store_id null, which is set: it is gone or stays",
  absentInfoField: "create an iOS application without app_store_id: it is null or missing",
  deriveAppId: "create an iOS application with prefix and bundle id: app_id is set or not",
  uniqueNames: "create two projects with one name, and two custom domains with one hostname: 409 or 201",
  storedForm: "create a name, fingerprints and a hostname in an unusual spelling: it stays or is normalized",
  cnameTargetAppears: "read a new custom domain: cname_target is there at once, after some reads, or never",
  domainAdvance:
    "read a new custom domain, first without waits: its status changes with reads, with time, or not",
  domainOutcome: "read a new custom domain until it is ACTIVE or FAILED",
  retryOutsideFailed: "retry a new custom domain: 409 or 200",
  deletingPolls: "delete a custom domain and read it: the number of reads before 404",
  readLag: "change a project and read it: it is changed at once, after some reads, or after a time",
  listLag: "change a project and list projects: it is changed at once, after some reads, or after a time",
  deletionsLag: "delete a project and read it: 404 or 200",
  contentsOfLate: "create a project and list its applications: 200 or 404",
  nullableUpdatedAt: "create and change an application: updated_at is null before, in both, or in neither",
  timestampPrecision: "compare times in reads and in other responses: with fractions of a second or without",
  extraFields:
    "look at the logo of a project and the records of a custom domain: more fields than documented or not",
  errorDetails:
    "read what does not exist: the error has a message of its own or the field `error`, or neither",
  requestIds: "compare x-request-id with that of the request: the same, another one, or only in errors",
  dateHeader: "compare the header Date with created_at: the same second, missing, or earlier",
};

/** The options that no key can ask about, with the reason. */
export const UNASKABLE: Readonly<Record<string, string>> = {};

/** What is asked only in part, or not at all. */
export const NOT_ASKED: readonly string[] = [
  "uniqueNames: whether hostnames are unique across organizations, because that needs a second key.",
  "deleteWithContents: what becomes of the links of a custom domain, because that needs an active domain.",
  "readLag, listLag: a lag that did not occur in this run is not excluded.",
  "retryOutsideFailed: a domain that has expired, because that takes months.",
];

/** The questions. Each returns the value of the option. @throws Unanswered */
const QUESTIONS: { readonly [Name in Option]?: (asked: Asked) => Promise<Behaviour[Name]> } & {
  readonly deletionsLag: (asked: Asked) => Promise<"lists" | "listsAndReads">;
  readonly contentsOfLate: (asked: Asked) => Promise<"listed" | "notFound">;
} = {
  async deleteWithContents(asked) {
    const { call, prefix } = asked;
    const { id: project_id } = await newProject(asked, "full");
    const { id: application_id } = bodyOf(await createApplication(asked, project_id, IOS), 201);
    const link = { dynamic_link_url: "https://shop.example/", dynamic_link_name: `${prefix}link` };
    bodyOf(
      await call("createProjectLink", { project_id }, { ...link, apple_options: { application_id } }),
      201,
    );
    const { status } = await call("deleteApplication", { application_id });
    const { status: ofProject } = await call("deleteProject", { project_id });
    return oneOf({ 409: "conflict", 204: "cascade" } as const, status, ofProject);
  },
  patchInfo: async (asked) =>
    (await asked.once(observeInfo)).withoutField.app_store_id ? "merge" : "replace",
  nullInfoField: async (asked) =>
    (await asked.once(observeInfo)).withNull.app_store_id ? "ignore" : "clear",
  absentInfoField: async (asked) =>
    "app_store_id" in (await asked.once(observeInfo)).info ? "null" : "omit",
  deriveAppId: async (asked) => Boolean((await asked.once(observeInfo)).info.app_id),
  async uniqueNames(asked) {
    await newProject(asked, "unique");
    const { status } = await asked.call("createProject", {}, { project_name: `${asked.prefix}unique` });
    const domain = await ifAvailable(asked.once(observeDomain));
    const again = domain && (await createDomain(asked, domain.project.id, domain.hostname));
    return oneOf({ 409: true, 201: false }, status, again?.status ?? status);
  },
  async storedForm(asked) {
    const name = `${asked.prefix}Stored Form `;
    const { id, project_name } = await newProject(asked, "Stored Form ");
    const { android_info } = bodyOf(await createApplication(asked, id, ANDROID), 201);
    const isGiven = `${(android_info as Fields).sha256_fingerprints}` === `${ANDROID.sha256_fingerprints}`;
    const domain = await ifAvailable(asked.once(observeDeletion));
    if (domain !== undefined && domain.isStoredAsGiven !== isGiven)
      throw new Unanswered("Hostnames and fingerprints are not stored in the same way.");
    if (project_name === name) return isGiven ? "asGiven" : "normalized";
    if (project_name === name.trim().toLowerCase() && !isGiven) return "normalizedNames";
    throw new Unanswered(`The name ${JSON.stringify(name)} is stored as ${JSON.stringify(project_name)}.`);
  },
  cnameTargetAppears,
  domainAdvance,
  domainOutcome,
  async retryOutsideFailed(asked) {
    const { retry } = await asked.once(observeDeletion);
    return oneOf({ 409: "conflict", 200: "accepted" } as const, retry.status);
  },
  async deletingPolls(asked) {
    const { reads } = await asked.once(observeDeletion);
    const { readLag, deletionsLag } = await asked.once(observeLate);
    if (deletionsLag === "lists") return reads;
    if (typeof readLag === "object" && "afterPolls" in readLag) return reads - readLag.afterPolls;
    throw new Unanswered("Reads show deleted objects for a time.");
  },
  readLag: async (asked) => lagOf((await asked.once(measureLag)).getProject),
  listLag: async (asked) => lagOf((await asked.once(measureLag)).listProjects),
  deletionsLag: async (asked) => (await asked.once(observeLate)).deletionsLag,
  contentsOfLate: async (asked) => (await asked.once(observeLate)).contentsOfLate,
  async nullableUpdatedAt(asked) {
    const { createdAt, changedAt } = await asked.once(observeInfo);
    if (createdAt !== null) return "fromCreation";
    return changedAt === null ? "never" : "afterUpdate";
  },
  async timestampPrecision(asked) {
    await newProject(asked, "times");
    await asked.call("listProjects");
    const areWhole = (isRead: boolean) =>
      asked.exchanges
        .filter(({ method }) => (method === "GET") === isRead)
        .flatMap(({ received }) => received.match(/"(created|updated)_at":"[^"]+/g) ?? [])
        .every((time) => !/\.\d*[1-9]/.test(time));
    if (!areWhole(true)) return "milliseconds";
    return areWhole(false) ? "seconds" : "coarseReads";
  },
  async extraFields(asked) {
    const { id: project_id } = await newProject(asked, "logo");
    await asked.call("updateProject", { project_id }, { logo_image_id: randomUUID() });
    await ifAvailable(asked.once(observeDomain));
    const fields = asked.exchanges.flatMap(({ answer }) => {
      const { logo_image, ownership_validation } = (answer ?? {}) as Record<string, Fields | null>;
      return Object.keys({ ...logo_image, ...ownership_validation });
    });
    if (fields.length === 0)
      throw new Unanswered("The service showed neither a logo nor a validation record.");
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
    const dates = exchanges.flatMap(({ headers: { date }, status, answer }) =>
      date === undefined || status !== 201
        ? []
        : [[Date.parse(date), Date.parse(`${(answer as Fields).created_at}`)]],
    );
    if (dates.length === 0) return "absent";
    // The largest difference is that of the fastest response.
    const secondsBehind = Math.floor(
      Math.max(...dates.map(([date = 0, createdAt = 0]) => createdAt - date)) / 1_000,
    );
    if (secondsBehind < -1) throw new Unanswered(`Date is ${-secondsBehind} seconds ahead of created_at.`);
    return secondsBehind < 1 ? "current" : { secondsBehind };
  },
};

/** The options that have neither a question nor a reason why there is none. */
export function optionsWithoutQuestion(
  options: readonly string[] = Object.keys(defaultBehaviour),
  unaskable: Readonly<Record<string, string>> = UNASKABLE,
): string[] {
  return options.filter((option) => !(option in QUESTIONS && option in ASKS) && !(option in unaskable));
}

/** The answers to all questions, and the reasons where there is none. */
export async function askAll(asked: Asked) {
  const behaviour: Record<string, unknown> = {};
  const unanswered: Record<string, string> = { ...UNASKABLE };
  for (const option of Object.keys(defaultBehaviour) as Option[]) {
    try {
      behaviour[option] = await QUESTIONS[option]?.(asked);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      unanswered[option] = error.message;
    }
  }
  return { behaviour: behaviour as Partial<Behaviour>, unanswered };
}

const DOCUMENTED_FIELDS = ["full_path", "type", "name", "value", "http_url", "http_body"];
const IOS = { bundle_id: "example.shop.app", app_id_prefix: "A1B2C3D4E5" };
const FINGERPRINTS = ["b", "a"].map((letter) => Array(32).fill(`${letter}1`).join(":"));
const ANDROID = { app_package_name: "example.shop.app", sha256_fingerprints: FINGERPRINTS };

function infoOf({ prefix }: Asked, fields: object) {
  return { app_name: `${prefix}app`, app_scheme: "shop", ...fields };
}

/** Creates an application with the info of a platform. */
async function createApplication(asked: Asked, project_id: string, fields: typeof IOS | typeof ANDROID) {
  const info = infoOf(asked, fields);
  const platform =
    fields === IOS ? { app_type: "IOS", apple_info: info } : { app_type: "ANDROID", android_info: info };
  return await asked.call("createApplication", { project_id }, platform);
}

/** Creates an application, and patches its info with and without a field. */
async function observeInfo(asked: Asked) {
  const { id: project_id } = await newProject(asked, "info");
  const created = bodyOf(await createApplication(asked, project_id, IOS), 201);
  async function patched(fields: object): Promise<Fields> {
    const apple_info = infoOf(asked, { ...IOS, ...fields });
    return bodyOf(await asked.call("updateApplication", { application_id: created.id }, { apple_info }), 200);
  }
  const { updated_at: changedAt } = await patched({ app_store_id: "1" });
  const { apple_info: withNull } = await patched({ app_store_id: null });
  await patched({ app_store_id: "1" });
  const { apple_info: withoutField } = await patched({});
  const infos = { info: created.apple_info, withNull, withoutField } as Record<string, Fields>;
  return {
    ...(infos as Record<"info" | "withNull" | "withoutField", Fields>),
    createdAt: created.updated_at,
    changedAt,
  };
}

/** Creates a project, lists what is in it at once, and deletes it. */
async function observeLate(asked: Asked) {
  const { call } = asked;
  const readLag = lagOf((await asked.once(measureLag)).getProject);
  const { id: project_id } = await newProject(asked, "late");
  const { status } = await call("listApplications", { project_id });
  await readsUntil(asked, 200, () => call("getProject", { project_id }));
  bodyOf(await call("deleteProject", { project_id }), 204);
  const { status: afterDeletion } = await call("getProject", { project_id });
  const contentsOfLate = oneOf({ 200: "listed", 404: "notFound" } as const, status);
  return {
    readLag,
    contentsOfLate,
    deletionsLag: oneOf({ 404: "lists", 200: "listsAndReads" } as const, afterDeletion),
  };
}

/** The answer that all statuses have in common. */
function oneOf<Value>(answers: Readonly<Record<number, Value>>, ...statuses: readonly number[]): Value {
  const [first, ...others] = statuses.map((status) => answers[status]);
  if (first !== undefined && others.every((other) => other === first)) return first;
  throw new Unanswered(`The service responded with ${statuses.join(" and ")}.`);
}

/** The result of an observation; undefined if the service has no answer. */
async function ifAvailable<Result>(observed: Promise<Result>): Promise<Result | undefined> {
  try {
    return await observed;
  } catch (error) {
    if (error instanceof Unanswered) return undefined;
    throw error;
  }
}
