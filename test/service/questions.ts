/**
 * A question to the service for each option of the emulator's behaviour: what is done, what each response looks like. All
 * objects are the run's own.
 */
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { type Behaviour, defaultBehaviour } from "../../testing/emulator";
import { type Asked, bodyOf, type Fields, newProject, poll, Unanswered } from "./asked";
import {
  cnameTargetAppears,
  createDomain,
  domainAdvance,
  domainOutcome,
  observeDeletion,
  observeDomain,
} from "./domains";
import { lagOf, measureLag } from "./lag";

/** The name of an option. */
export type Option = keyof Behaviour;

/** A question. */
interface Question<Value> {
  /** What is done. */
  readonly asks: string;
  /** @throws Unanswered */
  ask(asked: Asked): Promise<Value>;
}

/** The options that no key can ask about, with the reason. */
export const UNASKABLE: Readonly<Record<string, string>> = {};

/** What is asked only in part, or not at all. */
export const NOT_ASKED: readonly string[] = [
  "uniqueNames: whether hostnames are unique across organizations, because that needs a second key.",
  "deleteWithContents: what becomes of the links of a custom domain, because that needs an active domain.",
  "readLag, listLag: a lag that did not occur in this run is not excluded.",
  "retryOutsideFailed: of a domain that has expired, because that takes months.",
];

