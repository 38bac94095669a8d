/** Trajectory groups that the pages of rollouts show: those of an RL job, or those of a log of a model. */
import { client, type Schemas, unwrap } from "./api.js";
import { shortId } from "./format.js";

/** Parameters of a page of groups. */
export interface GroupQuery {
  limit: number;
  order: "asc" | "desc";
  sort?: Schemas["TrainingJobGroupSort"];
  q?: string;
  dropped?: boolean;
  min_reward?: number;
  max_reward?: number;
  after?: string;
}

/** Parameters of a page of trajectories. */
export interface TrajectoryQuery {
  limit: number;
  after?: string;
}

export interface GroupSource {
  /** Name of the owner of the groups, and the end of its id, if it is shown. */
  owner: string;
  id: string;
  /** Route of the owner, and of the list of groups. */
  ownerPath: string[];
  path: string[];
  /** Name of the list. */
  title: string;
  /** Whether a job trains the groups; else the pages say which ones a job would train. */
  isTrained: boolean;
  groups(query: GroupQuery, signal: AbortSignal): Promise<Schemas["TrainingJobGroupPage"]>;
  trajectories(group: string, query: TrajectoryQuery, signal: AbortSignal): Promise<Schemas["TrainingJobTrajectoryPage"]>;
}

/** Groups of a log of a model. */
export function groupsOfLog(model_id: string, log_id: string): GroupSource {
  const path = { model_id, log_id };
  return {
    owner: "logs",
    id: "",
    ownerPath: ["models", model_id, "log"],
    path: ["models", model_id, "log", log_id],
    title: `log ${shortId(log_id)}`,
    isTrained: false,
    groups: (query, signal) => unwrap(client.GET("/v1/preview/models/{model_id}/log/{log_id}/groups", { params: { path, query }, signal })),
    trajectories: (group_id, query, signal) =>
      unwrap(client.GET("/v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories", { params: { path: { ...path, group_id }, query }, signal })),
  };
}

/** Groups that a job is trained on. */
export function groupsOfJob(training_job_id: string): GroupSource {
  const path = { training_job_id };
  return {
    owner: "job",
    id: shortId(training_job_id),
    ownerPath: ["jobs", training_job_id],
    path: ["jobs", training_job_id, "groups"],
    title: "rollouts",
    isTrained: true,
    groups: (query, signal) => unwrap(client.GET("/v1/preview/training-jobs/{training_job_id}/groups", { params: { path, query }, signal })),
    trajectories: (group_id, query, signal) =>
      unwrap(client.GET("/v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories", { params: { path: { ...path, group_id }, query }, signal })),
  };
}
