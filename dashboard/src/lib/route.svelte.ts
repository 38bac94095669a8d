/** Route and parameters of the page, in the fragment of the address: `#/jobs/ID?m=loss%2Ftrain`. */

class Route {
  /** Segments of the path. */
  path = $state<string[]>([]);
  query = $state<URLSearchParams>(new URLSearchParams());

  constructor() {
    this.read();
    addEventListener("hashchange", () => this.read());
  }

  read(): void {
    const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?", 2);
    this.path = path.split("/").filter(Boolean).map(decode);
    this.query = new URLSearchParams(query);
  }

  /** Changes parameters without an entry in the history; empty values are removed. */
  set(changes: Record<string, string>): void {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") query.delete(name);
      else query.set(name, value);
    }
    history.replaceState(null, "", link(this.path, query));
    this.query = query;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a route. */
export function link(path: readonly (string | number)[], query?: URLSearchParams | Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return `#/${path.map((segment) => encodeURIComponent(segment)).join("/")}${text && `?${text}`}`;
}

export const route = new Route();
