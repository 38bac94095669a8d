import type { components } from "./schema.js";

/** Body of every error response. */
export type ErrorDetail = components["schemas"]["ErrorResponse"]["error"];

/** An error response of the service, or an error event of a stream. */
export class TrainyardError extends Error {
  override name = "TrainyardError";

  constructor(
    message: string,
    /** Status of the response. An error event comes with status 200. */
    readonly status: number,
    /** `error` of the body; `undefined` if the response is of another server, such as a proxy. */
    readonly detail: ErrorDetail | undefined,
    /** Id of the request, for the logs of the service. */
    readonly requestId: string | undefined,
  ) {
    super(message);
  }

  /** Stable code of the error, if the status is not sufficient. */
  get code(): string | undefined {
    return this.detail?.code ?? undefined;
  }

  /** Part of the request that caused the error. */
  get param(): string | undefined {
    return this.detail?.param ?? undefined;
  }
}

/** Reads the `error` of a body, if it has one. */
function detailOf(body: unknown): ErrorDetail | undefined {
  const detail = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const isDetail = typeof detail === "object" && detail !== null && "message" in detail && "type" in detail;
  return isDetail ? (detail as ErrorDetail) : undefined;
}

/** Returns the error of a response with this body. */
export function errorOf(response: Response, body: unknown): TrainyardError {
  const detail = detailOf(body);
  const text = typeof body === "string" ? body.slice(0, 200) : "";
  const message = detail?.message ?? `HTTP status ${response.status}${text && `: ${text}`}`;
  return new TrainyardError(message, response.status, detail, response.headers.get("x-request-id") ?? undefined);
}

/** Returns the error that an event of a stream reports, if it reports one. */
export function errorInStream(response: Response, event: unknown): TrainyardError | undefined {
  return detailOf(event) && errorOf(response, event);
}
