/** Parts of the pages that show jobs. */
import { client, type Schemas, unwrap } from "./api.js";
import { duration, visible } from "./format.js";

export type Job = Schemas["TrainingJobResponse"];

/** Short reasons why a job makes no steps. */
export const WAITS: Record<Schemas["TrainingJobWaitingReason"], string> = {
  earlier_job: "after an earlier job",
  worker: "no worker for it",
  turn: "workers are busy",
  place: "its worker is busy",
  storage: "cannot store",
  learner: "learner not ready",
  retry: "tries again",
  lost_worker: "worker was lost",
};

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

/** Seconds until the end of a running job at its present rate; `undefined` if unknown. */
export function timeLeft({ progress }: Job): number | undefined {
  const left = (progress?.estimated_end_at ?? 0) - Date.now() / 1000;
  // The service's clock may differ, and a job that stands still has an end in the past.
  return progress?.estimated_end_at == null ? undefined : Math.max(left, 0);
}
