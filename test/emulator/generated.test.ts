/** Requests that are generated from the interface's description: valid and broken, in any order, under any behaviour. */
import fc from "fast-check";
import type { Behaviour, startEmulator } from "../../testing/emulator";
import { loadContract, type Operation } from "../../testing/emulator/contract/contract";
import { unicodeText, webAddress } from "../support/values/text";
import { OPERATIONS_WITH_BODY, validBodies } from "./bodies";
import { FOREIGN, OWN, startService, useService } from "./service";

const contract = loadContract("openapi.yaml");
/** The schemas of both documents, by name. */
const SCHEMAS = {
  ...contract.document.components.schemas,
  ...loadContract("controls.yaml").document.components.schemas,
} as Readonly<Record<string, Schema>>;

function named({ $ref = "" }: Schema): Schema {
  return SCHEMAS[$ref.split("/").at(-1) ?? ""] ?? {};
}

/** The parts of the schema of a parameter or an option. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values of a parameter or an option. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, minimum: min = 0, maximum: max = 100, properties = {}, required = [] } = schema;
  if (schema.$ref !== undefined) return valuesOf(named(schema));
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map(valuesOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min, max });
  if (type === "number") return fc.double({ min, max, noNaN: true });
  if (type === "string")
    return schema.format === "uri" ? webAddress : unicodeText({ minLength: 1, maxLength: 30 });
  const fields = Object.entries(properties).map(([name, property]) => [name, valuesOf(property)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

const behaviours = valuesOf(SCHEMAS.Behaviour ?? {}) as fc.Arbitrary<Partial<Behaviour>>;

const idsOf: { [parameter: string]: string[] } = {
  organization_id: [OWN.organization, OWN.organization, OWN.organization, FOREIGN.organization],
  project_id: [OWN.project, OWN.project, OWN.secondProject, FOREIGN.project],
  application_id: [OWN.ios, OWN.android, OWN.secondIos, FOREIGN.application],
  custom_domain_id: [OWN.domain, OWN.domain, OWN.secondDomain, FOREIGN.domain],
  link_id: [OWN.link, OWN.domainLink, FOREIGN.link],
};
const ids = Object.values(idsOf).flat();

/** A body in which the ids are mostly those of objects. */
function withIds(body: unknown, index: number): unknown {
  const text = JSON.stringify(body).replaceAll(
    /"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g,
    (id, _, offset) => JSON.stringify(ids[(index + offset) % (ids.length + 4)] ?? JSON.parse(id)),
  );
  return JSON.parse(text);
}

interface GeneratedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly body: unknown;
}

function validRequests(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const { path, query } = operation.parameters;
  const queries = Object.entries(query.properties).map(([name, schema]) => {
    const values = name in idsOf ? fc.constantFrom(...(idsOf[name] ?? [])) : valuesOf(schema as Schema);
    return [name, query.required.includes(name) ? values : fc.option(values, { nil: undefined })] as const;
  });
  const names = Object.keys(path.properties);
  return fc.record({
    operation: fc.constant(operation),
    path: fc
      .tuple(
        fc.tuple(...names.map((name) => fc.constantFrom(...(idsOf[name] ?? [])))),
        fc.record(Object.fromEntries(queries)),
      )
      .map(([values, parameterValues]) => {
        const path = names.reduce(
          (text, name, index) => text.replace(`{${name}}`, values[index] ?? ""),
          operation.path.replace("/api/v2", ""),
        );
        const search = new URLSearchParams();
        for (const [name, value] of Object.entries(parameterValues)) {
          if (value !== undefined) search.set(name, String(value));
        }
        return search.size === 0 ? path : `${path}?${search}`;
      }),
    body: OPERATIONS_WITH_BODY.includes(operation.operationId)
      ? fc.tuple(validBodies(operation.operationId), fc.nat()).map(([body, index]) => withIds(body, index))
      : fc.constant(undefined),
  });
}

