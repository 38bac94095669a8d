/** The key of the session: its limits and whether it may operate the service. */
import { client, type Schemas, unwrap } from "./api.js";

class OwnKey {
  value = $state.raw<Schemas["KeyDetail"]>();
  /** Reason why the key is unknown. Pages that need it say so; the others work without it. */
  error = $state.raw<unknown>();
  readonly retryIn = 0;

  /** Reads the key, once for each session. */
  refresh = async (): Promise<void> => {
    this.value = this.error = undefined;
    try {
      this.value = await unwrap(client.GET("/v1/preview/key"));
    } catch (error) {
      this.error = error;
    }
  };
}

export const ownKey = new OwnKey();
