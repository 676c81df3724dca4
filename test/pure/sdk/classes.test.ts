/** What the classes of both hosts register: the type, the alias to the class of the other host, and the options. */
import { pathToFileURL } from "node:url";
import * as pulumi from "@pulumi/pulumi";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { DESCRIPTIONS } from "../../../provider/resources";
import * as dynamic from "../../../sdk";
import * as native from "../../../sdk/native";

const UUID = "0C0C0C0C-0000-4000-8000-000000000003";
const ARGS = { name: "Shop" };
const NO_UUID =
  "must be a UUID, such as 8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de; slugs, names and paths are not accepted.";
const BROKEN = { appName: "\udc00", appScheme: "a", bundleId: "a.b" };
const SECRET_NAME = { additionalSecretOutputs: ["name"] };
// The SDK drops one half of a pair and sends the other, which crashes the engine.
const HALF = "must be well-formed Unicode text: it contains half of a surrogate pair";
const TEXT =
  "contains an Output that became text before its value was known: use pulumi.interpolate, or in Python pulumi.Output.format";
const NAME = "The name of a resource or provider";
const NO_OUTPUT = "must be a UUID that is known in preview, not the output of another resource.";

interface Registered {
  readonly type: string;
  readonly props: Record<string, unknown>;
  readonly opts: pulumi.CustomResourceOptions;
}

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: ({ token, inputs }) => ({ token, ...inputs }),
  });
});

function knownUrn({ urn }: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => urn.apply(resolve));
}

function registeredBy(declare: (options: pulumi.ResourceOptions) => unknown): Registered {
  const seen: Registered[] = [];
  declare({
    transformations: [
      (args) => {
        seen.push(args as unknown as Registered);
        return undefined;
      },
    ],
  });
  const [registered] = seen;
  if (registered === undefined) throw new Error("Nothing was registered.");
  return registered;
}

const DYNAMIC = "pulumi-nodejs:dynamic/dynamiclink:";
const NATIVE = "dynamiclink:index:";
const MODULES = [
  { name: "dynamic", module: dynamic, own: DYNAMIC, other: NATIVE },
  { name: "native", module: native, own: NATIVE, other: DYNAMIC },
];
const types = Object.keys(DESCRIPTIONS) as (keyof typeof DESCRIPTIONS)[];

test("both modules export the same names, so that a program can change its import line", () => {
  expect(Object.keys(dynamic).sort()).toEqual(Object.keys(native).sort());
  expect(dynamic.AppType).toEqual({ IOS: "IOS", ANDROID: "ANDROID", WEB: "WEB" });
});

