/** The way curves are shown, kept in the address. */
import { type Curves, smooth } from "./curves.svelte.js";
import { route } from "./route.svelte.js";

export type Axis = "step" | "tokens" | "time";

export const X_LABELS: Record<Axis, string> = { step: "step", tokens: "trained tokens", time: "seconds" };

/** Maximum number of jobs in one chart. */
export const MAX_COMPARED = 4;

/** Metrics that are shown first. */
const FIRST = ["loss/train", "loss/grad_norm", "loss/learning_rate", "loss/kl_div", "loss/entropy"];

/** Metrics that are shown first where there are RL jobs: their loss says nothing about progress. */
const FIRST_OF_RL = ["loss/entropy", "loss/kl_div", "loss/grad_norm", "loss/train", "loss/learning_rate"];

/** Names of metrics in the order of the page. */
export function ordered(names: string[], hasRl = false): string[] {
  const first = hasRl ? FIRST_OF_RL : FIRST;
  return [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name)).sort()];
}

/** Axis, smoothing and scale in the address. */
export function view(): { axis: Axis; log: boolean; smoothing: number } {
  const axis = route.query.get("x");
  return {
    axis: axis === "tokens" || axis === "time" ? axis : "step",
    log: route.query.get("log") === "1",
    smoothing: Math.min(0.99, Math.max(0, Number(route.query.get("smooth") ?? "0") || 0)),
  };
}

/** Place of each point of a job on an axis. */
export function places(curves: Curves, axis: Axis): number[] {
  const all = axis === "tokens" ? curves.tokens() : axis === "time" ? curves.times() : curves.numbers();
  return all.slice(0, curves.points);
}

/** A curve for a chart. */
export interface Line {
  label: string;
  values: (number | null)[];
  /** How it is drawn, if not as a line of the legend: behind another, as an edge of the band, or in the table only. */
  drawn?: "faint" | "edge" | "never";
  /** Number of the colour and of the dashes. */
  series?: number;
  /** Text of a value; `metric` if absent. */
  text?: (value: number) => string;
}

/** Returns the line of a metric, with the smoothed line above it if there is one. */
export function linesOf(label: string, values: (number | null)[], smoothing: number, series = 0): Line[] {
  const plain = { label, values, series };
  return smoothing > 0 ? [{ ...plain, drawn: "faint" }, { label: `${label}, smoothed`, values: smooth(values, smoothing), series }] : [plain];
}

/** Returns the chart of a metric. The loss of training is read beside that of validation, which few steps have. */
export function chartOf(chosen: string, names: string[], column: (name: string) => (number | null)[], smoothing: number): { name: string; lines: Line[] } {
  const lines = linesOf(chosen, column(chosen), smoothing);
  if (chosen !== "loss/train" || !names.includes("loss/val")) return { name: chosen, lines };
  return { name: "loss/train and loss/val", lines: [...lines, ...linesOf("loss/val", column("loss/val"), 0, 1)] };
}

/** Puts curves with places of their own on one axis: all places in order, and null where a curve has none. */
export function joined(curves: { x: number[]; values: (number | null)[] }[]): { x: number[]; columns: (number | null)[][] } {
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const columns = curves.map((curve) => {
    const values = new Map(curve.x.map((at, index) => [at, curve.values[index] ?? null]));
    return x.map((at) => values.get(at) ?? null);
  });
  return { x, columns };
}
