/** The context of an operation, without a service: its clock advances only during waits, and messages are dropped. */
import type { OperationContext } from "../../../provider/lifecycle/description";
import { type FakeClock, fakeClock } from "./wireObjects";

export function fakeContext(more: object = {}): OperationContext & { readonly clock: FakeClock } {
  const client = {
    withOptions: () => client,
    sanitized: (value: unknown) => value,
    serviceTime: () => undefined,
  };
  const { signal } = new AbortController();
  return { client, signal, clock: fakeClock(), report() {}, ...more } as never;
}
