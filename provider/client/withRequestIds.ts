import type { Client } from "./client";
import { clientView } from "./clientView";

/** Creates the view. It calls the functions of the client, and `note` with the id of each request. */
export function withRequestIds(client: Client, note: (requestId: string) => void): Client {
  return clientView(client, (call) => (request, options) => call(request, { ...options, onRequest: note }));
}
