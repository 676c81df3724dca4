/** What the lists show about an object that was not found, and which lists are requested for that. */
import { NotFoundError } from "../../../provider/client/errors";
import type { Found, OperationContext } from "../../../provider/lifecycle/description";
import {
  type Absence,
  confirmAbsence,
  confirmAbsenceAnywhere,
  explainNotFound,
  explainProjectNotFound,
  requireGone,
} from "../../../provider/lifecycle/evidence/absence";
import type { LookupTarget } from "../../../provider/lifecycle/evidence/lists";

const UUID = "0c0c0c0c-0000-4000-8000-00000000000a";
const SHOP = "0c0c0c0c-0000-4000-8000-000000000001";
const BLOG = "0c0c0c0c-0000-4000-8000-000000000002";
const BROKEN = new Error("broken");
const NOT_FOUND = new NotFoundError(
  { operation: "getProject", activity: "Reading", attempts: 1, effect: "none", requestId: "7" },
  { status: 404, messages: [] },
);

interface Situation {
  /** Where its kind is listed: in each project, in the organization, with another kind, or nowhere. */
  readonly kind: "in project" | "in organization" | "alias" | "setting" | "unlisted";
  /** The objects of each project; `undefined` if the project is not found. Of other kinds, under "". */
  readonly things?: Readonly<Record<string, readonly string[] | Error | undefined>>;
  readonly projects?: readonly string[] | null;
  readonly declaredIn?: unknown;
  readonly mayListProjects?: boolean;
  readonly uuid?: string;
  readonly advice?: string;
}

function targetOf({
  kind,
  things = {},
  projects = [SHOP, BLOG],
  declaredIn,
  mayListProjects = true,
  uuid = UUID,
  advice,
}: Situation) {
  const requests: string[] = [];
  const respond = (
    request: string,
    uuids: readonly string[] | Error | undefined | null,
    options?: { onRequest?(id: string): void },
  ): Found[] => {
    requests.push(request);
    options?.onRequest?.(`${requests.length}`);
    if (uuids == null || uuids instanceof Error) throw uuids ?? NOT_FOUND;
    return uuids.map((each) => ({ uuid: each, properties: {}, createdAt: "" }));
  };
  const isInProject = kind === "in project";
  const list = async ({ client }: OperationContext, state: { projectId?: unknown }) => {
    const place = isInProject ? String(state.projectId) : "";
    const ofPlace = { request: `things of ${place}`, uuids: things[place.toLowerCase()] };
    return (await client.listApplications(ofPlace as never)) as unknown as Found[];
  };
  const clientWith = (options: object) => ({
    withOptions: clientWith,
    async listProjects(request: unknown, bounds: object) {
      expect([request, bounds]).toEqual([{ organizationId: "organization" }, { signal: "signal" }]);
      return respond("projects", projects, options).map((each) => ({ ...each, id: each.uuid }));
    },
    listApplications: async ({ request, uuids }: { request: string; uuids: readonly string[] }) =>
      respond(request, uuids, options),
  });
  const target = {
    description: {
      title: "thing",
      ...(kind !== "in organization" && { parentId: "projectId" }),
      ...((isInProject || kind === "in organization") && { list }),
      ...((kind === "alias" || kind === "setting") && {
        creates: {
          is: kind === "alias" ? "nothing" : "setting",
          of: { title: "item", list: async () => respond("items", things[""]) },
        },
      }),
    },
    context: {
      organizationId: "organization",
      signal: "signal",
      scopes: mayListProjects ? ["projects:read"] : [],
      client: clientWith({}),
    },
    uuid,
    state: { projectId: declaredIn },
    advice,
  } as unknown as LookupTarget;
  return { target, requests };
}

const IN_SHOP = { kind: "in project", declaredIn: SHOP } as const;
/** The state may spell a UUID in upper case. */
const IN_UPPER = { ...IN_SHOP, declaredIn: SHOP.toUpperCase() };
const IN_NONE = { ...IN_SHOP, declaredIn: "shop" };
const ONLY_READ = { mayListProjects: false };
const LISTED = { [SHOP]: [UUID] };
const MOVED = { [SHOP]: [], [BLOG]: [UUID] };
const UNLISTED = { [SHOP]: [], [BLOG]: [SHOP] };
const UPPER = UUID.toUpperCase();
const [OF_SHOP, OF_UPPER, OF_BLOG] = [SHOP, SHOP.toUpperCase(), BLOG].map((id) => `things of ${id}`);

function listed(where: string): Absence {
  return { is: "listed", where };
}

function unconfirmed(why: string): Absence {
  return { is: "unconfirmed", why };
}

const IN_BLOG = listed(`the list of the things of project ${BLOG} contains it (request 3)`);
const HERE = listed(`the list of the things of project ${SHOP} contains it (request 1)`);
const GONE: Absence = { is: "gone" };
const HIDDEN = unconfirmed("without the scope projects:read, no list can confirm it");

