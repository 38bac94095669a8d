/** The curves of a job, followed live. */
import { client, decodeEvents, errorOf, type Schemas, TrainyardError, unwrap } from "./api.js";

type Event = Schemas["TrainingJobEvent"];

/** Longest pause before another attempt to follow the job, in seconds. */
const MAX_PAUSE = 8;

/** State of the stream of events. */
export type Follow = "connecting" | "live" | "waiting" | "ended" | "failed";

/** Maximum number of points that are read at once; a longer job is thinned. A live curve grows to twice as many. */
const POINTS = 10_000;

/** A column of a metric; `low` and `high` differ from `values` where a point has several steps. */
interface Column {
  values: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

/**
 * Metrics of the optimizer steps of a job, one column for each metric. What there is already is read as columns, of which a
 * point may have several steps; then the job is followed from there, with a point for each step. The stream is resumed
 * behind its last event, so no step is there twice and none is missing.
 */
export class Curves {
  follow = $state<Follow>("connecting");
  error = $state.raw<unknown>();
  /** Seconds until the next attempt. */
  retryIn = $state(0);
  /** Number of optimizer steps received. */
  steps = $state(0);
  /** Number of points of the curves. */
  points = $state(0);
  /** Names of the metrics in the order of their first appearance. */
  names = $state.raw<string[]>([]);
  started = $state.raw<Event["data"]>();
  ended = $state.raw<Event["data"]>();

  #columns = new Map<string, Column>();
  #numbers: number[] = [];
  #tokens: number[] = [];
  #times: number[] = [];
  #last: string | undefined;
  #isLoaded = false;
  #steps = 0;
  #scheduled = false;
  #abort = new AbortController();

  constructor(readonly job: string) {
    void this.#run();
  }

  stop = (): void => this.#abort.abort();

  /** Values of a metric by point; `null` where a point lacks it. */
  column(name: string): (number | null)[] {
    return this.#columns.get(name)?.values ?? [];
  }

  /** Smallest and largest values of a metric by point; `undefined` if each point has one step. */
  range(name: string): [(number | null)[], (number | null)[]] | undefined {
    const column = this.#columns.get(name);
    return column && this.#steps > this.#numbers.length ? [column.low, column.high] : undefined;
  }

  /** Number of the last step of each point. */
  numbers(): number[] {
    return this.#numbers;
  }

  /** Number of tokens trained up to each point. */
  tokens(): number[] {
    return this.#tokens;
  }

  /** Time of each point, in seconds since the first one. */
  times(): number[] {
    const first = this.#times[0] ?? 0;
    return this.#times.map((time) => time - first);
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#abort.signal.aborted; ) {
      const before = this.#steps;
      try {
        if (!this.#isLoaded) await this.#load();
        await this.#stream();
        if (this.ended) {
          this.follow = "ended";
          return;
        }
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        this.error = error;
        if (error instanceof TrainyardError && error.status < 500 && error.status !== 429) {
          this.follow = "failed";
          return;
        }
        failures = this.#steps > before ? 0 : failures + 1;
        this.follow = "waiting";
        for (let left = Math.min(2 ** failures, MAX_PAUSE); left > 0 && !this.#abort.signal.aborted; left -= 1) {
          this.retryIn = left;
          await new Promise((resume) => setTimeout(resume, 1000));
        }
        this.retryIn = 0;
      }
    }
  }

  /** Reads the first event and the steps that there are. */
  async #load(): Promise<void> {
    const { signal } = this.#abort;
    const path = { training_job_id: this.job };
    const [metrics, first] = await Promise.all([
      unwrap(client.GET("/v1/preview/training-jobs/{training_job_id}/metrics", { params: { path, query: { points: POINTS } }, signal })),
      unwrap(client.GET("/v1/preview/training-jobs/{training_job_id}/events", { params: { path, query: { limit: 1 } }, signal })),
    ]);
    this.#isLoaded = true;
    if (metrics.num_steps === 0) return;
    this.started = first.data[0]?.data;
    this.#last = metrics.last_event_id ?? undefined;
    [this.#steps, this.#numbers, this.#tokens, this.#times] = [metrics.num_steps, metrics.steps, metrics.tokens, metrics.times];
    this.#columns.clear();
    for (const { name, values, min, max } of metrics.metrics) {
      this.#columns.set(name, { values, low: min ?? [...values], high: max ?? [...values] });
    }
    this.#publish();
  }

  /** Reads the stream until the job has ended, or until there are so many points that they are to be thinned. */
  async #stream(): Promise<void> {
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
      this.#take(event);
      this.#isLoaded = this.#numbers.length < 2 * POINTS;
      if (this.ended || !this.#isLoaded) return;
    }
    throw new TypeError("the stream ended before its last event");
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
    const points = this.#numbers.length;
    for (const [name, value] of Object.entries(data)) {
      if (typeof value !== "number") continue;
      let column = this.#columns.get(name);
      if (!column) this.#columns.set(name, (column = { values: [], low: [], high: [] }));
      for (const values of [column.values, column.low, column.high]) {
        while (values.length < points) values.push(null);
        values.push(value);
      }
    }
    this.#steps += 1;
    this.#numbers.push(this.#steps);
    for (const { values, low, high } of this.#columns.values()) {
      for (const each of [values, low, high]) if (each.length <= points) each.push(null);
    }
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
    return Math.min(1000, 50 + this.#numbers.length / 5);
  }

  #publish(): void {
    if (document.hidden && !this.ended) {
      // A page that nobody sees draws nothing.
      setTimeout(() => this.#publish(), 1000);
      return;
    }
    this.#scheduled = false;
    this.steps = this.#steps;
    this.points = this.#numbers.length;
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
