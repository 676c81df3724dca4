/** Every field of every create and update: the response, and all reads after it, have what was sent. */
import fc from "fast-check";
import type { Operation } from "../../../testing/emulator/contract/contract";
import { expectAnswer, pathOf, paths, useService } from "../service";
import { contentOf, contract, OPERATIONS_WITH_BODY, referring, whole } from "./contract";

type Body = Record<string, unknown>;

const service = useService();
const { behave, get, request } = service;
const RUNS = { numRuns: 5 };

/** The fields of a body that have another name in responses, or are not in them. */
const RENAMED: Readonly<Record<string, string | undefined>> = {
  dynamic_link_suffix: "suffix",
  custom_domain_url: undefined,
};
const DERIVED: Readonly<Record<string, string>> = {
  logo_image_id: "logo_image",
  dynamic_link_suffix: "short_url",
  apple_options: "applications",
  android_options: "applications",
};

function shown(body: Body): Body {
  const nameOf = (name: string) => (name in RENAMED ? RENAMED[name] : name);
  const renamed = Object.entries(body).map(([name, value]) => [nameOf(name), value]);
  return Object.fromEntries(renamed.filter(([name]) => name !== undefined));
}

const reads = contract.operations.filter(({ method }) => method === "get");

/** Expects that the read of an object, and each list that contains it, has what a write has returned. */
async function expectReadsOf(write: Operation, object: Body): Promise<void> {
  const { $ref } = contentOf(write) as { readonly $ref: string };
  for (const read of reads.filter(({ path }) => !path.endsWith("/resolve"))) {
    const content = contentOf(read) as { readonly $ref: string };
    const { properties = {} } = whole(content);
    const [list] = Object.entries(properties).find(([, { items }]) => items?.$ref === $ref) ?? [];
    // A list of the links of a custom domain has no others.
    const isThere = object.custom_domain_id !== null || !read.path.includes("custom_domain_id");
    if (content.$ref === $ref) expect((await get(pathOf(read, object.id))).body).toEqual(object);
    if (list !== undefined && isThere) expect((await get(pathOf(read))).body[list]).toContainEqual(object);
  }
}

const CREATES = OPERATIONS_WITH_BODY.filter(({ method }) => method !== "patch").flatMap((one) =>
  one.variants.map((schema, index) => [`${one.operationId} ${index}`, one, schema] as const),
);

test.each(CREATES)("%s returns and stores what was sent, else null", async (_, operation, schema) => {
  const fields = Object.keys(whole(contentOf(operation) ?? {}).properties ?? {}).sort();
  const creation = async (body: Body) => {
    service.emulator.reset();
    behave({ domainAdvance: "manual" });
    const { status, body: object } = await request(operation.method.toUpperCase(), pathOf(operation), body);
    expect(object).toMatchObject(shown(body));
    expect([status, Object.keys(object).sort()]).toEqual([[...operation.answers.keys()][0], fields]);
    for (const [name, { default: unset = null }] of Object.entries(schema.properties ?? {}))
      if (name in object && !(name in body)) expect([name, object[name]]).toEqual([name, unset]);
    await expectReadsOf(operation, object);
  };
  for (const complete of [true, false])
    await fc.assert(fc.asyncProperty(referring(schema, complete), creation), RUNS);
});

/** The updates of objects of the seed, and what must have one value. */
const UPDATES: [operationId: string, path: string, fixed: object][] = [
  ["updateProject", paths.project, {}],
  ["updateApplication", paths.ios, { app_type: "IOS", android_info: null }],
  ["updateApplication", paths.android, { app_type: "ANDROID", apple_info: null }],
  ["updateLink", paths.link, {}],
];

test.each(UPDATES)("%s of %s changes each field, and no other", async (operationId, path, fixed) => {
  const operation = OPERATIONS_WITH_BODY.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no ${operationId}.`);
  const [{ properties = {} } = {}] = operation.variants;

  async function expectChange(name: string, value: unknown): Promise<void> {
    const derived = DERIVED[name];
    const { body: before } = await get(path);
    service.emulator.clock.advance(1_000);
    const changed = await expectAnswer(request("PATCH", path, { [name]: value }), 200);
    expect(changed).toEqual({
      ...before,
      ...shown({ [name]: value }),
      ...(derived !== undefined && { [derived]: changed[derived] }),
      updated_at: service.emulator.clock.now().toISOString(),
    });
    await expectReadsOf(operation as Operation, changed);
  }

  await fc.assert(
    fc.asyncProperty(referring(operation.body ?? {}, true), async (body) => {
      service.emulator.reset();
      for (const [name, value] of Object.entries({ ...body, ...fixed })) {
        await expectChange(name, value);
        // An application needs the info of its platform.
        if (whole(properties[name] ?? {}).nullable && !name.endsWith("_info")) await expectChange(name, null);
      }
    }),
    RUNS,
  );
});
