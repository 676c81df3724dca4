/** Which organization a key must belong to. */
import {
  requireKnownOrganization,
  requireOrganization,
  requireOwnersKey,
  requireProviderOrganization,
} from "../../../provider/lifecycle/ownership";
import type { Session } from "../../../provider/session/session";
import { BROKEN } from "./things";

const OURS = "ours";
const OTHER = "theirs";

/** Whether an object of an owner can be used, and whether a 404 shows that it was deleted. */
test.each<[owner: unknown, isUsable: boolean, isDeleted: boolean]>([
  [OURS, true, true],
  [OURS.toUpperCase(), true, true],
  [OTHER, false, false],
  [undefined, true, false],
  [null, true, false],
])("with a key of our organization, and an owner %s", async (owner, isUsable, isDeleted) => {
  const identity = async () => ({ organizationId: OURS });
  const session = { identity, lookUpIdentity: identity } as unknown as Session;
  const results = await Promise.allSettled([
    requireOrganization(session, owner, "thing 1"),
    (async () => requireProviderOrganization(owner, OURS))(),
    (async () => requireKnownOrganization(new Set([OURS, String(owner ?? OURS)]), OURS, "thing"))(),
    requireOwnersKey(session, owner, "thing 1"),
  ]);
  const [used, provider, known, deleted] = results.map((result) =>
    result.status === "fulfilled" ? true : result.reason.message,
  );
  const refusal = (isOk: boolean, text: string) => (isOk ? true : expect.stringContaining(text));
  expect(used).toEqual(refusal(isUsable, `Thing 1 belongs to organization ${OTHER}, but`));
  expect(provider).toEqual(refusal(isUsable, `belong to organization ${OTHER}, but`));
  expect(known).toEqual(refusal(isUsable, `${OTHER}. Use a key of organization ${OTHER}: `));
  expect(deleted).toEqual(refusal(isDeleted, owner == null ? "does not contain" : `Thing 1 belongs to`));
});

test.each([
  [async () => ({ organizationId: OTHER }), `key belongs to organization ${OTHER}`],
  [() => Promise.reject(BROKEN), BROKEN.message],
])(
  "a 404 counts as deleted only after the key was looked up again, because it may belong to another organization now",
  async (lookUpIdentity, error) => {
    const session = {
      identity: async () => ({ organizationId: OURS }),
      lookUpIdentity,
    } as unknown as Session;
    await expect(requireOwnersKey(session, OURS, "thing 1")).rejects.toThrow(error);
  },
);