/** The questions. */
export const QUESTIONS: { readonly [Name in Option]?: Question<Behaviour[Name]> } & {
  readonly deletionsLag: Question<"lists" | "listsAndReads">;
  readonly contentsOfLate: Question<"listed" | "notFound">;
} = {
  deleteWithContents: {
    asks: "delete a project with an application, and an application that a link opens: 409 or 204",
    async ask(asked) {
      const { call, prefix } = asked;
      const { id: project_id } = await newProject(asked, "full");
      const { id: application_id } = bodyOf(await createApplication(asked, project_id, "IOS", INFO), 201);
      const link = { dynamic_link_url: "https://shop.example/", dynamic_link_name: `${prefix}link` };
      const options = { apple_options: { application_id } };
      bodyOf(await call("createProjectLink", { project_id }, { ...link, ...options }), 201);
      const { status: ofApplication } = await call("deleteApplication", {
        application_id: `${application_id}`,
      });
      const { status: ofProject } = await call("deleteProject", { project_id });
      return oneOf({ 409: "conflict", 204: "cascade" } as const, ofApplication, ofProject);
    },
  },
  patchInfo: {
    asks: "PATCH apple_info without app_store_id, which is set: it stays or is gone",
    ask: async (asked) => ((await asked.once(observeInfo)).withoutField.app_store_id ? "merge" : "replace"),
  },
  nullInfoField: {
    asks: "PATCH apple_info with app_store_id null, which is set: it is gone or stays",
    ask: async (asked) => ((await asked.once(observeInfo)).withNull.app_store_id ? "ignore" : "clear"),
  },
  absentInfoField: {
    asks: "create an iOS application without app_store_id: it is null or missing",
    ask: async (asked) => ("app_store_id" in (await asked.once(observeInfo)).created ? "null" : "omit"),
  },
  deriveAppId: {
    asks: "create an iOS application with prefix and bundle id: app_id is set or not",
    ask: async (asked) => Boolean((await asked.once(observeInfo)).created.app_id),
  },
  uniqueNames: {
    asks: "create two projects with one name, and two custom domains with one hostname: 409 or 201",
    async ask(asked) {
      const { call, prefix } = asked;
      await newProject(asked, "unique");
      const { status } = await call("createProject", {}, { project_name: `${prefix}unique` });
      const { hostname, project } = await ifAvailable(asked.once(observeDomain), NO_DOMAIN);
      const again = project && (await createDomain(asked, project.id, hostname));
      return oneOf({ 409: true, 201: false }, status, again?.status ?? status);
    },
  },
  storedForm: {
    asks: "create a project, fingerprints and a hostname with capital and small letters: as given or normalized",
    async ask(asked) {
      const name = `${asked.prefix}Stored Form `;
      const { id, project_name } = await newProject(asked, "Stored Form ");
      const android = await createApplication(asked, id, "ANDROID", { sha256_fingerprints: FINGERPRINTS });
      const { sha256_fingerprints } = bodyOf(android, 201).android_info as Fields;
      const domain = await ifAvailable(asked.once(observeDeletion), undefined);
      const isGiven = `${sha256_fingerprints}` === `${FINGERPRINTS}`;
      if (domain !== undefined && domain.isStoredAsGiven !== isGiven)
        throw new Unanswered("Hostnames and fingerprints are not stored in the same way.");
      if (project_name === name) return isGiven ? "asGiven" : "normalized";
      if (project_name === name.trim().toLowerCase() && !isGiven) return "normalizedNames";
      throw new Unanswered(`The name ${JSON.stringify(name)} is stored as ${JSON.stringify(project_name)}.`);
    },
  },
  cnameTargetAppears: {
    asks: "create a custom domain and read it: cname_target is there at once, after some reads, or never",
    ask: cnameTargetAppears,
  },
  domainAdvance: {
    asks: "create a custom domain and read it, first without waits: its status advances with reads, with time, or not",
    ask: domainAdvance,
  },
  domainOutcome: { asks: "read a custom domain until it is ACTIVE or FAILED", ask: domainOutcome },
  retryOutsideFailed: {
    asks: "retry a new custom domain: 409 or 200",
    async ask(asked) {
      const { retry } = await asked.once(observeDeletion);
      return oneOf({ 409: "conflict", 200: "accepted" } as const, retry.status);
    },
  },
  deletingPolls: {
    asks: "delete a custom domain and read it: the number of reads before 404",
    async ask(asked) {
      const { reads } = await asked.once(observeDeletion);
      if ((await asked.once(observeLate)).deletionsLag === "lists") return reads;
      const { readLag } = await asked.once(observeLate);
      if (typeof readLag === "object" && "afterPolls" in readLag) return reads - readLag.afterPolls;
      throw new Unanswered("Reads show deleted objects for a time.");
    },
  },
  readLag: {
    asks: "change a project and read it: the change is shown at once, after some reads, or after a time",
    ask: async (asked) => lagOf((await asked.once(measureLag)).getProject),
  },
  listLag: {
    asks: "change a project and list projects: the change is shown at once, after some reads, or after a time",
    ask: async (asked) => lagOf((await asked.once(measureLag)).listProjects),
  },
  deletionsLag: {
    asks: "delete a project and read it: 404 at once, or later",
    ask: async (asked) => (await asked.once(observeLate)).deletionsLag,
  },
  contentsOfLate: {
    asks: "create a project and list its applications: 200 or 404",
    ask: async (asked) => (await asked.once(observeLate)).contentsOfLate,
  },
  nullableUpdatedAt: {
    asks: "create and change an application: updated_at is null before, in both, or in neither",
    async ask(asked) {
      const { createdAt, changedAt } = await asked.once(observeInfo);
      if (createdAt !== null) return "fromCreation";
      return changedAt === null ? "never" : "afterUpdate";
    },
  },
  timestampPrecision: {
    asks: "compare created_at and updated_at of reads and writes: with fractions of a second or without",
    async ask(asked) {
      const { id } = await newProject(asked, "times");
      await asked.call("listApplications", { project_id: id });
      await asked.call("listProjects");
      const areWhole = (isRead: boolean) =>
        asked.exchanges
          .filter(({ method }) => (method === "GET") === isRead)
          .flatMap(({ answer }) => JSON.stringify(answer ?? "").match(/"(created|updated)_at":"[^"]+/g) ?? [])
          .every((time) => !/\.\d*[1-9]/.test(time));
      if (!areWhole(true)) return "milliseconds";
      return areWhole(false) ? "seconds" : "coarseReads";
    },
  },
  extraFields: {
    asks: "give a project a logo and read the records of a custom domain: fields beyond the documented ones or not",
    async ask(asked) {
      const { id } = await newProject(asked, "logo");
      const logo = await asked.call("updateProject", { project_id: id }, { logo_image_id: randomUUID() });
      const { logo_image } = (logo.answer ?? {}) as { logo_image?: Fields };
      await ifAvailable(asked.once(observeDomain), undefined);
      const shown = asked.exchanges.flatMap(({ answer }) => {
        const { ownership_validation: object } = (answer ?? {}) as { ownership_validation?: Fields | null };
        return object ? Object.keys(object).map((field) => VALIDATION_FIELDS.includes(field)) : [];
      });
      const documented = [...Object.keys(logo_image ?? {}).map((field) => field === "full_path"), ...shown];
      if (documented.length === 0)
        throw new Unanswered("The service showed no logo and no validation record.");
      return documented.includes(false);
    },
  },
  errorDetails: {
    asks: "read an application that does not exist: the error has a message of its own or a field `error`, or neither",
    async ask({ call }) {
      const { status, answer } = await call("getApplication", { application_id: randomUUID() });
      const { message, error } = answer as Fields;
      return error !== undefined || message !== STATUS_CODES[status];
    },
  },
  requestIds: {
    asks: "compare x-request-id of requests and responses: the same, another one, or only in errors",
    async ask({ exchanges }) {
      const ids = exchanges
        .filter(({ status }) => status < 400)
        .map(({ requestId, headers }) => [requestId, headers["x-request-id"]]);
      if (ids.every(([, received]) => received === undefined)) return "errorsOnly";
      return ids.every(([sent, received]) => sent === received) ? "echoed" : "generated";
    },
  },
  dateHeader: {
    asks: "compare the header Date with created_at of what was created: the same second, missing, or earlier",
    async ask({ exchanges }) {
      const dated = exchanges.filter(({ headers }) => headers.date !== undefined);
      if (dated.length === 0) return "absent";
      // The largest difference is that of the fastest response.
      const secondsBehind = Math.max(
        ...dated
          .filter(({ status }) => status === 201)
          .map(({ answer, headers }) => {
            const createdMs = Date.parse(`${(answer as Fields).created_at}`);
            return Math.floor((createdMs - Date.parse(headers.date ?? "")) / 1_000);
          }),
      );
      if (secondsBehind < -1) throw new Unanswered(`Date is ${-secondsBehind} s ahead of created_at.`);
      return secondsBehind < 1 ? "current" : { secondsBehind };
    },
  },
};

