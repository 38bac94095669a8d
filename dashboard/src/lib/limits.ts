/** Limits of a key, in forms and texts. */
import type { Schemas } from "./api.js";
import { bytes, count } from "./format.js";

type Limits = Schemas["KeyLimits"];
type Name = keyof Limits;

/** Labels of the limits. */
export const LIMITS: Record<Name, string> = {
  requests_per_minute: "Requests a minute",
  tokens_per_minute: "Chat tokens a minute",
  streams: "Streams at once",
  queued_jobs: "Unfinished jobs",
  stored_bytes: "Bytes of files",
  tokens_per_month: "Tokens a month",
};

/** Texts of the fields; an empty one is no limit. */
export type LimitTexts = Record<Name, string>;

const NAMES = Object.keys(LIMITS) as Name[];

export function limitTexts(limits: Limits): LimitTexts {
  return Object.fromEntries(NAMES.map((name) => [name, limits[name] == null ? "" : String(limits[name])])) as LimitTexts;
}

export function limitsOf(texts: LimitTexts): Limits {
  // An input of numbers gives null or a number.
  return Object.fromEntries(NAMES.filter((name) => (texts[name] ?? "") !== "").map((name) => [name, Number(texts[name])]));
}

/** The limits as one text each, in lower case. */
export function limitList(limits: Limits): string[] {
  return NAMES.filter((name) => limits[name] != null).map((name) => {
    const value = limits[name] as number;
    return name === "stored_bytes" ? `${bytes(value)} of files` : `${count(value)} ${LIMITS[name].toLowerCase()}`;
  });
}
