/** The system check. */
import { client, errorOf, type Schemas } from "./api.js";

/** State of a component; `seconds` is the duration of its check. */
export interface Component {
  name: string;
  success: boolean;
  seconds: number | undefined;
  errors: string[];
}

/** Checks each component of the service. */
export async function checkSystem(signal: AbortSignal): Promise<Component[]> {
  const { data, error, response } = await client.GET("/v1/system-check", { signal });
  // 503 has the same body when a check failed.
  const body = data ?? error;
  if (typeof body !== "object" || body === null || !("cpu_queue" in body)) throw errorOf(response, error);
  const value = body as Schemas["SystemCheckResponse"];
  const parts = [["Job queue", value.cpu_queue], ["Engine", value.gpu_queue], ["Artifacts", value.artifacts], ["Disk", value.disk]] as const;
  return [
    { name: "Database", success: value.database, seconds: undefined, errors: [] },
    ...parts.map(([name, { success, duration, errors }]) => ({ name, success, seconds: duration, errors: [...errors] })),
  ];
}
