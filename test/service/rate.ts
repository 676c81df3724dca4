/** At which rate the service refuses requests. */
import type { Asked } from "./asked";

const SECONDS = 3;

/** Sends lookups of the key at rates that double, up to the highest one, until one is refused. */
export async function measureRate(asked: Asked, highest: number): Promise<string> {
  const { call, clock, exchanges } = asked;
  for (let rate = 1; ; rate = Math.min(2 * rate, highest)) {
    const before = exchanges.length;
    const sending: Promise<unknown>[] = [];
    for (let count = 0; count < rate * SECONDS; count++) {
      sending.push(call("getCurrentApiCredential"));
      await clock.sleep(1_000 / rate);
    }
    await Promise.all(sending);
    const refused = exchanges.slice(before).filter(({ status }) => status === 429);
    const [{ headers = {} } = {}] = refused;
    if (refused.length > 0)
      return `${refused.length} of ${sending.length} requests were refused at ${rate} a second, with Retry-After ${headers["retry-after"] ?? "missing"}`;
    if (rate === highest) return `none was refused at up to ${rate} requests a second`;
  }
}
