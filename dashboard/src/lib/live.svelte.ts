/** A page of jobs, followed as it changes. */
import { client, decodeEvents, errorOf, type Schemas, TrainyardError } from "./api.js";
import type { Job } from "./jobs.js";

/** Longest pause before another attempt to follow the jobs, in seconds. */
const MAX_PAUSE = 8;

/** Parameters of the page. */
export interface JobQuery {
  limit: number;
  order: "desc";
  status?: Schemas["TrainingJobStatus"];
  kind?: Schemas["TrainingJobKind"];
  model_id?: string;
  q?: string;
  after?: string;
}

export class LiveJobs {
  value = $state.raw<{ data: Job[]; has_more: boolean; last_id: string }>();
  error = $state.raw<unknown>();
  /** Seconds until the next attempt. */
  retryIn = $state(0);
  #jobs = new Map<string, Job>();
  #ids: string[] = [];
  #hasMore = false;
  #abort = new AbortController();
  #wake = (): void => undefined;

  constructor(readonly query: JobQuery) {
    void this.#run();
  }

  stop = (): void => {
    this.#abort.abort();
    this.#wake();
  };

  /** Tries again now. */
  refresh = (): void => this.#wake();

  async #run(): Promise<void> {
    for (let failures = 0; !this.#abort.signal.aborted; ) {
      try {
        await this.#follow(() => (failures = 0));
        throw new TypeError("the stream ended");
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        this.error = error;
        const isPermanent = error instanceof TrainyardError && error.status < 500 && error.status !== 429;
        const pause = isPermanent ? Infinity : Math.min(2 ** failures, MAX_PAUSE);
        failures += 1;
        await this.#pause(pause);
      }
    }
  }

  /** Waits for some seconds, or until [`refresh`]. */
  async #pause(seconds: number): Promise<void> {
    let isAwake = false;
    const woken = new Promise<void>((resume) => (this.#wake = () => { isAwake = true; resume(); }));
    for (let left = seconds; left > 0 && !isAwake; left -= 1) {
      this.retryIn = Number.isFinite(left) ? left : 0;
      await Promise.race([woken, new Promise((resume) => setTimeout(resume, 1000))]);
    }
    this.retryIn = 0;
  }

  async #follow(onEvent: () => void): Promise<void> {
    const { response, error } = await client.GET("/v1/preview/training-jobs", {
      params: { query: this.query },
      signal: this.#abort.signal,
      headers: { accept: "text/event-stream" },
      parseAs: "stream",
    });
    if (!response.ok || !response.body) throw errorOf(response, error);
    for await (const { data } of decodeEvents(response.body)) {
      this.#take(JSON.parse(data) as Schemas["TrainingJobListEvent"]);
      onEvent();
    }
  }

  #take({ ids, has_more, job }: Schemas["TrainingJobListEvent"]): void {
    if (job) this.#jobs.set(job.id, job);
    if (ids) [this.#ids, this.#hasMore] = [ids, has_more ?? false];
    const data = this.#ids.map((id) => this.#jobs.get(id));
    // The jobs of a new page follow it at once.
    if (!data.every((job) => job !== undefined)) return;
    this.value = { data, has_more: this.#hasMore, last_id: this.#ids.at(-1) ?? "" };
    this.error = undefined;
  }
}
