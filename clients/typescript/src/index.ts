/**
 * Client of a Trainyard service: `openapi-fetch` with the types of the service's document, and streams.
 *
 * ```ts
 * const client = createClient({ baseUrl: "http://127.0.0.1:8000", apiKey: process.env.TRAINYARD_API_KEY });
 * const models = await unwrap(client.GET("/v1/preview/models"));
 * for await (const chunk of streamChatCompletion(client, { model, messages })) { … }
 * ```
 */
import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchOptions } from "openapi-fetch";

import { errorInStream, errorOf, TrainyardError } from "./error.js";
import { decodeEvents, type ServerEvent } from "./events.js";
import type { components, paths } from "./schema.js";

export { type ErrorDetail, TrainyardError } from "./error.js";
export { decodeEvents, type ServerEvent } from "./events.js";
export type { components, operations, paths } from "./schema.js";

/** Named types of the document. */
export type Schemas = components["schemas"];

/** A client with a method for each HTTP method; paths, parameters and bodies are typed. */
export type Client = FetchClient<paths>;

/** Settings of a client, beside those of `openapi-fetch`. */
export interface ClientOptions extends FetchOptions {
  /** Scheme, host and port of the service. */
  baseUrl: string;
  /** API key. Without one, only the operations that need none succeed. */
  apiKey?: string | undefined;
}

/** Creates a client. */
export function createClient({ apiKey, ...options }: ClientOptions): Client {
  const client = createFetchClient<paths>(options);
  client.use({
    onRequest({ request }) {
      if (apiKey !== undefined) request.headers.set("authorization", `Bearer ${apiKey}`);
    },
  });
  return client;
}

/** A call of the client. */
type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/**
 * Returns the body of a successful response.
 *
 * @throws TrainyardError for an error response
 */
export async function unwrap<T>(call: Call<T>): Promise<Exclude<T, undefined>> {
  const { data, error, response } = await call;
  if (!response.ok) throw errorOf(response, error);
  return data as Exclude<T, undefined>;
}

/** Yields the events of a response. */
async function* eventsOf(call: Call<unknown>): AsyncGenerator<[ServerEvent, Response], void, undefined> {
  const { error, response } = await call;
  if (!response.ok) throw errorOf(response, error);
  if (!response.body) throw new TypeError("the response has no body");
  for await (const event of decodeEvents(response.body)) yield [event, response];
}

/** Returns the error of a stream that ended before its last event. */
function incomplete(): TypeError {
  return new TypeError("the stream ended before its last event");
}

/** Yields the JSON of each event, until `[DONE]`. */
async function* untilDone<T>(call: Call<unknown>): AsyncGenerator<T, void, undefined> {
  for await (const [{ data }, response] of eventsOf(call)) {
    if (data === "[DONE]") return;
    const event: unknown = JSON.parse(data);
    const error = errorInStream(response, event);
    if (error) throw error;
    yield event as T;
  }
  throw incomplete();
}

/** Cancels a stream. */
interface StreamOptions {
  signal?: AbortSignal;
}

/**
 * Samples chat completions and yields their chunks. Leaving the loop stops the generation.
 *
 * @throws TrainyardError for an error response or an error event
 */
export function streamChatCompletion(
  client: Client,
  request: Omit<Schemas["ChatCompletionStreamRequest"], "stream">,
  options: StreamOptions = {},
): AsyncGenerator<Schemas["ChatCompletionChunk"], void, undefined> {
  const body = { ...request, stream: true } as Schemas["ChatCompletionStreamRequest"];
  return untilDone(client.POST("/v1/chat/completions#stream", { ...options, body, parseAs: "stream" }));
}

/** Samples text completions and yields their chunks, like {@link streamChatCompletion}. */
export function streamCompletion(
  client: Client,
  request: Omit<Schemas["CompletionStreamRequest"], "stream">,
  options: StreamOptions = {},
): AsyncGenerator<Schemas["Completion"], void, undefined> {
  const body = { ...request, stream: true } as Schemas["CompletionStreamRequest"];
  return untilDone(client.POST("/v1/completions#stream", { ...options, body, parseAs: "stream" }));
}

/** Samples a response and yields its events; the last one is `response.completed`, `.incomplete` or `.failed`. */
export async function* streamResponse(
  client: Client,
  request: Omit<Schemas["ResponseStreamRequest"], "stream">,
  options: StreamOptions = {},
): AsyncGenerator<Schemas["ResponseEvent"], void, undefined> {
  const body = { ...request, stream: true } as Schemas["ResponseStreamRequest"];
  for await (const [{ data }] of eventsOf(
    client.POST("/v1/responses#stream", { ...options, body, parseAs: "stream" }),
  )) {
    const event = JSON.parse(data) as Schemas["ResponseEvent"];
    yield event;
    if (["response.completed", "response.incomplete", "response.failed"].includes(event.type)) return;
  }
  throw incomplete();
}

/** Pauses before another attempt to follow a job, in milliseconds. */
const PAUSES = [500, 1000, 2000, 4000, 8000];

/**
 * Yields the events of a training job until it ends. A broken stream is resumed behind its last event.
 *
 * @throws TrainyardError for an error response
 */
export async function* watchTrainingJob(
  client: Client,
  jobId: string,
  options: StreamOptions = {},
): AsyncGenerator<Schemas["TrainingJobEvent"], void, undefined> {
  let last: string | undefined;
  for (let failures = 0; ; ) {
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    try {
      const call = client.GET("/v1/preview/training-jobs/{training_job_id}/events", {
        ...options,
        params: { path: { training_job_id: jobId } },
        headers,
        parseAs: "stream",
      });
      for await (const [{ data, id }] of eventsOf(call)) {
        const event = JSON.parse(data) as Schemas["TrainingJobEvent"];
        [last, failures] = [id, 0];
        yield event;
        if (event.type === "training_ended" || event.type === "training_failed") return;
      }
      throw incomplete();
    } catch (error) {
      const permanent = error instanceof TrainyardError && error.status < 500 && error.status !== 429;
      const pause = PAUSES[failures];
      if (permanent || options.signal?.aborted || pause === undefined) throw error;
      failures += 1;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}
