/** The session that signs the page in: a cookie that scripts cannot read, and the names that belong to it. */

/** Owner of the session's key. */
export interface Session {
  entity: string;
  key_name: string;
  key_suffix: string;
  expires_at: number;
}

/** Root of the service; the page is at `dashboard/` below it. */
export const ROOT = new URL("..", document.baseURI).href.replace(/\/$/, "");

/** Header without which the server ignores the cookie. Pages of other origins cannot send it. */
export const MARK = { "x-trainyard-dashboard": "1" };

const URL_OF_SESSION = `${ROOT}/dashboard/session`;

class Current {
  /** `undefined` until the server has said whether there is one. */
  session = $state<Session | null>();
  /** Reason why the last sign-in or session ended. */
  message = $state("");

  /** Reads the session of the cookie; a one-time code in the address starts one first; a page may follow it. */
  async open(): Promise<void> {
    const [, code, page] = /^#code=([0-9a-f]+)(\/.*)?$/.exec(location.hash) ?? [];
    if (code !== undefined) {
      // The code must not stay in the history.
      location.replace(`#${page ?? "/"}`);
      await this.signIn({ code });
      if (this.session) return;
    }
    try {
      const response = await fetch(URL_OF_SESSION, { headers: MARK });
      this.session = response.ok ? ((await response.json()) as Session | null) : null;
    } catch {
      this.message = "The server does not respond. Is `trainyard serve` running?";
      this.session = null;
    }
  }

  async signIn(secret: { api_key: string } | { code: string }): Promise<void> {
    try {
      const headers = { ...MARK, "content-type": "application/json" };
      const response = await fetch(URL_OF_SESSION, { method: "POST", headers, body: JSON.stringify(secret) });
      const body: unknown = await response.json();
      if (response.ok) {
        this.session = body as Session;
        this.message = "";
      } else {
        const { error } = body as { error?: { message?: string } };
        this.message = error?.message ?? `HTTP status ${response.status}`;
        this.session = null;
      }
    } catch {
      this.message = "The server does not respond. Is `trainyard serve` running?";
      this.session = null;
    }
  }

  async signOut(): Promise<void> {
    await fetch(URL_OF_SESSION, { method: "DELETE", headers: MARK }).catch(() => undefined);
    this.end("");
  }

  /** Shows the sign-in; the address stays, so that the same page opens afterwards. */
  end(message: string): void {
    this.message = message;
    this.session = null;
  }
}

export const current = new Current();
