/**
 * Decodes a stream of events, and calls every operation of a running service through clients/typescript. `tsc` refuses this file if an operation of the
 * document is missing, or if a value does not fit its type.
 *
 *   TRAINYARD_BASE_URL=… TRAINYARD_API_KEY=… node every_operation.js
 */
import assert from "node:assert/strict";

import {
  createClient,
  decodeEvents,
  type operations,
  type Schemas,
  streamChatCompletion,
  streamCompletion,
  streamResponse,
  TrainyardError,
  unwrap,
  watchTrainingJob,
} from "trainyard";

const baseUrl = process.env["TRAINYARD_BASE_URL"] ?? "";
const apiKey = process.env["TRAINYARD_API_KEY"];
const client = createClient({ baseUrl, apiKey });
const base_model = "trainyard/seedling";
const messages: Schemas["ChatMessage"][] = [
  { role: "system", content: "Answer briefly." },
  { role: "user", content: [{ type: "text", text: "yes, no or maybe?" }] },
];
let batch_id = "";
const example = JSON.stringify({ messages: [...messages, { role: "assistant", content: "maybe" }] });

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Reads the text of a stream's operation, and returns its last event. */
async function lastEvent(call: Promise<{ response: Response }>): Promise<string | undefined> {
  const { body } = (await call).response;
  assert(body);
  return (await collect(decodeEvents(body))).at(-1)?.data;
}

async function upload(purpose: Schemas["FilePurpose"], content: string): Promise<string> {
  const form = new FormData();
  form.append("purpose", purpose);
  form.append("file", new Blob([content]), "train.jsonl");
  const body: Schemas["CreateFile"] = { purpose, file: content };
  return (await unwrap(client.POST("/v1/files", { body, bodySerializer: () => form }))).id;
}

/** A stream of these bytes, one by one. */
function bytesOf(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, ++at));
    },
  });
}

// Line ends of each kind, a byte order mark, comments, data of several lines, and an event that is cut off.
const text = "\ufeffid: 1\r\nevent: é\r\ndata: a\r\ndata:b\r\n\r\n: comment\r\rdata\n\ndata: c\r\revent: x\n\ndata: lost\n";
for (const body of [bytesOf(text), new Blob([text]).stream()]) {
  assert.deepEqual(await collect(decodeEvents(body)), [
    { event: "é", data: "a\nb", id: "1" },
    { event: "", data: "", id: "1" },
    { event: "", data: "c", id: "1" },
  ]);
}

const model = await unwrap(
  client.POST("/v1/preview/models", { body: { project: "tests", name: "typescript", base_model } }),
);
const file_id = await upload("fine-tune", `${example}\n`.repeat(12));
const path = { model_id: model.id };
const step = { ...path, step: 1 };
const completion = await unwrap(
  client.POST("/v1/chat/completions", { body: { model: base_model, messages, max_tokens: 4, n: 2 } }),
);
const trajectory_groups: Schemas["TrajectoryGroup"][] = [
  {
    trajectories: completion.choices.map((choice, reward) => ({
      messages_and_choices: [...messages, { ...choice }].map((item) => ({ ...item })),
      reward,
    })),
  },
];
const job = await unwrap(
  client.POST("/v1/preview/sft-training-jobs", { body: { model_id: model.id, training_data_url: file_id } }),
);
const tuning = await unwrap(
  client.POST("/v1/fine_tuning/jobs", { body: { model: base_model, training_file: file_id } }),
);
const of_job = { training_job_id: job.id };
const of_tuning = { fine_tuning_job_id: tuning.id };
/** A stored response of the service. */
async function storedResponse(background = false): Promise<string> {
  const body = { model: base_model, input: "hi", max_output_tokens: 4, background };
  return (await unwrap(client.POST("/v1/responses", { body }))).id;
}
/** A stored chat completion of the service. */
async function storedChat(): Promise<string> {
  const body = { model: base_model, messages, max_tokens: 4, store: true, metadata: { of: "typescript" } };
  return (await unwrap(client.POST("/v1/chat/completions", { body }))).id;
}
let key_id = "";
let message_batch_id = "";
let session_id = "";
let log_id = "";