test.each<[string, Situation, Absence, unknown[]]>([
  ["its project lists it", { ...IN_SHOP, things: LISTED, ...ONLY_READ }, HERE, [OF_SHOP]],
  ["its project lists it in upper case", { ...IN_UPPER, things: LISTED, uuid: UPPER }, HERE, [OF_UPPER]],
  ["another project lists it", { ...IN_UPPER, things: MOVED }, IN_BLOG, [OF_UPPER, "projects", OF_BLOG]],
  ["no project lists it", { ...IN_SHOP, things: UNLISTED }, GONE, [OF_SHOP, "projects", OF_BLOG]],
  ["the key can list its project only", { ...IN_SHOP, things: UNLISTED, ...ONLY_READ }, HIDDEN, [OF_SHOP]],
  [
    "its project is not found, although it is listed",
    { ...IN_UPPER, projects: [SHOP] },
    listed(
      `the list of the projects contains project ${SHOP} (request 2), although its things were not found (request 1)`,
    ),
    [OF_UPPER, "projects"],
  ],
  ["its project is gone", { ...IN_SHOP, projects: [] }, GONE, [OF_SHOP, "projects", "projects"]],
  ["its project is not found, and the key lists none", { ...IN_SHOP, ...ONLY_READ }, HIDDEN, [OF_SHOP]],
  ["it is declared in none", { ...IN_NONE, things: MOVED }, IN_BLOG, ["projects", OF_SHOP, OF_BLOG]],
  [
    "the organization lists it",
    { kind: "in organization", things: { "": [UUID] } },
    listed("the list of the things of the organization contains it (request 1)"),
    ["things of "],
  ],
  ["the organization lacks it", { kind: "in organization", things: { "": [] } }, GONE, ["things of "]],
  // However many projects there are.
  [
    "what has its UUID contains it",
    { kind: "alias", things: { "": [BLOG, UUID] } },
    listed("a list of the items of the organization contains it"),
    ["items"],
  ],
  ["what has its UUID lacks it", { kind: "alias", things: { "": [BLOG] } }, GONE, ["items"]],
  [
    "a project of what has its UUID is listed, but not found",
    { kind: "alias" },
    listed("the list of the projects contains one whose items were not found (request 7)"),
    ["items"],
  ],
  ["what has its UUID is hidden", { kind: "alias", things: { "": [UUID] }, ...ONLY_READ }, HIDDEN, []],
  ["it is a setting, which has no list", { kind: "setting", things: { "": [UUID] } }, GONE, []],
  ["it is in no list", { kind: "unlisted" }, unconfirmed("things are not listed to confirm it"), []],
])("the evidence if %s", async (_name, situation, absence, requests) => {
  const { target, requests: sent } = targetOf(situation);
  expect(await confirmAbsenceAnywhere(target)).toStrictEqual(absence);
  expect(sent).toEqual(requests);
});

test.each<[Situation, Error]>([
  [{ kind: "in organization" }, NOT_FOUND],
  [{ ...IN_SHOP, projects: null }, NOT_FOUND],
  [{ kind: "alias", things: { "": BROKEN } }, BROKEN],
])("a list of the organization that fails is an error, and no evidence: %j", async (situation, error) => {
  await expect(confirmAbsenceAnywhere(targetOf(situation).target)).rejects.toBe(error);
});

test.each<[string, Situation, string | undefined]>([
  ["its list contains it", { ...IN_SHOP, things: LISTED }, "However, the list of the things of project"],
  ["its list lacks it", { ...IN_SHOP, things: { [SHOP]: [] } }, undefined],
  ["the state lacks its project", { kind: "in project" }, "Only one response says so: the state has no"],
  ["the organization lacks it", { kind: "in organization", things: { "": [] } }, undefined],
  ["what has its UUID is hidden", { kind: "alias", declaredIn: SHOP, ...ONLY_READ }, undefined],
])("an object of the state is gone or not, if %s", async (_name, situation, reason) => {
  const { target } = targetOf(situation);
  const absence = await confirmAbsence(target);
  const require = () => requireGone(target, NOT_FOUND, absence);
  if (reason === undefined) return expect(require()).toBeUndefined();
  const message = expect.stringContaining(`\n${reason}`);
  expect(require).toThrow(expect.objectContaining({ name: "UserError", cause: NOT_FOUND, message }));
});

test.each<[string, Situation, Absence | undefined, RegExp]>([
  ["a list contains it", IN_SHOP, HERE, /^Reading failed.*\nHowever, the list of .* thing .* exists\. /],
  ["no list contains it", IN_SHOP, GONE, /^There is no thing .* UUID of a thing, .* in a minute\.$/],
  ["what has its UUID lacks it", { kind: "alias" }, GONE, /UUID of an item,/],
  ["none can confirm it", IN_SHOP, unconfirmed("why"), /minute\.\nOnly one response says so: why\.$/],
  ["there is something to do", { ...IN_SHOP, advice: "Do it." }, GONE, /in a minute\. Do it\.$/],
  ["the lists are requested", { kind: "unlisted" }, undefined, /says so: things are not listed to/],
])("the error for a UUID that the user has given, if %s", async (_name, situation, absence, message) => {
  const error = await explainNotFound(targetOf(situation).target, NOT_FOUND, absence);
  expect(error.cause).toBe(NOT_FOUND);
  expect(error.message).toMatch(message);
});

test("the error for a project asks the list of the projects", async () => {
  const { target, requests } = targetOf({ kind: "unlisted" });
  const errorFor = async (uuid: string) =>
    (await explainProjectNotFound(target.context, uuid, NOT_FOUND)).message;
  expect(await errorFor(SHOP)).toContain("it is not known whether project");
  expect(await errorFor(UUID)).toContain(`There is no project ${UUID}`);
  expect(requests).toEqual(["projects", "projects"]);
});
