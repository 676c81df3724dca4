/**
 * The emulator answers with what it was sent: every field of every body, in the response, in a later GET, and in a list. The
 * requests, the bodies and the reads are derived from the contract.
 */
import fc from "fast-check";
import { loadContract, type Operation } from "../../testing/emulator/contract/contract";
import { fromWire } from "../../testing/emulator/wire/wire";
import { wholeBodies } from "../support/values/validResponses";
import { OPERATIONS_WITH_BODY } from "./bodies";
import { expectAnswer, OWN, useService } from "./service";

const contract = loadContract("openapi.yaml");
const service = useService({ behaviour: { uniqueNames: false } });

type Fields = Readonly<Record<string, unknown>>;

const IDS: Readonly<Record<string, string>> = {
  organization_id: OWN.organization,
  project_id: OWN.project,
  application_id: OWN.ios,
  custom_domain_id: OWN.domain,
  link_id: OWN.link,
};

/** Values that are not arbitrary, by the names of the fields. */
const GIVEN: Fields = {
  ...IDS,
  custom_domain_url: "https://go.shop.example",
  hostname: "new.shop.example",
};

/** What else a body must have so that an operation accepts it, for each variant. */
const VARIANTS: Readonly<Record<string, readonly Fields[]>> = {
  updateApplication: [
    { app_type: "IOS", android_info: null },
    { app_type: "ANDROID", apple_info: null },
  ],
};

/** Fields of bodies that the response has under another name. */
const RENAMED: Readonly<Record<string, string>> = {
  dynamic_link_suffix: "suffix",
  custom_domain_url: "hostname",
};

/** The value under the name that the response has. */
function answered(name: string, value: unknown): Fields {
  return { [RENAMED[name] ?? name]: name === "custom_domain_url" ? new URL(String(value)).hostname : value };
}

/** A body in which ids are those of objects. */
function sendable(body: Fields): Fields {
  const entries = Object.entries(body).map(([name, value]) => {
    if (name === "android_options") return [name, { ...Object(value), application_id: OWN.android }];
    if (name === "apple_options") return [name, { ...Object(value), application_id: OWN.ios }];
    return [name, GIVEN[name] ?? value];
  });
  return Object.fromEntries(entries);
}

/** A path with the ids of the seed. The last one is that of the object, if the path ends with it. */
function pathOf({ path }: Operation, id?: string): string {
  const own = id === undefined ? path : path.replace(/\{\w+\}$/, id);
  return own.replace("/api/v2", "").replace(/\{(\w+)\}/g, (_, name) => IDS[name] ?? "");
}

/** The name of the schema of an operation's success. */
function returned({ answers }: Operation): string {
  return String(Object([...answers].find(([status]) => status < 300)?.[1]).$ref);
}

/** The operations that return the objects of a schema: each alone, and those that list them, with the field of the list. */
function readsOf(schema: string) {
  const reads = contract.operations.filter(
    ({ method, parameters }) => method === "get" && parameters.query.required.length === 0,
  );
  const lists = reads.flatMap((operation) => {
    const { properties = {} } = Object(
      contract.document.components.schemas[returned(operation).split("/").at(-1) ?? ""],
    );
    const field = Object.keys(properties).find((name) => Object(properties[name].items).$ref === schema);
    return field === undefined ? [] : [{ operation, field }];
  });
  return { alone: reads.filter((operation) => returned(operation) === schema), lists };
}

/** Sends a body, and expects its fields in the response, in the object, and in its lists. */
async function send(operation: Operation, body: Fields): Promise<void> {
  const expected = Object.assign({}, ...Object.entries(body).map(([name, value]) => answered(name, value)));
  const [status = 0] = [...operation.answers.keys()].filter((each) => each < 300);
  const request = service.request(operation.method.toUpperCase(), pathOf(operation), body);
  const { id } = await expectAnswer(request, status, expected);
  const { alone, lists } = readsOf(returned(operation));
  for (const read of alone) await expectAnswer(service.get(pathOf(read, String(id))), 200, expected);
  const listed = await Promise.all(
    lists.map(async (list) => (await service.get(pathOf(list.operation))).body[list.field] as Fields[]),
  );
  const found = listed.flat().filter((each) => each.id === id);
  for (const object of found) expect(object).toMatchObject(expected);
  expect({ reads: alone.length, isListed: found.length > 0 }).toEqual({
    reads: 1,
    isListed: lists.length > 0,
  });
}

const SENDING = contract.operations.filter(({ body }) => body !== undefined);

test("every body is tried", () => {
  expect(SENDING.map(({ operationId }) => operationId).sort()).toEqual([...OPERATIONS_WITH_BODY].sort());
});

const CASES = SENDING.flatMap((operation) => {
  const { operationId } = operation;
  return wholeBodies(operationId).flatMap(({ names, bodies }) =>
    (VARIANTS[operationId] ?? [{}]).map((more) => [operationId, names, { operation, bodies, more }] as const),
  );
});

test.each(CASES)("%s is answered with %j", async (_id, names, { operation, bodies, more }) => {
  for (const generated of fc.sample(bodies, { seed: 1, numRuns: 2 })) {
    const body = { ...sendable(generated), ...more };
    expect(Object.keys(body).sort()).toEqual([...names].sort());
    await send(operation, body);
    if (operation.method !== "patch") continue;
    for (const [name, value] of Object.entries(body))
      if (value !== null) await send(operation, { [name]: value });
  }
});

test.each([
  ["createProject", "SeedProject"],
  ["createProject", "NewProject"],
  ["updateProject", "ProjectChange"],
  ["createApplication", "SeedApplication"],
  ["updateApplication", "ApplicationChange"],
  ["createCustomDomain", "SeedCustomDomain"],
])("what %s accepts, a test can add or change directly: %s", (operationId, schema) => {
  for (const { bodies } of wholeBodies(operationId)) {
    const [body = {}] = fc.sample(bodies, { seed: 1, numRuns: 1 });
    const { projectName, ...same } = fromWire(sendable(body)) as Fields;
    const value = { ...same, ...(projectName !== undefined && { name: projectName }) };
    expect(loadContract("controls.yaml").schemaErrors(schema, value)).toEqual([]);
  }
});
