/** The key of the session: its limits and whether it may operate the service. */
import { client, type Schemas, unwrap } from "./api.js";

class OwnKey {
  value = $state.raw<Schemas["KeyDetail"]>();

  /** Reads the key once for each session. */
  async read(): Promise<void> {
    this.value = undefined;
    try {
      this.value = await unwrap(client.GET("/v1/preview/key"));
    } catch {
      // Pages that need it say so; the others work without it.
    }
  }
}

export const ownKey = new OwnKey();