/** A call of each operation, in this order. Those at the end remove what the others need. */
const calls: { [Operation in keyof operations]: () => Promise<unknown> } = {
  async create_chat_completion() {
    const content: string | null = completion.choices[0]?.message.content ?? null;
    assert(content !== null && completion.choices.length === 2);
  },
  async create_chat_completion_stream() {
    const request = { model: base_model, messages, max_tokens: 4 };
    const chunks = await collect(streamChatCompletion(client, request));
    assert(chunks.length > 2 && chunks.every((chunk) => chunk.object === "chat.completion.chunk"));
    // Leaving the loop ends the stream.
    for await (const chunk of streamChatCompletion(client, { ...request, max_tokens: 4096 })) {
      assert.equal(chunk.model, base_model);
      break;
    }
    const body: Schemas["ChatCompletionStreamRequest"] = { ...request, stream: true };
    assert.equal(await lastEvent(client.POST("/v1/chat/completions#stream", { body, parseAs: "stream" })), "[DONE]");
    const absent = collect(streamChatCompletion(client, { ...request, model: "absent/model" }));
    await assert.rejects(absent, (error) => error instanceof TrainyardError && error.code === "model_not_found");
  },
  async list_chat_completions() {
    const id = await storedChat();
    const query = { metadata: JSON.stringify({ of: "typescript" }), order: "desc" as const };
    assert.equal((await unwrap(client.GET("/v1/chat/completions", { params: { query } }))).data[0]?.id, id);
  },
  async get_chat_completion() {
    const path = { completion_id: await storedChat() };
    const stored = await unwrap(client.GET("/v1/chat/completions/{completion_id}", { params: { path } }));
    assert.equal(stored.id, path.completion_id);
  },
  async update_chat_completion() {
    const path = { completion_id: await storedChat() };
    const body = { metadata: { of: "another" } };
    const stored = await unwrap(client.POST("/v1/chat/completions/{completion_id}", { params: { path }, body }));
    assert.deepEqual(stored.metadata, body.metadata);
  },
  async delete_chat_completion() {
    const path = { completion_id: await storedChat() };
    assert((await unwrap(client.DELETE("/v1/chat/completions/{completion_id}", { params: { path } }))).deleted);
  },
  async list_chat_completion_messages() {
    const path = { completion_id: await storedChat() };
    const page = await unwrap(client.GET("/v1/chat/completions/{completion_id}/messages", { params: { path } }));
    assert.equal(page.data.length, messages.length);
  },
  async create_response() {
    const body = { model: base_model, input: "hi", max_output_tokens: 4 };
    assert.equal((await unwrap(client.POST("/v1/responses", { body }))).object, "response");
  },
  async create_response_stream() {
    const events = await collect(streamResponse(client, { model: base_model, input: "hi", max_output_tokens: 4 }));
    assert(events[0]?.type === "response.created" && events.length > 3);
  },
  async get_response() {
    const path = { response_id: await storedResponse() };
    assert.equal((await unwrap(client.GET("/v1/responses/{response_id}", { params: { path } }))).id, path.response_id);
  },
  async delete_response() {
    const path = { response_id: await storedResponse() };
    assert((await unwrap(client.DELETE("/v1/responses/{response_id}", { params: { path } }))).deleted);
  },
  async list_response_input_items() {
    const path = { response_id: await storedResponse() };
    const page = await unwrap(client.GET("/v1/responses/{response_id}/input_items", { params: { path } }));
    assert.equal(page.data.length, 1);
  },
  async cancel_response() {
    const path = { response_id: await storedResponse(true) };
    assert.equal((await unwrap(client.POST("/v1/responses/{response_id}/cancel", { params: { path } }))).background, true);
  },
  async count_response_tokens() {
    const body = { model: base_model, input: "hi" };
    assert((await unwrap(client.POST("/v1/responses/input_tokens", { body }))).input_tokens > 0);
  },
  async compact_response() {
    const body = { model: base_model, input: "hi", max_output_tokens: 4 };
    const { output } = await unwrap(client.POST("/v1/responses/compact", { body }));
    assert.deepEqual(output.map((item) => item.type), ["message", "compaction"]);
  },
  async create_message() {
    const body = { model: base_model, messages: [{ role: "user" as const, content: "hi" }], max_tokens: 4 };
    assert.equal((await unwrap(client.POST("/v1/messages", { body }))).type, "message");
  },
  async create_message_stream() {
    const messages = [{ role: "user" as const, content: "hi" }];
    const body = { model: base_model, messages, max_tokens: 4, stream: true as const };
    const last = await lastEvent(client.POST("/v1/messages#stream", { body, parseAs: "stream" }));
    assert.equal(JSON.parse(last ?? "{}").type, "message_stop");
  },
  async count_message_tokens() {
    const body = { model: base_model, messages: [{ role: "user" as const, content: "hi" }] };
    assert((await unwrap(client.POST("/v1/messages/count_tokens", { body }))).input_tokens > 0);
  },
  async tokenize() {
    const body = { model: base_model, prompt: "yes, no or", return_token_strs: true };
    const { count, tokens, token_strs } = await unwrap(client.POST("/tokenize", { body }));
    assert(count === tokens.length && token_strs?.length === count);
  },
  async detokenize() {
    const { tokens } = await unwrap(client.POST("/tokenize", { body: { prompt: "yes, no or" } }));
    assert.equal((await unwrap(client.POST("/detokenize", { body: { tokens } }))).prompt, "yes, no or");
  },
  async get_tokenizer_info() {
    assert((await unwrap(client.GET("/tokenizer_info"))).eos_token);
  },
  async create_completion() {
    const body = { model: base_model, prompt: "once", max_tokens: 4 };
    assert.equal((await unwrap(client.POST("/v1/completions", { body }))).choices.length, 1);
  },
  async create_completion_stream() {
    assert((await collect(streamCompletion(client, { model: base_model, prompt: "once", max_tokens: 4 }))).length > 1);
  },
  async list_models() {
    const page = await unwrap(client.GET("/v1/preview/models", { params: { query: { project: "tests", limit: 5 } } }));
    assert(page.data.some((listed) => listed.id === model.id));
  },
  async create_model() {
    const body: Schemas["ModelCreate"] = { project: "tests", name: "typescript", base_model, return_existing: true };
    assert.equal((await unwrap(client.POST("/v1/preview/models", { body }))).id, model.id);
    const taken = unwrap(client.POST("/v1/preview/models", { body: { ...body, return_existing: false } }));
    await assert.rejects(taken, { name: "TrainyardError", status: 409 });
  },
  list_base_models: () => unwrap(client.GET("/v1/preview/base-models")),
  get_model: () => unwrap(client.GET("/v1/preview/models/{model_id}", { params: { path } })),
  log_trajectories: () =>
    unwrap(
      client.POST("/v1/preview/models/{model_id}/log", {
        params: { path },
        body: { split: "val", trajectory_groups },
      }),
    ),
  create_sft_training_job: () => Promise.resolve(assert.equal(job.model_id, model.id)),
  async list_training_job_events() {
    const events = await collect(watchTrainingJob(client, job.id));
    assert.equal(events.at(-1)?.type, "training_ended");
    const page = await unwrap(
      client.GET("/v1/preview/training-jobs/{training_job_id}/events", {
        params: { path: of_job, query: { limit: 100 } },
      }),
    );
    assert.deepEqual(page.data.at(-1), events.at(-1));
  },
  async list_training_job_groups() {
    const missing = unwrap(
      client.GET("/v1/preview/training-jobs/{training_job_id}/groups", { params: { path: of_job } }),
    );
    // The job is supervised.
    await assert.rejects(missing, { status: 404 });
    const { data } = await unwrap(client.GET("/v1/preview/training-jobs", { params: { query: { kind: "rl" } } }));
    for (const { id } of data) {
      const groups = await unwrap(
        client.GET("/v1/preview/training-jobs/{training_job_id}/groups", {
          params: { path: { training_job_id: id } },
        }),
      );
      assert(groups.data.every((group) => group.rewards.length === group.advantages.length));
    }
  },
  async list_training_job_trajectories() {
    const { data } = await unwrap(client.GET("/v1/preview/training-jobs", { params: { query: { kind: "rl" } } }));
    for (const { id } of data) {
      const page = await unwrap(
        client.GET("/v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories", {
          params: { path: { training_job_id: id, group_id: "0" }, query: { limit: 1 } },
        }),
      );
      assert.equal(page.first_id, "0");
    }
  },
  async get_training_job() {
    const ended = await unwrap(
      client.GET("/v1/preview/training-jobs/{training_job_id}", { params: { path: of_job } }),
    );
    const error: Schemas["TrainingJobError"] | null | undefined = ended.error;
    assert(!error);
  },
  create_training_job: () =>
    unwrap(
      client.POST("/v1/preview/training-jobs", {
        body: { model_id: model.id, trajectory_groups, experimental_config: { loss_fn: "cispo" } },
      }),
    ),
  async list_training_jobs() {
    const page = await unwrap(client.GET("/v1/preview/training-jobs", { params: { query: { model_id: model.id } } }));
    const rl = page.data.find((listed) => listed.id !== job.id);
    assert(rl);
    await collect(watchTrainingJob(client, rl.id));
  },
  async cancel_training_job() {
    const cancelled = unwrap(
      client.POST("/v1/preview/training-jobs/{training_job_id}/cancel", { params: { path: of_job } }),
    );
    // The job has ended.
    await assert.rejects(cancelled, { status: 409 });
  },
  async list_checkpoints() {
    const page = await unwrap(client.GET("/v1/preview/models/{model_id}/checkpoints", { params: { path } }));
    assert(page.data.length > 1);
  },
  get_checkpoint: () =>
    unwrap(client.GET("/v1/preview/models/{model_id}/checkpoints/{step}", { params: { path: step } })),
  get_checkpoint_file: () =>
    unwrap(
      client.GET("/v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}", {
        params: { path: { ...step, file_name: "adapter_model.safetensors" } },
        parseAs: "arrayBuffer",
      }),
    ),
  get_checkpoint_archive: () =>
    unwrap(
      client.GET("/v1/preview/models/{model_id}/checkpoints/{step}/archive", {
        params: { path: step },
        parseAs: "blob",
      }),
    ),
  get_checkpoint_export: () =>
    unwrap(
      client.GET("/v1/preview/models/{model_id}/checkpoints/{step}/export", {
        params: { path: step, query: { form: "peft" } },
        parseAs: "blob",
      }),
    ),
  get_checkpoint_manifest: () =>
    unwrap(client.GET("/v1/preview/models/{model_id}/checkpoints/{step}/manifest", { params: { path: step } })),
  add_checkpoint: () =>
    unwrap(
      client.POST("/v1/preview/models/{model_id}/add-checkpoint", {
        params: { path },
        body: { type: "copy", model_id: model.id, step: 1 },
      }),
    ),
  get_wandb_manifest: () =>
    unwrap(client.GET("/wandb/manifests/{model_id}/{step}", { params: { path: step } })),
  get_usage: () => unwrap(client.GET("/v1/preview/usage")),
  list_manifests: () => unwrap(client.GET("/v1/preview/models/{model_id}/manifests", { params: { path } })),
  async get_model_metrics() {
    const { metrics, jobs } = await unwrap(
      client.GET("/v1/preview/models/{model_id}/metrics", { params: { path, query: { name: ["loss/train"], points: 2 } } }),
    );
    assert(metrics.length === 1 && jobs.length > 0);
  },
  async update_training_job() {
    const body = { name: "warm start", tags: ["baseline"] };
    const address = "/v1/preview/training-jobs/{training_job_id}";
    const { name, tags } = await unwrap(client.PATCH(address, { params: { path: of_job }, body }));
    assert.deepEqual({ name, tags }, body);
  },
  async get_training_job_metrics() {
    const address = "/v1/preview/training-jobs/{training_job_id}/metrics";
    const columns = await unwrap(client.GET(address, { params: { path: of_job } }));
    assert.equal(columns.steps.length, columns.num_steps);
    const csv = await client.GET(address, { params: { path: of_job }, headers: { accept: "text/csv" }, parseAs: "text" });
    assert(String(csv.data).startsWith("step,tokens,time,"));
  },
  async list_training_job_drops() {
    const { data } = await unwrap(client.GET("/v1/preview/training-jobs", { params: { query: { kind: "rl" } } }));
    const address = "/v1/preview/training-jobs/{training_job_id}/drops";
    for (const { id } of data) await unwrap(client.GET(address, { params: { path: { training_job_id: id } } }));
  },
  async list_trajectory_logs() {
    log_id = (await unwrap(client.GET("/v1/preview/models/{model_id}/log", { params: { path } }))).first_id;
  },
  list_trajectory_log_groups: () =>
    unwrap(
      client.GET("/v1/preview/models/{model_id}/log/{log_id}/groups", {
        params: { path: { ...path, log_id }, query: { sort: "reward_mean", order: "desc" } },
      }),
    ),
  list_trajectory_log_trajectories: () =>
    unwrap(
      client.GET("/v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories", {
        params: { path: { ...path, log_id, group_id: "0" } },
      }),
    ),
  get_key: () => unwrap(client.GET("/v1/preview/key")),
  get_server: () => unwrap(client.GET("/v1/preview/server")),
  async create_key() {
    const body: Schemas["CreateKey"] = { entity: "guests", name: "typescript", admin: false };
    key_id = (await unwrap(client.POST("/v1/preview/admin/keys", { body }))).key.id;
  },
  list_keys: () => unwrap(client.GET("/v1/preview/admin/keys", { params: { query: { entity: "guests" } } })),
  set_key_limits: () =>
    unwrap(client.PUT("/v1/preview/admin/keys/{key_id}/limits", { params: { path: { key_id } }, body: { streams: 2 } })),
  revoke_key: () => unwrap(client.POST("/v1/preview/admin/keys/{key_id}/revoke", { params: { path: { key_id } } })),
  list_workers: () => unwrap(client.GET("/v1/preview/admin/workers")),
  list_all_training_jobs: () => unwrap(client.GET("/v1/preview/admin/training-jobs", { params: { query: { kind: "sft" } } })),
  list_files: () => unwrap(client.GET("/v1/files", { params: { query: { purpose: "fine-tune" } } })),
  create_file: () => upload("fine-tune", example),
  get_file: () => unwrap(client.GET("/v1/files/{file_id}", { params: { path: { file_id } } })),
  async get_file_content() {
    const call = client.GET("/v1/files/{file_id}/content", { params: { path: { file_id } }, parseAs: "text" });
    assert((await unwrap(call)).startsWith(example));
  },
  async create_batch() {
    const request = { model: base_model, prompt: "once", max_tokens: 4 };
    const line = JSON.stringify({ custom_id: "one", method: "POST", url: "/v1/completions", body: request });
    const input_file_id = await upload("batch", line);
    const body = { input_file_id, endpoint: "/v1/completions" as const, completion_window: "24h" as const };
    batch_id = (await unwrap(client.POST("/v1/batches", { body }))).id;
  },
  async list_batches() {
    assert.equal((await unwrap(client.GET("/v1/batches"))).data[0]?.id, batch_id);
  },
  async get_batch() {
    const call = () => unwrap(client.GET("/v1/batches/{batch_id}", { params: { path: { batch_id } } }));
    while ((await call()).status !== "completed") await new Promise((wait) => setTimeout(wait, 100));
  },
  async cancel_batch() {
    const call = client.POST("/v1/batches/{batch_id}/cancel", { params: { path: { batch_id } } });
    await assert.rejects(unwrap(call), { status: 409 });
  },
  async create_message_batch() {
    const params = { model: base_model, messages: [{ role: "user", content: "hi" }], max_tokens: 4 };
    const body = { requests: [{ custom_id: "one", params }] };
    message_batch_id = (await unwrap(client.POST("/v1/messages/batches", { body }))).id;
  },
  async list_message_batches() {
    assert.equal((await unwrap(client.GET("/v1/messages/batches"))).data[0]?.id, message_batch_id);
  },
  async get_message_batch() {
    const path = { message_batch_id };
    const call = () => unwrap(client.GET("/v1/messages/batches/{message_batch_id}", { params: { path } }));
    while ((await call()).processing_status !== "ended") await new Promise((wait) => setTimeout(wait, 100));
  },
  async get_message_batch_results() {
    const params = { path: { message_batch_id } };
    const call = client.GET("/v1/messages/batches/{message_batch_id}/results", { params, parseAs: "text" });
    assert.equal(JSON.parse(await unwrap(call)).result.type, "succeeded");
  },
  async cancel_message_batch() {
    const params = { path: { message_batch_id } };
    const call = client.POST("/v1/messages/batches/{message_batch_id}/cancel", { params });
    await assert.rejects(unwrap(call), { status: 409 });
  },
  async delete_message_batch() {
    const params = { path: { message_batch_id } };
    const deleted = await unwrap(client.DELETE("/v1/messages/batches/{message_batch_id}", { params }));
    assert.equal(deleted.type, "message_batch_deleted");
  },
  query_wandb: () => unwrap(client.POST("/graphql", { body: { query: "query Viewer { viewer { id } }" } })),
  stream_wandb_run: () =>
    unwrap(
      client.POST("/files/{entity}/{project}/{run}/file_stream", {
        params: { path: { entity: model.entity, project: "tests", run: "run" } },
        body: { files: {} },
      }),
    ),
  put_wandb_file: () =>
    unwrap(
      client.PUT("/wandb/files/{project}/{artifact}/{file_name}", {
        params: { path: { project: "tests", artifact: "data", file_name: "train.jsonl" } },
        headers: { "content-type": "application/octet-stream" },
        body: example,
        bodySerializer: (body) => body,
        parseAs: "text",
      }),
    ),
  list_sessions: () => unwrap(client.GET("/v1/preview/sessions", { params: { query: { group: "typescript" } } })),
  async create_session() {
    const body: Schemas["CreateRecordedSession"] = { model: base_model, group: "typescript" };
    const session = await unwrap(client.POST("/v1/preview/sessions", { body }));
    assert(session.key?.startsWith("ty_"));
    session_id = session.id;
  },
  get_session: () => unwrap(client.GET("/v1/preview/sessions/{session_id}", { params: { path: { session_id } } })),
  reward_session: () =>
    unwrap(
      client.POST("/v1/preview/sessions/{session_id}/reward", { params: { path: { session_id } }, body: { reward: 0.5 } }),
    ),
  list_fine_tuning_jobs: () => unwrap(client.GET("/v1/fine_tuning/jobs")),
  create_fine_tuning_job: () => Promise.resolve(assert.equal(tuning.object, "fine_tuning.job")),
  async get_fine_tuning_job() {
    await collect(watchTrainingJob(client, tuning.id.replace("ftjob-", "")));
    const ended = await unwrap(
      client.GET("/v1/fine_tuning/jobs/{fine_tuning_job_id}", { params: { path: of_tuning } }),
    );
    assert.equal(ended.status, "succeeded");
  },
  list_fine_tuning_job_events: () =>
    unwrap(client.GET("/v1/fine_tuning/jobs/{fine_tuning_job_id}/events", { params: { path: of_tuning } })),
  list_fine_tuning_job_checkpoints: () =>
    unwrap(client.GET("/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints", { params: { path: of_tuning } })),
  async cancel_fine_tuning_job() {
    const cancelled = unwrap(
      client.POST("/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel", { params: { path: of_tuning } }),
    );
    await assert.rejects(cancelled, TrainyardError);
  },
  list_served_models: () => unwrap(client.GET("/v1/models")),
  get_served_model: () => unwrap(client.GET("/v1/models/{model}", { params: { path: { model: base_model } } })),
  get_health: () => unwrap(client.GET("/v1/health")),
  get_system_check: () => unwrap(client.GET("/v1/system-check")),
  read_root_health_get: () => unwrap(client.GET("/health")),
  get_metrics: () => unwrap(client.GET("/metrics", { parseAs: "text" })),
  delete_checkpoints: () =>
    unwrap(
      client.DELETE("/v1/preview/models/{model_id}/checkpoints", { params: { path }, body: { steps: [1] } }),
    ),
  delete_session: () => unwrap(client.DELETE("/v1/preview/sessions/{session_id}", { params: { path: { session_id } } })),
  delete_file: () => unwrap(client.DELETE("/v1/files/{file_id}", { params: { path: { file_id } } })),
  delete_model: () => unwrap(client.DELETE("/v1/preview/models/{model_id}", { params: { path } })),
};

for (const [operation, call] of Object.entries(calls)) {
  try {
    await call();
  } catch (error) {
    throw new Error(`${operation} failed`, { cause: error });
  }
}

const slip: Partial<Schemas["CreateTrainingJob"]> = {
  // @ts-expect-error a misspelt field
  experimental_confg: {},
};
const refused: Partial<Schemas["ChatCompletionRequest"]> = {
  // @ts-expect-error streams have an operation of their own
  stream: true,
};
assert(slip && refused);
console.log(`${Object.keys(calls).length} operations`);
