/** A setting, what the service keeps for a project and a PUT sets, is a resource like the others: with a kind of this test. */
import { DYNAMIC_HOST, type Host, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { EVERY_DESCRIPTION } from "../../../provider/resources";
import { startEmulator } from "../../../testing/emulator";
import { type Declaration, declaredStack, type Kind } from "../../support/stacks/declaredStack";
import { seedWith, writesIn } from "../../support/stacks/scenarios";
import { changesOf, expectLifecycle, expectSettled } from "./anyKind";

jest.mock("../../../provider/resources", () => {
  const { projectSkinDescription: ProjectSkin } = jest.requireActual("../../support/values/projectSkin");
  const actual = jest.requireActual("../../../provider/resources");
  const descriptions = { ...actual.DESCRIPTIONS, ProjectSkin };
  return { ...actual, DESCRIPTIONS: descriptions, EVERY_DESCRIPTION: Object.values(descriptions) };
});

const KIND = "ProjectSkin" as Kind;
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const projectId = { idOf: "project" };
const LIGHT = { projectId, themeType: "basic", themeChoiceType: "light" };
const EXAMPLES = {
  valid: [LIGHT, { ...LIGHT, projectId: PROJECT }],
  changes: [{ to: { ...LIGHT, themeChoiceType: "dark" }, is: "update" }],
  invalid: { ...LIGHT, themeChoiceType: "pink" },
  failure: "themeChoiceType must be ",
} as const;
const SKIN = { kind: KIND, name: "skin", properties: { ...LIGHT, projectId: PROJECT } } as Declaration;

async function open(host: Host) {
  const service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Seeded" }]) });
  const newStack = () => declaredStack(service, { host });
  return { service, newStack, [Symbol.asyncDispose]: () => service.close() };
}

const PUT = "saveProjectSkin 200";

describe.each([DYNAMIC_HOST, NATIVE_HOST])("a setting, with $module,", (host) => {
  test("has the lifecycle of all kinds", async () => {
    await using tools = await open(host);
    expect(EVERY_DESCRIPTION.map(({ type }) => type)).toContain(KIND);
    await expectLifecycle(tools, KIND, EXAMPLES);
  });

  test("is set again by an update that was not applied, and a change in the console is drift", async () => {
    await using tools = await open(host);
    const { service, newStack } = tools;
    const stack = newStack();
    const lost = { operation: "saveProjectSkin", count: 9, effect: { reset: "after" } } as const;
    service.inject(lost);
    expect((await stack.up([SKIN])).failed).toBe(true);
    service.clearFaults();
    expect(changesOf(await stack.up([SKIN]))).toMatchObject({ create: 1 });
    service.clearRequests();
    const theirs = { ...SKIN, properties: { ...SKIN.properties, themeChoiceType: "geometric" } };
    changesOf(await newStack().up([theirs]));
    expect(changesOf(await stack.preview([SKIN], { refresh: true }))).toEqual({ update: 1 });
    expect(changesOf(await stack.up([SKIN], { refresh: true }))).toEqual({ update: 1 });
    expect(writesIn(service)).toEqual([PUT, PUT]);
    await expectSettled(stack, [SKIN]);
  });

  test("leaves the state when it is not set, although its project exists, and is not adopted then", async () => {
    await using tools = await open(host);
    const { service, newStack } = tools;
    const stack = newStack();
    changesOf(await stack.up([SKIN]));
    service.clock.advance(60_000);
    const notSet = { status: 404, message: "Skin not found." };
    service.inject({ operation: "getProjectSkin", count: Number.POSITIVE_INFINITY, effect: notSet });
    const { failed } = await newStack().up([{ ...SKIN, adopt: PROJECT }]);
    expect(failed).toBe(true);
    expect(changesOf(await stack.refresh())).toEqual({ delete: 1 });
    expect(writesIn(service)).toEqual([PUT]);
  });
});
