/** Requests that are generated from the interface's description: valid ones, in any order, under any behaviour. */
import fc from "fast-check";
import type { Behaviour, EmulatorState } from "../../../testing/emulator";
import type { Operation } from "../../../testing/emulator/contract/contract";
import { FOREIGN, OWN, useService } from "../service";
import { allowed, contract, type GeneratedRequest, named, requestsOf } from "./contract";

const behaviours = allowed(named("Behaviour")) as fc.Arbitrary<Partial<Behaviour>>;

/** Objects of the same kind, by the one that the requests are about. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  [OWN.organization]: [OWN.organization, OWN.organization, OWN.organization, FOREIGN.organization],
  [OWN.project]: [OWN.project, OWN.project, OWN.secondProject, FOREIGN.project],
  [OWN.ios]: [OWN.ios, OWN.android, OWN.secondIos, FOREIGN.application],
  [OWN.domain]: [OWN.domain, OWN.domain, OWN.secondDomain, FOREIGN.domain],
  [OWN.link]: [OWN.link, OWN.domainLink, OWN.domainLink, FOREIGN.link],
};

function validRequests(operation: Operation): fc.Arbitrary<GeneratedRequest> {
  return fc.tuple(requestsOf(operation), fc.nat()).map(([{ path, body }, index]) => {
    const text = JSON.stringify({ path, body }).replaceAll(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
      (id, _, offset) => KINDS[id]?.[(index + offset) % 4] ?? id,
    );
    return { operation, ...JSON.parse(text) };
  });
}

const service = useService();

async function send({ operation, path, body }: GeneratedRequest): Promise<void> {
  const { status } = await service.request(operation.method.toUpperCase(), path, body);
  expect([...operation.answers.keys()]).toContain(status);
  expect(service.emulator.violations).toEqual([]);
}

test("any sequence of requests is answered as documented and leaves a consistent state", async () => {
  const requests = fc.oneof(...contract.operations.map(validRequests));
  const sequences = fc.array(requests, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sequences, behaviours, async (sequence, behaviour) => {
      service.emulator.reset();
      service.emulator.setBehaviour(behaviour);
      for (const request of sequence) await send(request);
      expect(service.emulator.requests).toHaveLength(sequence.length);
      expectNoOrphans(service.emulator.state);
    }),
    { numRuns: 30 },
  );
});

function expectNoOrphans(state: EmulatorState): void {
  const ids = new Set(
    Object.values(state).flatMap((objects: readonly { id: string }[]) => objects.map(({ id }) => id)),
  );
  const { applications, customDomains, links } = state;
  const references = [
    ...[...applications, ...customDomains, ...links].map(({ projectId }) => projectId),
    ...links.flatMap((link) => [link.customDomainId, link.appleApplicationId, link.androidApplicationId]),
  ];
  expect(references.filter((id) => id !== null && !ids.has(id))).toEqual([]);
}
