/** Parts of the pages that show jobs. */
import { client, type Schemas, unwrap } from "./api.js";
import { duration, visible } from "./format.js";

export type Job = Schemas["TrainingJobResponse"];

export function isUnfinished(job: Job): boolean {
  return job.status === "queued" || job.status === "running";
}

/** Time from the start of a job to its end, or until now. */
export function took(job: Job): string {
  if (!job.started_at) return "–";
  return duration((job.finished_at ?? Date.now() / 1000) - job.started_at);
}

/** Names of the models by their id; of the newest 1,000 if there are more. */
export async function modelNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const query = { limit: 100, order: "desc" as const, ...(after === undefined ? {} : { after }) };
    const found = await unwrap(client.GET("/v1/preview/models", { params: { query } }));
    for (const model of found.data) names.set(model.id, visible(`${model.project}/${model.name}`));
    // Jobs of older models show the id of their model.
    if (!found.has_more || names.size >= 1000) return names;
    after = found.last_id;
  }
}

/** Number of readings that the pace of a job is computed from. */
const READINGS = 15;

/** Computes the time left of jobs from the progress that was read of late. */
export class Paces {
  #seen = new Map<string, { at: number; steps: number }[]>();

  /** Notes the progress of running jobs and forgets all others. */
  read(jobs: Job[]): void {
    const seen = new Map<string, { at: number; steps: number }[]>();
    for (const { id, status, progress } of jobs) {
      if (status !== "running" || !progress) continue;
      const readings = this.#seen.get(id) ?? [];
      seen.set(id, [...readings, { at: performance.now() / 1000, steps: progress.steps }].slice(-READINGS));
    }
    this.#seen = seen;
  }

  /** Seconds until the end of a job; `undefined` if unknown. */
  left({ id, progress }: Job): number | undefined {
    const readings = this.#seen.get(id) ?? [];
    const [first, last] = [readings[0], readings.at(-1)];
    if (!first || !last || !progress || last.steps <= first.steps) return undefined;
    return ((progress.total_steps - progress.steps) * (last.at - first.at)) / (last.steps - first.steps);
  }
}
