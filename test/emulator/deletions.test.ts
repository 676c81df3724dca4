/** Deletions: of objects with contents, and what a deletion takes along. */
import { expectAnswer, OWN, paths, useService } from "./service";

const service = useService();
const { get, patch, remove, behave } = service;

describe("with contents", () => {
  test.each([
    ["project", paths.project, OWN.project, "Project still has applications, custom domains or links."],
    ["custom domain", paths.domain, OWN.domain, "Custom domain still has links."],
  ])("a %s is not deleted, or with all that refers to it", async (_, path, id, message) => {
    behave({ deletingPolls: 0 });
    const before = service.emulator.state;
    await expectAnswer(remove(path), 409, message);
    expect(service.emulator.state).toEqual(before);
    behave({ deleteWithContents: "cascade" });
    await expectAnswer(remove(path), 204);
    const others = Object.entries(before).map(([kind, objects]: [string, readonly object[]]) => [
      kind,
      objects.filter((object) => !JSON.stringify(object).includes(id)),
    ]);
    expect(service.emulator.state).toEqual(Object.fromEntries(others));
  });

  test.each([
    ["createApplication", { appType: "WEB" }],
    ["createCustomDomain", { hostname: "x.shop.example" }],
    ["createLink", { name: "x", url: "https://x.example/" }],
  ] as const)("a project with what %s alone adds is not deleted", async (create, values) => {
    const { id } = service.emulator.createProject(OWN.organization, { name: "Alone" });
    service.emulator[create](id, values as never);
    await expectAnswer(remove(`${paths.projects}/${id}`), 409);
  });

  test("an application that a link opens is not deleted, or also removed from the link", async () => {
    const apple_options = { application_id: OWN.ios, apple_action: "open" };
    await patch(paths.link, { apple_options, android_options: { application_id: OWN.android } });
    for (const path of [paths.ios, paths.android])
      await expectAnswer(remove(path), 409, "Application is used by a link.");
    behave({ deleteWithContents: "cascade" });
    for (const path of [paths.ios, paths.android]) await expectAnswer(remove(path), 204);
    await expectAnswer(get(paths.link), 200, {
      applications: { apple: null, android: null },
      apple_options: { application_id: null, apple_action: "open" },
      android_options: { application_id: null },
    });
  });
});

test("a link that is deleted is not found", async () => {
  await expectAnswer(remove(paths.link), 204);
  await expectAnswer(get(paths.link), 404, "Link not found.");
  await expectAnswer(remove(paths.link), 404);
});
