import type { Emulator } from "../controls/emulator";
import { targetOf } from "../controls/requestLog";
import { handlers } from "../operations";
import { SCOPES } from "../world/entities";
import { type Service, shortUrlOf } from "../world/world";

/** More requests than these are not shown. */
const MAX_REQUESTS = 200;

/** What the page shows: everything that exists, the faults, and the latest requests, newest first and without bodies. */
export function overview(emulator: Emulator, { world }: Service): object {
  const { state, faults, requests } = emulator;
  const first = Math.max(0, requests.length - MAX_REQUESTS);
  return {
    ...state,
    links: state.links.map((link) => ({ ...link, shortUrl: shortUrlOf(world, link) })),
    faults,
    scopes: SCOPES,
    operations: Object.keys(handlers),
    requestCount: requests.length,
    requests: requests
      .slice(first)
      .map(({ body: _, ...request }, index) => ({
        ...request,
        number: first + index,
        target: targetOf(request),
      }))
      .reverse(),
  };
}