describe.each(MODULES)("a $name class", ({ module, own, other }) => {
  test("records where the program creates a resource, in one stack trace without the frames of Node.js and of Pulumi", async () => {
    const stack = jest.spyOn(RegisterResourceRequest.prototype, "setStacktrace");
    const { prepareStackTrace, stackTraceLimit } = Error;
    // Pulumi installs one before it runs a program.
    let traces = 0;
    const ofPulumi = (error: Error, frames: NodeJS.CallSite[]) => {
      traces += Math.sign(frames.length);
      return [String(error), ...frames.map((frame) => `    at ${frame}`)].join("\n");
    };
    Error.prepareStackTrace = ofPulumi;
    // Pulumi reads only frames of functions with a name.
    const project = (function declare() {
      return new module.Project("shop", { name: "Shop" });
    })();
    const during = [Error.prepareStackTrace, Error.stackTraceLimit, traces];
    const failure = {
      message: expect.stringMatching(/^Missing/),
      stack: expect.stringContaining(__filename),
    };
    expect(() => new module.Project("", ARGS)).toThrow(expect.objectContaining(failure));
    const after = [Error.prepareStackTrace, Error.stackTraceLimit];
    Error.prepareStackTrace = prepareStackTrace;
    // A trace for each promise would cost a fifth of the time.
    expect([during, after]).toEqual([
      [ofPulumi, stackTraceLimit, 1],
      [ofPulumi, stackTraceLimit],
    ]);
    await knownUrn(project);
    const frames = stack.mock.lastCall?.[0]?.getFramesList().map((frame) => frame.getPc()?.getUri());
    expect(frames?.[0]).toBe(pathToFileURL(__filename).href);
    const foreign = frames?.slice(2).filter((uri) => uri === undefined || /^node:|pulumi.pulumi/.test(uri));
    expect(foreign).toEqual([]);
  });

  test.each(types)("%s has an alias to its class of the other host, after those of the program", (type) => {
    const { type: registered, opts } = registeredBy(
      (options) =>
        new module[type]("one", {} as never, { ...options, aliases: [{ name: "earlier" }, "urn"] }),
    );
    expect(registered).toBe(`${own}${type}`);
    expect(opts.aliases).toEqual([{ name: "earlier" }, "urn", { type: `${other}${type}` }]);
  });

  test("get has the alias as well, and only the id", () => {
    const { opts, props } = registeredBy((options) => module.Project.get("one", UUID, options));
    expect(opts).toMatchObject({ id: UUID, aliases: [{ type: `${other}Project` }] });
    const known = Object.keys(props).filter((name) => props[name] !== undefined && !name.startsWith("__"));
    expect(known).toEqual([]);
  });

  test("import protects the object unless the program says otherwise", () => {
    const optionsWith = (more: object) =>
      registeredBy((options) => new module.Project("one", ARGS, { ...options, ...more })).opts;
    expect(optionsWith({ import: UUID })).toMatchObject({ protect: true, retainOnDelete: true });
    const set = { protect: false, retainOnDelete: false };
    expect(optionsWith({ import: UUID, ...set })).toMatchObject(set);
    // As in Pulumi, an import that is undefined creates.
    const { protect, retainOnDelete } = optionsWith({ import: undefined });
    expect([protect, retainOnDelete]).toEqual([undefined, undefined]);
  });

  const output = pulumi.output("a");
  test.each<[subject: string, shown: string, reason: string, declare: () => unknown]>([
    ["shop: name", '"a\\ud800b"', HALF, () => new module.Project("shop", { name: "a\ud800b" })],
    [
      "shop: appleInfo.appName",
      '"\\udc00"',
      HALF,
      () => new module.Application("shop", { projectId: UUID, appType: "IOS", appleInfo: BROKEN }),
    ],
    ["shop: name", "", HALF, () => new module.Project("shop", { name: "a\ud800" }, SECRET_NAME)],
    ["shop: id", '"\\ud800"', HALF, () => module.Project.get("shop", "\ud800")],
    ["shop: import", "", TEXT, () => new module.Project("shop", ARGS, { import: `${output}` })],
    ["Provider other: apiUrl", "", TEXT, () => new module.Provider("other", { apiUrl: `https://${output}` })],
    [NAME, '"\\ud800"', HALF, () => new module.Project("\ud800", ARGS)],
    [NAME, "", TEXT, () => new module.Provider(`${output}`)],
  ])("refuses a text that cannot be meant, where it is declared: %s", (subject, shown, reason, declare) => {
    const value = shown && ` It is ${shown}.`;
    expect(declare).toThrow(new pulumi.RunError(`${subject} ${reason}.${value}`));
  });

  test.each<[value: string, adopt: unknown, refusal: string]>([
    ["a slug", "acme/shop", `${NO_UUID} It is "acme/shop".`],
    ["a UUID with a space", `${UUID} `, `${NO_UUID} It is "${UUID} ".`],
    ["null", null, `${NO_UUID} It is null.`],
    ["an Output", pulumi.output(UUID), NO_OUTPUT],
    ["a Promise", Promise.resolve(UUID), NO_UUID],
  ])("import refuses what is not a UUID: %s", (_, adopt, refusal) => {
    expect(() => new module.Project("shop", ARGS, { import: adopt as string })).toThrow(
      new pulumi.RunError(`shop: import ${refusal}`),
    );
  });

  // Pulumi would create an object for a falsy id.
  test.each([[""], [undefined], [null]])("get refuses the id %p", (id) => {
    expect(() => module.Project.get("shop", id as unknown as string)).toThrow(`shop: id ${NO_UUID}`);
  });

  test("isInstance knows its own resources only", () => {
    const other = module === native ? dynamic : native;
    const shop = new module.Project("shop", { name: "Shop" });
    expect([module.Project.isInstance(shop), module.CustomDomain.isInstance(shop)]).toEqual([true, false]);
    expect(other.Project.isInstance(shop)).toBe(false);
  });
});