/** The options that have neither a question nor a reason why there is none. */
export function optionsWithoutQuestion(
  options: readonly string[] = Object.keys(defaultBehaviour),
  unaskable: Readonly<Record<string, string>> = UNASKABLE,
): string[] {
  return options.filter((option) => !(option in QUESTIONS) && !(option in unaskable));
}

const FINGERPRINTS = ["b", "a"].map((letter) => Array(32).fill(`${letter}1`).join(":"));
const INFO = { bundle_id: "example.shop.app", app_id_prefix: "A1B2C3D4E5" };
const VALIDATION_FIELDS = ["type", "name", "value", "http_url", "http_body"];
const NO_DOMAIN = { hostname: "", project: undefined };

/** Creates an application with the fields that its platform requires, and others. */
async function createApplication(
  { call, prefix }: Asked,
  project_id: string,
  app_type: "IOS" | "ANDROID",
  fields: object,
) {
  const info = { app_name: `${prefix}app`, app_scheme: "shop", ...fields };
  const body =
    app_type === "IOS"
      ? { app_type, apple_info: info }
      : { app_type, android_info: { app_package_name: "example.shop.app", ...info } };
  return await call("createApplication", { project_id }, body);
}

/** Creates an application, and patches its info with and without a field. */
async function observeInfo(asked: Asked) {
  const { id: project_id } = await newProject(asked, "info");
  const created = bodyOf(await createApplication(asked, project_id, "IOS", INFO), 201);
  const info = { app_name: `${asked.prefix}app`, app_scheme: "shop", ...INFO };
  const patched = async (fields: object) => {
    const body = { apple_info: { ...info, ...fields } };
    return bodyOf(await asked.call("updateApplication", { application_id: `${created.id}` }, body), 200);
  };
  const set = { app_store_id: "1234567890" };
  const changed = await patched(set);
  const withNull = await patched({ app_store_id: null });
  await patched(set);
  const withoutField = await patched({});
  const infoOf = ({ apple_info }: Fields) => apple_info as Fields;
  return {
    ...{ created: infoOf(created), createdAt: created.updated_at, changedAt: changed.updated_at },
    ...{ withNull: infoOf(withNull), withoutField: infoOf(withoutField) },
  };
}

/** Creates a project, lists what is in it at once, and deletes it. */
async function observeLate(asked: Asked) {
  const { call } = asked;
  const readLag = lagOf((await asked.once(measureLag)).getProject);
  const project_id = (await newProject(asked, "late")).id;
  const { status } = await call("listApplications", { project_id });
  await poll(
    asked,
    () => call("getProject", { project_id }),
    (read) => read.status === 200,
  );
  bodyOf(await call("deleteProject", { project_id }), 204);
  const { status: afterDeletion } = await call("getProject", { project_id });
  return {
    readLag,
    contentsOfLate: oneOf({ 200: "listed", 404: "notFound" } as const, status),
    deletionsLag: oneOf({ 404: "lists", 200: "listsAndReads" } as const, afterDeletion),
  };
}

/** The answer that all statuses have in common. */
function oneOf<Value>(answers: Readonly<Record<number, Value>>, ...statuses: readonly number[]): Value {
  const [first, ...others] = statuses.map((status) => answers[status]);
  if (first !== undefined && others.every((other) => other === first)) return first;
  throw new Unanswered(`The service responded with ${statuses.join(" and ")}.`);
}

/** The result of an observation, or another value if the service has no answer. */
async function ifAvailable<Result, Other>(observed: Promise<Result>, other: Other): Promise<Result | Other> {
  try {
    return await observed;
  } catch (error) {
    if (error instanceof Unanswered) return other;
    throw error;
  }
}

/** The answers to all questions, and the reasons where there is none. */
export async function askAll(asked: Asked): Promise<{
  readonly behaviour: Partial<Behaviour>;
  readonly unanswered: Readonly<Record<string, string>>;
}> {
  const behaviour: Record<string, unknown> = {};
  const unanswered: Record<string, string> = { ...UNASKABLE };
  for (const option of Object.keys(defaultBehaviour) as Option[]) {
    try {
      behaviour[option] = await QUESTIONS[option]?.ask(asked);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      unanswered[option] = error.message;
    }
  }
  return { behaviour, unanswered };
}
