/** Texts for numbers, times and names. */

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function count(value: number): string {
  return NUMBER.format(value);
}

/** A value of a metric, with four significant digits. */
export function metric(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return value.toExponential(2).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(4)));
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export function time(seconds: number | null | undefined): string {
  return seconds == null ? "–" : TIME.format(seconds * 1000);
}

/** A duration, in its two largest units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** The first block of a UUID that differs between objects of the same second. */
export function shortId(id: string): string {
  return id.slice(-12);
}

/**
 * Shows the characters that would turn or hide the text around them: direction marks, and control characters other than
 * line feed and tab.
 */
export function visible(text: string): string {
  return replaceHidden(text, (code) => `⟨U+${code.toUpperCase()}⟩`);
}

/** A value as JSON in which these characters are escaped. */
export function json(value: unknown, indent = 0): string {
  return replaceHidden(JSON.stringify(value, null, indent), (code) => `\\u${code}`);
}

function replaceHidden(text: string, replacement: (code: string) => string): string {
  return text.replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return character === "\n" || character === "\t" ? character : replacement(code);
  });
}

/** Saves content as a file. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