/** Valid requests with one part broken or unusual. */
function spoiltRequests(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  return fc
    .tuple(
      validRequests(operation),
      fc.nat(),
      fc.oneof(
        fc.jsonValue(),
        fc.string().map((text) => text.repeat(200)),
      ),
    )
    .chain(([request, seed, value]) => {
      const { body } = request;
      const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
      const [name] = entries[seed % Math.max(entries.length, 1)] ?? [];
      const withBody = (changed: unknown): GeneratedRequest => ({ ...request, body: changed });
      const spoiltPaths: GeneratedRequest[] = [
        { ...request, path: request.path.replace(/[0-9a-f]{8}-/, "x") },
        { ...request, path: request.path.replace(/[0-9a-f]{4}\b/, "ffff") },
        {
          ...request,
          path: `${request.path}${request.path.includes("?") ? "&" : "?"}limit=${seed}&cursor=x&url=x`,
        },
      ];
      if (operation.method === "get") return fc.constantFrom(...spoiltPaths);
      return fc.constantFrom(
        ...spoiltPaths,
        withBody(value),
        withBody("{"),
        withBody(undefined),
        withBody(Object.fromEntries(entries.filter(([one]) => one !== name))),
        withBody({ ...Object.fromEntries(entries), [name ?? "other"]: value }),
        withBody({ ...Object.fromEntries(entries), other_field: value }),
      );
    });
}

const service = useService();

/** Sends a request, which gets a documented status. */
async function send({ operation, path, body }: GeneratedRequest): Promise<void> {
  const { status } = await service.request(operation.method.toUpperCase(), path, body);
  expect([...operation.answers.keys()]).toContain(status);
  expect(service.emulator.violations).toEqual([]);
}

test("any sequence of requests is answered as documented and leaves a consistent state", async () => {
  const requests = fc.oneof(
    ...contract.operations.flatMap((operation) => [
      { weight: 5, arbitrary: validRequests(operation) },
      { weight: 1, arbitrary: spoiltRequests(operation) },
    ]),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(requests, { minLength: 5, maxLength: 40 }),
      behaviours,
      async (sequence, behaviour) => {
        service.emulator.reset();
        service.emulator.setBehaviour(behaviour);
        for (const request of sequence) {
          await send(request);
        }
        expect(service.emulator.requests).toHaveLength(sequence.length);
        expectNoOrphans(service.emulator.state);
      },
    ),
    { numRuns: 30 },
  );
});

test("the same requests lead to the same statuses and ids", async () => {
  const options = { startTime: new Date("2030-01-01T00:00:00Z") };
  const twins = [await startService(options), await startService(options)];
  const requests = fc.oneof(...contract.operations.map(validRequests));
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: 5, maxLength: 20 }), async (sequence) => {
      for (const twin of twins) twin.emulator.reset();
      for (const { operation, path, body } of sequence) {
        const [one, other] = await Promise.all(
          twins.map((twin) => twin.request(operation.method.toUpperCase(), path, body)),
        );
        expect([other?.status, idOf(other?.body)]).toEqual([one?.status, idOf(one?.body)]);
      }
    }),
    { numRuns: 10 },
  );
  for (const twin of twins) await twin.emulator.close();
});

function idOf(body: unknown): unknown {
  return (body as { id?: string } | undefined)?.id;
}

function expectNoOrphans(state: Awaited<ReturnType<typeof startEmulator>>["state"]): void {
  const projects = new Set(state.projects.map(({ id }) => id));
  const applications = new Set(state.applications.map(({ id }) => id));
  const domains = new Set(state.customDomains.map(({ id }) => id));
  const children = [...state.applications, ...state.customDomains, ...state.links];
  expect(children.filter(({ projectId }) => !projects.has(projectId))).toEqual([]);
  for (const link of state.links) {
    if (link.customDomainId !== null) expect(domains).toContain(link.customDomainId);
    if (link.appleApplicationId !== null) expect(applications).toContain(link.appleApplicationId);
    if (link.androidApplicationId !== null) expect(applications).toContain(link.androidApplicationId);
  }
}
