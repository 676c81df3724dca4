/** The bytes of the outputs in the state: Pulumi writes the whole state at every step. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { startEmulator } from "../../../testing/emulator";
import { type Declaration, declaredStack } from "../../support/stacks/declaredStack";
import { seedWith } from "../../support/stacks/scenarios";

function declare({ name, appName }: { readonly name: string; readonly appName: string }): Declaration[] {
  const projectId = { idOf: "shop" };
  const appleInfo = { appName, appScheme: "shop", bundleId: "example.shop.app" };
  return [
    { kind: "Project", name: "shop", properties: { name } },
    { kind: "Application", name: "web", properties: { projectId, appType: "WEB" } },
    { kind: "Application", name: "ios", properties: { projectId, appType: "IOS", appleInfo } },
    { kind: "CustomDomain", name: "links", properties: { projectId, hostname: "links.shop.example" } },
    { kind: "CustomDomainActivation", name: "active", properties: { customDomainId: { idOf: "links" } } },
  ];
}

test.each([DYNAMIC_HOST, NATIVE_HOST])("a hidden time is saved while needed, with $module", async (host) => {
  await using service = await startEmulator({ seed: seedWith() });
  const stack = declaredStack(service, { host });
  const bytes = () =>
    Object.fromEntries(
      stack.resources.map(({ urn, outputs = {} }) => {
        const { __provider: _, ...saved } = outputs;
        return [urn.split("::").at(-1), JSON.stringify(saved).length];
      }),
    );
  const sizes = [];
  const up = async (change: Parameters<typeof declare>[0]) => {
    expect(await stack.up(declare(change))).toMatchObject({ failed: false });
    sizes.push(bytes());
  };
  await up({ name: "Shop", appName: "Shop" });
  service.clock.advance(60_000);
  await up({ name: "Shops", appName: "Shops" });
  expect(await stack.refresh()).toMatchObject({ failed: false });
  sizes.push(bytes());
  const created = { shop: 190, web: 163, ios: 243, links: 229, active: 145 };
  // A time of the last change that is later than the creation.
  const changed = { ...created, shop: 237, ios: 290 };
  // The creation of the domain is no longer needed.
  expect(sizes).toEqual([created, changed, { ...changed, links: 190 }]);
});
