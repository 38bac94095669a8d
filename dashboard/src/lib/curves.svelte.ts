/** The curves of a job, followed live. */
import { client, decodeEvents, errorOf, type Schemas, TrainyardError } from "./api.js";

type Event = Schemas["TrainingJobEvent"];

/** Longest pause before another attempt to follow the job, in seconds. */
const MAX_PAUSE = 8;

/** State of the stream of events. */
export type Follow = "connecting" | "live" | "waiting" | "ended" | "failed";

/**
 * Metrics of each optimizer step of a job, one column for each metric. The stream is resumed behind its last event, so no
 * step is there twice and none is missing.
 */
export class Curves {
  follow = $state<Follow>("connecting");
  error = $state.raw<unknown>();
  /** Seconds until the next attempt. */
  retryIn = $state(0);
  /** Number of optimizer steps received. */
  steps = $state(0);
  /** Names of the metrics in the order of their first appearance. */
  names = $state.raw<string[]>([]);
  started = $state.raw<Event["data"]>();
  ended = $state.raw<Event["data"]>();

  #columns = new Map<string, (number | null)[]>();
  #tokens: number[] = [];
  #times: number[] = [];
  #seen = new Set<string>();
  #last: string | undefined;
  #steps = 0;
  #scheduled = false;
  #abort = new AbortController();

  constructor(readonly job: string) {
    void this.#run();
  }

  stop = (): void => this.#abort.abort();

  /** Values of a metric by step; `null` where a step lacks it. */
  column(name: string): (number | null)[] {
    return this.#columns.get(name) ?? [];
  }

  /** Number of tokens trained up to each step. */
  tokens(): number[] {
    return this.#tokens;
  }

  /** Time of each step, in seconds since the first one. */
  times(): number[] {
    const first = this.#times[0] ?? 0;
    return this.#times.map((time) => time - first);
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#abort.signal.aborted; ) {
      const before = this.#seen.size;
      try {
        if (await this.#stream()) {
          this.follow = "ended";
          return;
        }
        throw new TypeError("the stream ended before its last event");
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        this.error = error;
        if (error instanceof TrainyardError && error.status < 500 && error.status !== 429) {
          this.follow = "failed";
          return;
        }
        failures = this.#seen.size > before ? 0 : failures + 1;
        this.follow = "waiting";
        for (let left = Math.min(2 ** failures, MAX_PAUSE); left > 0 && !this.#abort.signal.aborted; left -= 1) {
          this.retryIn = left;
          await new Promise((resume) => setTimeout(resume, 1000));
        }
        this.retryIn = 0;
      }
    }
  }

  /** Reads the stream; returns whether the job has ended. */
  async #stream(): Promise<boolean> {
    const headers = { accept: "text/event-stream", ...(this.#last === undefined ? {} : { "last-event-id": this.#last }) };
    const { response, error } = await client.GET("/v1/preview/training-jobs/{training_job_id}/events", {
      params: { path: { training_job_id: this.job } },
      signal: this.#abort.signal,
      headers,
      parseAs: "stream",
    });
    if (!response.ok || !response.body) throw errorOf(response, error);
    this.follow = "live";
    this.error = undefined;
    for await (const { data, id } of decodeEvents(response.body)) {
      const event = JSON.parse(data) as Event;
      this.#last = id;
      if (this.#seen.has(event.id)) continue;
      this.#seen.add(event.id);
      this.#take(event);
      if (this.ended) return true;
    }
    return false;
  }

  #take({ id, type, data }: Event): void {
    if (type === "training_started") this.started = data;
    else if (type === "gradient_step") this.#addStep(data, timeOf(id));
    else this.ended = data;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setTimeout(() => this.#publish(), this.#pause());
    }
  }

  #addStep(data: Event["data"], time: number): void {
    for (const [name, value] of Object.entries(data)) {
      if (typeof value !== "number") continue;
      let column = this.#columns.get(name);
      if (!column) this.#columns.set(name, (column = []));
      while (column.length < this.#steps) column.push(null);
      column.push(value);
    }
    this.#steps += 1;
    for (const column of this.#columns.values()) if (column.length < this.#steps) column.push(null);
    // The first is of RL, the other of SFT.
    const trained = data["row/num_trained_tokens"] ?? data["num_trainable_tokens"];
    this.#tokens.push((this.#tokens.at(-1) ?? 0) + (typeof trained === "number" ? trained : 0));
    this.#times.push(time);
  }

  /**
   * Milliseconds from an event to the update of the page, which shows all events of that time. Drawing costs time for each
   * step, so a long curve moves less often: the machine that shows it may be the one that trains.
   */
  #pause(): number {
    return Math.min(1000, 50 + this.#steps / 5);
  }

  #publish(): void {
    if (document.hidden && !this.ended) {
      // A page that nobody sees draws nothing.
      setTimeout(() => this.#publish(), 1000);
      return;
    }
    this.#scheduled = false;
    this.steps = this.#steps;
    if (this.names.length !== this.#columns.size) this.names = [...this.#columns.keys()];
  }
}

/** Time of an event in Unix seconds: the ids are UUIDs of version 7, which begin with it in milliseconds. */
function timeOf(id: string): number {
  return Number.parseInt(id.replace("-", "").slice(0, 12), 16) / 1000;
}

/** Exponential moving average; `share` of the average is kept at each step. */
export function smooth(values: (number | null)[], share: number): (number | null)[] {
  let average: number | undefined;
  return values.map((value) => {
    if (value === null) return null;
    average = average === undefined ? value : share * average + (1 - share) * value;
    return average;
  });
}
