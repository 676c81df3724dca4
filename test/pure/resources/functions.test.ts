/** The arguments of functions are checked as the inputs of resources are, and a 404 counts as that of a resource does. */
import { z } from "zod";
import { uuid } from "../../../provider/client/model/formats";
import { type Fact, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { callFunction, checkedArguments, FUNCTIONS } from "../../../provider/resources/functions";
import { fakeClock } from "../../support/values/fakeClock";
import { BROKEN, FOR_30_S, ledgerWith, NOT_FOUND, replyWith } from "../lifecycle/things";

const ID = "0c0c0c0c-0000-4000-8000-000000000003";
const LOOKUP = { ...FUNCTIONS.getLink, args: { id: uuid, limit: z.int().min(1).max(100).optional() } };

test("arguments of any type are returned in canonical form", () => {
  const values = { id: ID.toUpperCase(), limit: 5 };
  expect(checkedArguments("getLinks", LOOKUP, values)).toEqual({ id: ID, limit: 5 });
  expect(checkedArguments("getLinks", LOOKUP, { id: ID })).toEqual({ id: ID });
});

test("all that is wrong with them is reported, with the nearest name", () => {
  const check = () => checkedArguments("getLinks", LOOKUP, { limit: 0, Limit: 5 });
  const lines = ["id is required: a UUID", "limit must be a whole number from 1 to 100"];
  const unknown = "Limit is not an argument; allowed: id, limit; did you mean limit?";
  expect(check).toThrow([...lines, unknown].map((line) => `getLinks: ${line}`).join("\n"));
});

const object = objectKey("project", ID);
const CREATED: Fact = { is: "young", object, untilMs: 30_000 };
const OTHER: Fact = { ...CREATED, object: objectKey("application", ID) };

test.each<[string, { mayBeNew?: boolean; facts?: Fact[] }, replies: (Error | object)[], waits: number[]]>([
  ["waits for an object that may be new", { mayBeNew: true }, [NOT_FOUND, NOT_FOUND, {}], [250, 500]],
  ["waits for an object that the run has created", { facts: [CREATED] }, [NOT_FOUND, {}], [250]],
  ["waits for at most 30 seconds", { mayBeNew: true }, [NOT_FOUND], FOR_30_S],
  ["waits for no other object", { facts: [OTHER] }, [NOT_FOUND], []],
  ["waits after a 404 only", { mayBeNew: true }, [BROKEN], []],
])("a function %s", async (_, { facts = [], ...more }, replies, waits) => {
  const clock = fakeClock();
  const memory = { ...newRunMemory(), ledger: ledgerWith(facts) };
  const identity = async () => ({ organizationId: ID, scopes: ["projects:read", "applications:read"] });
  const client = {
    listApplications: replyWith(replies),
    listProjects: async () => [],
    withOptions: () => client,
  };
  const session = { client, identity } as never;
  const called = callFunction("getApplications", { projectId: ID }, () => ({
    session,
    memory,
    clock,
    ...more,
  }));
  const last = replies.at(-1);
  if (last instanceof Error)
    await expect(called).rejects.toThrow(last === NOT_FOUND ? `There is no project ${ID}` : last.message);
  else await called;
  expect(clock.waits).toEqual(waits);
});
