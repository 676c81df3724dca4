/** Requests that are generated from the interface's description: valid and broken, in any order, under any behaviour. */
import fc from "fast-check";
import type { Behaviour, OperationId, startEmulator } from "../../testing/emulator";
import { loadContract, type Operation } from "../../testing/emulator/contract/contract";
import { arbitraryFor, type Schema } from "./arbitraryFor";
import {
  ANDROID,
  DOMAIN,
  DOMAIN_LINK,
  FOREIGN,
  IOS,
  LINK,
  ORGANIZATION,
  PROJECT,
  SECOND_DOMAIN,
  SECOND_IOS,
  SECOND_PROJECT,
  startService,
  type TestService,
} from "./service";

const contract = loadContract("openapi.yaml");
const schemas = contract.document.components.schemas as { [name: string]: Schema };
const behaviours = arbitraryFor(
  { $ref: "#/components/schemas/Behaviour" },
  {
    schemas: loadContract("controls.yaml").document.components.schemas as { [name: string]: Schema },
    ids: [],
  },
) as fc.Arbitrary<Partial<Behaviour>>;

const idsOf: { [parameter: string]: string[] } = {
  organization_id: [ORGANIZATION, ORGANIZATION, ORGANIZATION, FOREIGN.organization],
  project_id: [PROJECT, PROJECT, SECOND_PROJECT, FOREIGN.project],
  application_id: [IOS, ANDROID, SECOND_IOS, FOREIGN.application],
  custom_domain_id: [DOMAIN, DOMAIN, SECOND_DOMAIN, FOREIGN.domain],
  link_id: [LINK, DOMAIN_LINK, FOREIGN.link],
};
const ids = Object.values(idsOf).flat();

interface GeneratedRequest {
  readonly operation: Operation;
  readonly path: string;
  readonly body: unknown;
}

function validRequests(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  const { path, query } = operation.parameters;
  const queries = Object.entries(query.properties).map(([name, schema]) => {
    const values = name in idsOf ? fc.constantFrom(...(idsOf[name] ?? [])) : valuesOf(schema);
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
    body: operation.body === undefined ? fc.constant(undefined) : valuesOf(operation.body),
  });
}

function valuesOf(schema: object): fc.Arbitrary<unknown> {
  return arbitraryFor(schema as Schema, { schemas, ids });
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

async function send({ operation, path, body }: GeneratedRequest): Promise<number> {
  const { status } = await service.request(operation.method.toUpperCase(), path, body);
  return status;
}

async function expectDocumentedStatus(request: GeneratedRequest): Promise<void> {
  expect([...request.operation.answers.keys()]).toContain(await send(request));
}

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.emulator.close());
beforeEach(() => service.emulator.reset());

const cases = contract.operations.map(
  (operation) => [operation.operationId as OperationId, operation] as const,
);

describe("a valid request", () => {
  test.each(cases)("of %s gets a documented status, under any behaviour", async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(validRequests(operation), behaviours, async (request, behaviour) => {
        service.emulator.reset();
        service.emulator.setBehaviour(behaviour);
        await expectDocumentedStatus(request);
        expect(service.emulator.violations).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  test.each(
    cases.filter(([operationId]) =>
      ["createProject", "updateProject", "saveProjectSkin", "createApplication"].includes(operationId),
    ),
  )("of %s is never a 400, because only its format could be wrong", async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(validRequests(operation), async (request) => {
        expect(await send(request)).not.toBe(400);
      }),
      { numRuns: 12 },
    );
  });
});

describe("a broken request", () => {
  test.each(cases)("of %s gets a documented status", async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(spoiltRequests(operation), async (request) => {
        service.emulator.reset();
        const match = contract.match(operation.method.toUpperCase(), `/api/v2${request.path.split("?")[0]}`);
        expect(match?.operation.operationId).toBe(operation.operationId);
        await expectDocumentedStatus(request);
        expect(service.emulator.violations).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  test.each(cases.filter(([, { body }]) => body !== undefined))(
    "of %s without a required field leads to a 400",
    async (_, operation) => {
      await fc.assert(
        fc.asyncProperty(validRequests(operation), async (request) => {
          for (const name of requiredFields(operation)) {
            const { [name]: _left, ...body } = request.body as { [name: string]: unknown };
            expect(await send({ ...request, body })).toBe(400);
          }
        }),
        { numRuns: 10 },
      );
    },
  );
});

function requiredFields({ body = {} }: Operation): readonly string[] {
  const { $ref = "" } = body as Schema;
  return schemas[$ref.split("/").at(-1) ?? ""]?.required ?? [];
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
          await expectDocumentedStatus(request);
        }
        expect(service.emulator.violations).toEqual([]);
        expect(service.emulator.requests).toHaveLength(sequence.length);
        expectNoOrphans(service.emulator.state);
      },
    ),
    { numRuns: 15 },
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