test("a native class registers its arguments alone, and Pulumi's own import with the UUID as it is in states", () => {
  const { props, opts } = registeredBy(
    (options) =>
      new native.Project("one", ARGS, { ...options, import: UUID, customTimeouts: { create: "1m" } }),
  );
  expect(Object.keys(props).filter((name) => name.startsWith("__"))).toEqual([]);
  expect(props).toMatchObject({ name: "Shop" });
  expect(opts).toMatchObject({ import: UUID.toLowerCase(), customTimeouts: { create: "1m" } });
});

describe("Provider", () => {
  const ARGS = { apiKey: "a-key-of-this-test", apiUrl: "https://api.shop.example", readOnly: true };

  test("has an alias to the class of the other host, on both hosts", () => {
    const [one, other] = [dynamic, native].map((module) =>
      registeredBy((options) => new module.Provider("one", ARGS, { ...options, aliases: ["urn"] })),
    );
    expect(one?.opts.aliases).toEqual(["urn", { type: other?.type }]);
    expect(other?.opts.aliases).toEqual(["urn", { type: one?.type }]);
  });

  test("of the native plugin has its settings under their own names, with the key as a secret", async () => {
    const { props } = registeredBy((options) => new native.Provider("one", ARGS, options));
    const settings = props as Record<string, pulumi.Output<string>>;
    expect(Object.keys(settings)).toEqual(["apiKey", "apiUrl", "readOnly"]);
    const values = await Promise.all(
      Object.values(settings).map((value) => new Promise((resolve) => void value.apply(resolve))),
    );
    expect(values).toEqual([ARGS.apiKey, ARGS.apiUrl, "true"]);
    const secret = await Promise.all(Object.values(settings).map((value) => pulumi.isSecret(value)));
    expect(secret).toEqual([true, false, false]);
  });
});

describe.each([
  { own: native, other: dynamic, names: ["pulumi-dynamiclink/native", "pulumi-dynamiclink"] },
  { own: dynamic, other: native, names: ["pulumi-dynamiclink", "pulumi-dynamiclink/native"] },
])("a Provider of the other module is rejected by $names.0", ({ own, other, names: [owner, stranger] }) => {
  const message = `is imported from ${owner}, but its provider is a Provider of ${stranger}. Import both from the same module.`;
  const args = { name: "Shop" };

  test("as the option provider", () => {
    const provider = new other.Provider("stranger");
    expect(() => new own.Project("shop", args, { provider })).toThrow(`shop ${message}`);
    expect(() => own.Project.get("shop", UUID, { provider })).toThrow(`shop ${message}`);
  });

  test("from the parent, unless the parent has one of the same module too", () => {
    const providers = [new other.Provider("stranger")];
    const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers });
    expect(() => new own.Project("shop", args, { parent })).toThrow(`shop ${message}`);
    const both = [...providers, new own.Provider("own")];
    const mixed = new pulumi.ComponentResource("test:index:Group", "mixed", {}, { providers: both });
    expect(() => new own.Project("shop", args, { parent: mixed })).not.toThrow();
    expect(() => new own.Project("shop", args, { parent, provider: new own.Provider("mine") })).not.toThrow();
  });

  test("by functions", async () => {
    const provider = new other.Provider("stranger");
    await expect(own.getProject({ id: UUID }, { provider })).rejects.toThrow(message);
  });
});

describe.each([
  ["dynamic", dynamic],
  ["native", native],
] as const)("functions of the %s host", (_, { getProject, getProjects, getProjectsOutput }) => {
  type Loose = (...call: unknown[]) => unknown;
  test.each<[string, () => unknown, string]>([
    ["an unknown option", () => getProjects({ id: UUID } as never), "id is not an option of getProjects"],
    ["a typo", () => getProject({ id: UUID }, { providr: 1 } as never), "providr is not an option"],
    ["arguments that it lacks", () => (getProjects as Loose)({}, {}), "getProjects has no arguments"],
    ["those", () => (getProjectsOutput as Loose)({}, {}), "getProjectsOutput has no arguments"],
  ])("refuse %s", async (_case, call, error) => {
    await expect((async () => await call())()).rejects.toThrow(error);
  });
});
