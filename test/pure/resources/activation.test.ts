/** When a refresh finds that a custom domain is no longer active: one read proves nothing, because a replica may be behind. */
import { customDomainActivationDescription as activation } from "../../../provider/resources/customDomainActivation";
import { fakeContext } from "../../support/values/fakeClock";
import { FOR_30_S } from "../lifecycle/things";

const ID = "0c0c0c0c-0000-4000-8000-000000000001";
const HOSTNAME = { hostname: "links.shop.example" };

test.each<[string, state: object, stages: readonly string[], isReady: boolean, waits: readonly number[]]>([
  ["active", HOSTNAME, ["ACTIVE"], true, []],
  ["active, after replicas that are behind", HOSTNAME, ["PENDING_DNS", "FAILED", "ACTIVE"], true, [250]],
  ["no longer active", HOSTNAME, ["EXPIRED"], false, FOR_30_S],
  ["not active, and never was", {}, ["PENDING_DNS"], false, []],
])("a domain is %s", async (_, state, stages, isReady, waits) => {
  const left = [...stages];
  const context = fakeContext();
  Object.assign(context.client, {
    getCustomDomain: async () => {
      const lifecycleStatus = left.length > 1 ? left.shift() : left[0];
      return { id: ID, ...HOSTNAME, lifecycleStatus, createdAt: "2026-01-01T10:00:00Z" };
    },
  });
  const { notReady } = await activation.read(context, ID, { customDomainId: ID, ...state } as never);
  expect(notReady).toEqual(isReady ? undefined : expect.stringContaining(`is ${stages.at(-1)}`));
  expect(context.clock.waits).toEqual(waits);
});
