/** Client of the service, with the cookie of the session in place of a key. */
import { createClient, TrainyardError } from "trainyard";

import { current, MARK, ROOT } from "./session.svelte.js";

export { decodeEvents, errorOf, streamChatCompletion, TrainyardError, unwrap } from "./trainyard.js";
export type { Schemas } from "trainyard";

export const client = createClient({ baseUrl: ROOT, headers: MARK });

client.use({
  onResponse({ response }) {
    if (response.status === 401) current.end("Your session has ended. Sign in again.");
  },
});

/** Returns whether an error means that the server cannot be reached. */
export function isOffline(error: unknown): boolean {
  return !(error instanceof TrainyardError) || error.status === 502 || error.status === 503 || error.status === 504;
}
